// SPDX-License-Identifier: MIT
// The handful that every make test runs: a visitor plays, loses nothing, and asks the engine.

import assert from "node:assert/strict";
import test from "node:test";
import { countMoves, go, stage } from "./harness";

const { visit } = stage();

test("a first visitor finds a board, one line of help, and an opponent that answers", async () => {
  const hands = await visit();
  await hands.says(".status", /You are Black/); // the game comes a moment after the connection
  assert.equal(await hands.board("moves"), "");
  await hands.click("h8");
  await hands.stones(2);
  assert.match(await hands.board("moves"), /^h8/);
  await hands.page.reload();
  await hands.ready();
  await hands.stones(2);
  await hands.press("undo");
  await hands.moves("");
  hands.content();
});

test("two people play to the end with the mouse; a taken point takes no stone", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8a1i8a2j8a3k8a4");
  await hands.click("k8");
  await hands.play("l8");
  await hands.says(".status", /Black wins/);
  assert.equal(await hands.board("row"), "h8 i8 j8 k8 l8");
  assert.equal(await hands.board("puts"), "");
  hands.content();
});

test("a forbidden move is refused with its reason, in the reader's language", async () => {
  const hands = await visit("", { locale: "ja" });
  await hands.newGame({ rule: "renju" });
  await hands.play("f8a1g8a15h9o1h10o15");
  await hands.until("h8 is marked", async () => (await hands.board("forbidden")).split(" ").includes("h8"));
  await hands.click("h8");
  await hands.says(".note", /h8.*三々/);
  assert.equal(countMoves(await hands.board("moves")), 8);
  hands.content();
});

test("analysis starts, streams and stops", async () => {
  const hands = await visit("#/analyse");
  await hands.play("h8i9");
  await hands.press("analyse");
  await hands.until("depth is reported", async () => Number(await hands.part("figures").getAttribute("data-depth")) >= 2);
  await hands.until("the best moves are marked", async () => countMoves(await hands.board("marks")) >= 3);
  await hands.press("analyse");
  await hands.says("[data-testid=analyse]", /Analyse/);
  await go(hands, "#/play");
  await hands.page.waitForSelector("[data-testid=hint]");
  hands.content();
});
