// SPDX-License-Identifier: MIT
// A game to look at once: opened, read, and closed again unless it is the one being played.

import { currentGame } from "../base/prefs";
import { game, pending } from "../play/model";
import { request } from "./link";
import type { Game } from "./messages";

export async function fetchGame(id: string): Promise<Game> {
  // A stone just played is not among its moves yet; the server answers in order, so it will be.
  if (game.value?.game === id && !pending.value) return game.value;
  const reply = await request("game.open", { game: id });
  if (currentGame.value !== id) void request("game.close", { game: id }).catch(() => undefined);
  return reply.game;
}
