// SPDX-License-Identifier: MIT
// Watching others: a match with its standings and boards, a learner with its curve.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { go, stage } from "./harness";

const { visit } = stage();

test("a match is started, watched to its end, and its standings stay", async () => {
  const hands = await visit("#/arena");
  await hands.press("arena-new");
  const dialog = hands.page.locator("dialog[open]");
  await dialog.locator(".entrant select").nth(1).selectOption("random");
  await dialog.locator("[data-testid=games]").fill("4");
  await dialog.locator("[data-testid=turn]").fill("0.02");
  await dialog.locator("[data-testid=turn]").blur();
  await hands.press("arena-go");
  await hands.until("it is done", async () => (await hands.part("arena-done").getAttribute("data-state").catch(() => "")) === "done", 120_000);
  assert.match(await hands.text("[data-testid=arena-done]"), /4 \/ 4/);
  const first = await hands.text("[data-testid=standings] tbody tr");
  assert.match(first, /goren/);
  await hands.page.reload();
  await hands.ready();
  await hands.part("standings").waitFor();
  const [file] = await Promise.all([hands.page.waitForEvent("download"), hands.press("arena-save")]);
  assert.match(file.suggestedFilename(), /^goren, .* · random\.sgf$/);
  assert.equal(readFileSync((await file.path())!, "utf8").match(/\(;/g)?.length, 4);
  hands.content();
});

test("an SPRT from a file of openings ends when it is clear; deleted, it is gone", async () => {
  const hands = await visit("#/arena");
  await hands.press("arena-new");
  const dialog = hands.page.locator("dialog[open]");
  await dialog.locator(".entrant select").nth(1).selectOption("random");
  await dialog.locator("[data-testid=sprt]").check();
  await dialog.locator("[data-testid=elo1]").fill("300");
  await dialog.locator("[data-testid=elo1]").blur();
  await dialog.locator('[data-testid=limit] input[value="nodes"]').check({ force: true });
  await dialog.locator("[data-testid=nodes]").fill("200");
  await dialog.locator("[data-testid=nodes]").blur();
  await dialog.locator('[data-testid=begins] input[value="file"]').check({ force: true });
  await dialog.locator("[data-testid=openings-file]").setInputFiles({ name: "two.pos", mimeType: "text/plain", buffer: Buffer.from("h8i9g7\nh8h9j7\n") });
  await hands.says("dialog[open] button", /two\.pos: 2/);
  await hands.press("arena-go");
  await hands.until("it is done", async () => (await hands.part("arena-done").getAttribute("data-state").catch(() => "")) === "done", 120_000);
  await hands.says("[data-testid=sprt-state]", /better.*LLR/s);
  await hands.press("arena-delete");
  await hands.press("arena-delete");
  await hands.until("it is gone", async () => (await hands.part("arena-done").count()) === 0);
  await hands.says(".stack .empty", /Choose a match/); // the one of the test before is there
  hands.content();
});

test("a learner is started, its curve grows, and it can be stopped", async () => {
  const hands = await visit("#/learning");
  await hands.press("learn-new");
  await hands.press("learn-go");
  await hands.until("there is a point on the curve", async () => Number(await hands.part("learn-state").getAttribute("data-points").catch(() => "0")) > 0, 120_000);
  assert.match(await hands.text("[data-testid=learn-state]"), /\d+ of \d+ games · running/);
  await hands.part("learn-stop").click();
  await hands.until("it has stopped", async () => (await hands.part("learn-state").getAttribute("data-state")) !== "running");
  hands.content();
});

test("a double press begins one match, one learner, and brings in one game", async () => {
  const hands = await visit("#/arena");
  const runs = hands.page.locator(".runs li");
  for (const [view, noun] of [["arena", "arena"], ["learning", "learn"]] as const) {
    await go(hands, `#/${view}`);
    await hands.part(`${noun}-new`).waitFor();
    await hands.page.waitForTimeout(300); // the list has come
    const before = await runs.count();
    await hands.press(`${noun}-new`);
    await hands.part(noun === "arena" ? "games" : "learn-games").fill("100000"); // so it is not over at once
    await hands.part(`${noun}-go`).dblclick();
    await hands.part(`${noun}-stop`).waitFor();
    await hands.page.waitForTimeout(300);
    assert.equal(await runs.count(), before + 1);
    await hands.press(`${noun}-stop`);
  }
  await go(hands, "#/library");
  await hands.part("paste").waitFor();
  await hands.page.waitForTimeout(300);
  const games = await hands.part("game-row").count();
  await hands.press("paste");
  await hands.part("paste-text").fill("h8i9g7");
  await hands.part("paste-text").blur();
  await hands.part("paste-format").selectOption("pos");
  await hands.part("paste-go").dblclick();
  await hands.until("it is listed", async () => (await hands.part("game-row").count()) > games);
  await hands.page.waitForTimeout(300);
  assert.equal(await hands.part("game-row").count(), games + 1);
  hands.content();
});

test("a double press resigns once", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9");
  await hands.part("resign").dblclick();
  await hands.says(".status", /wins/);
  await hands.page.waitForTimeout(300);
  assert.equal(await hands.page.locator(".note.bad").count(), 0);
  hands.content();
});
