// SPDX-License-Identifier: MIT
// What every browser test needs: a goren of its own with an empty store, a Chromium, and hands that
// find points on the board. Waits are long, since a busy machine is slow; nothing waits longer than
// it must.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";

export const PATIENCE = 30_000;
const goren = process.env["GOREN"] ?? "build/goren";
const chrome = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export class Server {
  private child: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), "goren-web-"));
  port = 0;

  get address(): string {
    return `${"http:"}//127.0.0.1:${this.port}/`;
  }

  async start(): Promise<void> {
    const options = ["--host", "127.0.0.1", "--port", String(this.port), "--store", join(this.folder, "games.db")];
    const child = spawn(goren, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      child.stdout!.on("data", (text: Buffer) => {
        said += text.toString();
        const found = /:(\d+)\//.exec(said);
        if (!found) return;
        this.port = Number(found[1]);
        resolve();
      });
      child.on("exit", (code) => reject(new Error(`goren serve ended with ${code}: ${said}`)));
    });
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.child;
    this.child = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface Stage {
  readonly server: Server;
  readonly browser: Browser;
  /** A new visitor; complaints of the page fail the test at its end. */
  visit(hash?: string, options?: BrowserContextOptions): Promise<Hands>;
}

/** One server and one browser for all tests of a file. */
export function stage(): Stage {
  const server = new Server();
  const set: { browser?: Browser } = {};
  const open: BrowserContext[] = [];
  before(async () => {
    await server.start();
    const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
    set.browser = await chromium.launch({ executablePath: chrome, args: flags, timeout: 2 * PATIENCE });
  });
  after(async () => {
    await set.browser?.close();
    await server.close();
  });
  return {
    server,
    get browser() {
      return set.browser!;
    },
    async visit(hash = "", options = {}) {
      for (const old of open.splice(0)) await old.close();
      const context = await set.browser!.newContext({ viewport: { width: 1280, height: 860 }, locale: "en", ...options });
      context.setDefaultTimeout(PATIENCE);
      open.push(context);
      return Hands.open(context, server.address + hash);
    },
  };
}

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export interface NewGame {
  readonly rule?: string;
  readonly size?: readonly [number, number];
  readonly first?: string;
  readonly second?: string;
  readonly phase?: string;
  readonly pace?: string;
}

/** A page and what one does with it. */
export class Hands {
  readonly complaints: string[] = [];
  readonly foreign: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
  ) {}

  static async open(context: BrowserContext, address: string): Promise<Hands> {
    const page = await context.newPage();
    const hands = new Hands(page, context);
    const own = new URL(address).host;
    page.on("pageerror", (e) => hands.complaints.push(e.message));
    page.on("console", (m) => {
      // A socket that a stopped server closes is part of some tests, not a fault of the page.
      if (m.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(m.text())) hands.complaints.push(m.text());
    });
    page.on("request", (r) => {
      const url = new URL(r.url());
      if (url.protocol.startsWith("http") && url.host !== own) hands.foreign.push(r.url());
    });
    await page.goto(address);
    await hands.ready();
    return hands;
  }

  ready(): Promise<unknown> {
    return this.page.waitForSelector('[data-testid=link][data-state="ready"]');
  }

  part(name: string): ReturnType<Page["locator"]> {
    return this.page.locator(`[data-testid="${name}"]`);
  }

  press(name: string): Promise<void> {
    return this.part(name).first().click();
  }

  /** What the board says of itself in data-… */
  async board(key: string): Promise<string> {
    return (await this.part("board").getAttribute(`data-${key}`)) ?? "";
  }

  async until(what: string, test: () => Promise<boolean>, ms = PATIENCE): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      if (await test()) return;
      await this.page.waitForTimeout(40);
    }
    assert.fail(`waited in vain until ${what}`);
  }

  async moves(expected: string): Promise<void> {
    const last = { seen: "" };
    await this.until(`the board shows ${expected}`, async () => (last.seen = await this.board("moves")) === expected).catch((e: unknown) => {
      throw new Error(`${String(e)}; it shows ${last.seen}`);
    });
  }

  async stones(count: number): Promise<void> {
    await this.until(`there are ${count} stones`, async () => countMoves(await this.board("moves")) >= count);
  }

  async pixel(point: string): Promise<{ x: number; y: number }> {
    // The board paints after its size is known; until then it has no points.
    await this.page.waitForSelector("[data-testid=board][data-cell]");
    return this.page.evaluate((name) => {
      const frame = document.querySelector<HTMLElement>("[data-testid=board]")!;
      const box = frame.getBoundingClientRect();
      const [, letters, row] = /^([a-z]+)(\d+)$/.exec(name)!;
      const column = [...letters!].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 96, 0) - 1;
      const { x0, y0, cell } = frame.dataset;
      return { x: box.left + Number(x0) + column * Number(cell), y: box.top + Number(y0) - (Number(row) - 1) * Number(cell) };
    }, point);
  }

  async click(point: string): Promise<void> {
    await this.until("the board takes a stone", async () => (await this.board("puts")) !== "");
    const at = await this.pixel(point);
    await this.page.mouse.click(at.x, at.y);
  }

  async tap(point: string): Promise<void> {
    await this.until("the board takes a stone", async () => (await this.board("puts")) !== "");
    const at = await this.pixel(point);
    await this.page.touchscreen.tap(at.x, at.y);
  }

  /** Plays moves one after the other, each seen on the board before the next. */
  async play(text: string): Promise<void> {
    const before = await this.board("moves");
    let so_far = before;
    for (const move of text.match(/[a-z]+\d+/g) ?? []) {
      await this.click(move);
      so_far += move;
      await this.moves(so_far);
    }
  }

  async newGame(wish: NewGame): Promise<void> {
    await this.press("new");
    const dialog = this.page.locator("dialog[open]");
    await dialog.waitFor();
    if (wish.rule) await dialog.locator(`[data-testid=rule] input[value="${wish.rule}"]`).check({ force: true });
    if (wish.size) {
      await dialog.locator('[data-testid=size] input[value="0"]').check({ force: true });
      for (const [name, n] of [["width", wish.size[0]], ["height", wish.size[1]]] as const) {
        await dialog.locator(`[data-testid=${name}]`).fill(String(n));
        await dialog.locator(`[data-testid=${name}]`).blur();
      }
    }
    await dialog.locator("[data-testid=first] select").first().selectOption(wish.first ?? "human");
    await dialog.locator("[data-testid=second] select").first().selectOption(wish.second ?? "human");
    if (wish.pace) await dialog.locator(`[data-testid=pace] input[value="${wish.pace}"]`).check({ force: true });
    if (wish.phase) await dialog.locator("[data-testid=phase]").selectOption(wish.phase);
    await dialog.locator("[data-testid=start]").click();
    await dialog.waitFor({ state: "detached" });
  }

  text(selector: string): Promise<string> {
    return this.page.locator(selector).first().innerText();
  }

  async says(selector: string, pattern: RegExp): Promise<void> {
    await this.until(`${selector} says ${pattern}`, async () => (await this.page.locator(selector).allInnerTexts()).some((s) => pattern.test(s)));
  }

  content(): void {
    assert.deepEqual(this.complaints, [], "the page complained");
    assert.deepEqual(this.foreign, [], "the page asked other hosts");
  }
}

export function countMoves(text: string): number {
  return (text.match(/[a-z]+\d+/g) ?? []).length;
}

export function go(hands: Hands, hash: string): Promise<void> {
  return hands.page.evaluate((h) => void (location.hash = h), hash);
}
