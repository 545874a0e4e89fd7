// SPDX-License-Identifier: MIT
// Link: the one WebSocket to the server. It says hello, gives each request its reply, hands events
// to who asked for them, and comes back by itself when the connection is lost.

import { signal } from "@preact/signals";
import { clientToken } from "../base/prefs";
import type { Events, Hello, Requests } from "./messages";

const PROTOCOL = 1;
const RETRY_MS = [200, 500, 1000, 2000, 4000];
/** How long nothing is heard before one asks whether anybody is there, and how long one waits then. */
const QUIET_MS = 15_000;
const PATIENCE_MS = 8_000;

export type LinkState = "connecting" | "ready" | "lost";
export const linkState = signal<LinkState>("connecting");
export const hello = signal<Hello | null>(null);

/** A request that was answered with no: the sentence is for the player, the code for the page. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
    readonly why: string | null = null,
  ) {
    super(sentence);
  }
}

interface Waiting {
  resolve(reply: never): void;
  reject(reason: Refusal): void;
}

let socket: WebSocket | null = null;
let nextId = 1;
let failures = 0;
let heard = 0;
let asked = 0;
const waiting = new Map<number, Waiting>();
const listeners = new Map<string, Set<(event: never) => void>>();
const readyListeners = new Set<() => void>();

function lost(): Refusal {
  return new Refusal("lost", "the connection was lost");
}

function post<K extends keyof Requests>(what: K, fields: Requests[K][0]): { id: number; reply: Promise<Requests[K][1]> } {
  const id = nextId++;
  const reply = new Promise<Requests[K][1]>((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) {
      reject(lost());
      return;
    }
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ id, do: what, ...fields }));
  });
  return { id, reply };
}

export function request<K extends keyof Requests>(what: K, fields: Requests[K][0]): Promise<Requests[K][1]> {
  return linkState.value === "ready" ? post(what, fields).reply : Promise.reject(lost());
}

/** Work that takes a while: it can be called off. */
export interface Task<Reply> {
  readonly reply: Promise<Reply>;
  readonly cancel: () => void;
}

/** The same as a request, for such work. */
export function task<K extends keyof Requests>(what: K, fields: Requests[K][0]): Task<Requests[K][1]> {
  if (linkState.value !== "ready") return { reply: Promise.reject(lost()), cancel: () => undefined };
  const { id, reply } = post(what, fields);
  return {
    reply,
    cancel: () => {
      if (waiting.has(id)) void request("cancel", { request: id }).catch(() => undefined);
    },
  };
}

export function listen<K extends keyof Events>(on: K, hear: (event: Events[K]) => void): () => void {
  const all = listeners.get(on) ?? new Set();
  listeners.set(on, all);
  all.add(hear as (event: never) => void);
  return () => void all.delete(hear as (event: never) => void);
}

/** Called at once if the server is there, and again whenever it is back. */
export function whenReady(act: () => void): () => void {
  readyListeners.add(act);
  if (linkState.value === "ready") act();
  return () => void readyListeners.delete(act);
}

interface Frame {
  re?: number | null;
  ok?: boolean;
  code?: string;
  error?: string;
  why?: string;
  on?: string;
}

function take(text: string): void {
  heard = performance.now();
  const frame = JSON.parse(text) as Frame;
  if (frame.on !== undefined) {
    for (const hear of listeners.get(frame.on) ?? []) hear(frame as never);
  } else if (typeof frame.re === "number") {
    const asked = waiting.get(frame.re);
    waiting.delete(frame.re);
    if (frame.ok) asked?.resolve(frame as never);
    else asked?.reject(new Refusal(frame.code ?? "bad", frame.error ?? "", frame.why ?? null));
  }
}

async function greet(): Promise<void> {
  const reply = await post("hello", { protocol: PROTOCOL, client: clientToken.value }).reply;
  clientToken.value = reply.client;
  // A server built without learners says nothing of them.
  hello.value = { ...reply, learners: reply.learners ?? [] };
  failures = 0;
  linkState.value = "ready";
  for (const act of [...readyListeners]) act();
}

/** Another protocol: the server is newer than this page. Once a minute at most, or it would spin. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem("goren.reloaded") ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem("goren.reloaded", String(Date.now()));
  location.reload();
}

/** A connection may die without a word (a network changed, a machine asleep): who is not answered
 * takes it for lost and connects anew. */
function checkPulse(): void {
  const now = performance.now();
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (asked > heard && now - asked > PATIENCE_MS) abandon(socket);
  else if (asked <= heard && now - heard > QUIET_MS) askPulse();
}

function askPulse(): void {
  asked = performance.now();
  void post("ping", {}).reply.catch(() => undefined);
}

/** Closing waits for an answer that will not come either. */
function abandon(dead: WebSocket): void {
  dead.close();
  dead.onclose?.(new CloseEvent("close"));
}

setInterval(checkPulse, 1000);
// Back from sleep or from another network, one asks at once.
addEventListener("online", () => linkState.value === "ready" && askPulse());
document.addEventListener("visibilitychange", () => !document.hidden && linkState.value === "ready" && askPulse());

export function connect(): void {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const mine = new WebSocket(`${scheme}//${location.host}/ws`, "goren.v1");
  socket = mine;
  heard = asked = 0;
  mine.onopen = () => {
    asked = performance.now();
    greet().catch((e: unknown) => {
      if (e instanceof Refusal && e.code === "bad") reloadOnce();
      mine.close();
    });
  };
  mine.onmessage = (e) => socket === mine && take(String(e.data));
  mine.onclose = () => {
    if (socket !== mine) return;
    socket = null;
    if (linkState.value === "ready" || failures > 0) linkState.value = "lost";
    for (const asked of waiting.values()) asked.reject(lost());
    waiting.clear();
    const pause = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]!;
    setTimeout(connect, pause);
  };
}
