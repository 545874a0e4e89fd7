// SPDX-License-Identifier: MIT
// Watching others: a match with its standings and boards, a learner with its curve.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { countMoves, go, PHONE, stage, type Hands } from "./harness";

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

/** Two that think for a while, so that one can look on. */
async function slowMatch(hands: Hands, games: number): Promise<void> {
  await hands.press("arena-new");
  const dialog = hands.page.locator("dialog[open]");
  for (const [n, kind] of ["ab", "puct"].entries()) await dialog.locator(".entrant").nth(n).locator("select").first().selectOption(kind);
  await dialog.locator("[data-testid=games]").fill(String(games));
  await dialog.locator("[data-testid=turn]").fill("0.3");
  await dialog.locator("[data-testid=turn]").blur();
  await hands.press("arena-go");
  await hands.page.locator("[data-testid=arena-boards] button").first().waitFor();
}

function focusedJob(hands: Hands): Promise<string | undefined> {
  return hands.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["job"]);
}

test("a small board opens large, follows the game to its end and gives the focus back", async () => {
  const hands = await visit("#/arena");
  await slowMatch(hands, 20);
  const large = hands.part("large-board");
  await hands.page.locator("[data-testid=arena-boards] button").first().focus();
  await hands.page.keyboard.press("Enter");
  await large.waitFor();
  const job = (await large.getAttribute("data-job"))!;
  const first = await hands.board("moves");
  await hands.until("a move has come", async () => (await hands.board("moves")).length > first.length);
  assert.ok((await hands.board("moves")).startsWith(first));
  assert.match(await hands.text("[data-testid=large-status]"), /^Move \d+: [a-o]\d+$/);
  assert.match(await hands.text("[data-testid=side-b]"), /(ab|puct)[^]*\d+\.\d s/);
  await hands.says("[data-testid^=side-]", /thinking…/);
  await hands.says("[data-testid^=side-]", /expects \d+(\.\d)?%/);
  await hands.until("it is over", async () => (await large.getAttribute("data-result")) !== "", 120_000);
  assert.equal(await large.getAttribute("data-job"), job);
  assert.match(await hands.text("[data-testid=large-status]"), /^(Black wins|White wins|A draw)\. /);
  if (/in a row/.test(await hands.text("[data-testid=large-status]"))) await hands.until("the row is seen", async () => (await hands.board("row")) !== "");
  await hands.until("another is played", async () => (await hands.page.locator(".boards button").count()) > 1);
  await hands.page.keyboard.press("ArrowRight");
  await hands.until("another board is there", async () => (await large.getAttribute("data-job")) !== job);
  await hands.page.keyboard.press("ArrowLeft");
  await hands.until("the first is back", async () => (await large.getAttribute("data-job")) === job);
  await hands.page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  assert.equal(await focusedJob(hands), job);
  // Somebody stops the match, unless the game is just over: what was looked at stays, and the focus goes to what is left.
  await hands.page.locator("[data-testid=arena-boards] button").first().click();
  await large.waitFor();
  await hands.page.evaluate(() => document.querySelector<HTMLElement>("[data-testid=arena-stop]")!.click());
  await hands.says("[data-testid=large-status]", /played no more|wins|A draw/);
  assert.ok(countMoves(await hands.board("moves")) > 0);
  await hands.page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  assert.notEqual(await focusedJob(hands), undefined);
  assert.equal(await hands.part("arena-done").getAttribute("data-state"), "stopped");
  // A press opens it as well; the cross and a press beside it close it.
  const small = hands.page.locator(`[data-testid=arena-finished] [data-job="${job}"]`);
  for (const close of [() => hands.page.locator("dialog[open] header button").click(), () => hands.page.mouse.click(3, 3)]) {
    await small.click();
    await large.waitFor();
    await close();
    await large.waitFor({ state: "detached" });
    assert.equal(await focusedJob(hands), job);
  }
  await small.click();
  const moves = await hands.board("moves");
  await hands.press("large-review");
  await hands.until("it is reviewed", async () => /#\/review\/moves\//.test(hands.page.url()) && (await hands.board("moves")) === moves);
  await large.waitFor({ state: "detached" }); // the address is there before the view
  await hands.page.goBack();
  await small.click();
  await hands.press("large-analyse");
  await hands.until("it is analysed", async () => /#\/analyse\/at\//.test(hands.page.url()) && (await hands.board("moves")) === moves);
  hands.content();
});

test("a large board fits a phone, upright and on its side", async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 844, height: 390 }]) {
    const hands = await visit("#/arena", { ...PHONE, viewport, colorScheme: "dark" });
    await hands.page.locator(".runs button", { hasText: "4 / 4" }).tap();
    await hands.until("its games are there", async () => (await hands.page.locator("[data-testid=arena-finished] button").count()) === 4);
    await hands.page.locator("[data-testid=arena-finished] button").first().tap();
    await hands.part("large-board").waitFor();
    await hands.page.waitForSelector("[data-testid=board][data-cell]");
    const fits = await hands.page.evaluate(() => {
      const dialog = document.querySelector("dialog[open]")!;
      const board = dialog.querySelector("[data-testid=board]")!.getBoundingClientRect();
      return { wide: dialog.scrollWidth <= dialog.clientWidth, high: board.bottom <= innerHeight, board: board.width };
    });
    assert.ok(fits.wide && fits.high && fits.board > 250, JSON.stringify(fits));
    const before = await hands.part("large-board").getAttribute("data-job");
    await hands.part("large-after").tap();
    await hands.until("another board is there", async () => (await hands.part("large-board").getAttribute("data-job")) !== before);
    hands.content();
  }
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

test("a learner is started, its curve grows, it can be stopped and goes on where it was", async () => {
  const hands = await visit("#/learning");
  await hands.press("learn-new");
  await hands.part("learn-games").fill("100000"); // so it is not over at once
  await hands.press("learn-go");
  await hands.until("there is a point on the curve", async () => Number(await hands.part("learn-state").getAttribute("data-points").catch(() => "0")) > 0, 120_000);
  assert.match(await hands.text("[data-testid=learn-state]"), /\d+ of \d+ games · running/);
  await hands.part("learn-stop").click();
  const state = (): Promise<string | null> => hands.part("learn-state").getAttribute("data-state");
  const games = async (): Promise<number> => parseInt(await hands.text("[data-testid=learn-state]"));
  await hands.until("it has stopped", async () => (await state()) === "stopped");
  const learnt = await games();
  await hands.press("learn-resume");
  await hands.until("it goes on", async () => (await state()) === "running" && (await games()) > learnt);
  await hands.press("learn-stop");
  await hands.until("it has stopped again", async () => (await state()) === "stopped");
  // Where as many run as may, it is told why it does not.
  const endless = async (): Promise<string> => {
    const before = hands.page.url();
    await hands.press("learn-new");
    await hands.part("learn-games").fill("100000");
    await hands.press("learn-go");
    await hands.until("it is shown", async () => hands.page.url() !== before && (await hands.part("learn-stop").count()) === 1);
    return hands.page.url();
  };
  const stopped = hands.page.url();
  const running = [await endless(), await endless()];
  await hands.page.goto(stopped);
  await hands.press("learn-resume");
  await hands.says(".note.bad", /2 matches or learners run already/);
  for (const url of running) {
    await hands.page.goto(url);
    await hands.press("learn-stop");
    await hands.part("learn-resume").waitFor();
  }
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
