// SPDX-License-Identifier: MIT
// Thinking: analysis, proofs, variations, review, problems.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { countMoves, go, PHONE, stage, type Hands } from "./harness";

const { server, visit } = stage();

async function setUp(hands: Hands, rule: string, position: string): Promise<void> {
  await hands.press("setup");
  await hands.page.locator(`[data-testid=rule] input[value="${rule}"]`).last().check({ force: true });
  await hands.part("position").fill(position);
  await hands.part("position").blur();
  await hands.press("use-position");
}

test("the analysis stops at once, follows the board, and says where the game is over", async () => {
  const hands = await visit("#/analyse");
  await hands.play("h8i9");
  await hands.press("analyse");
  await hands.until("it is deep", async () => Number(await hands.part("figures").getAttribute("data-depth")) >= 4);
  await hands.play("g7");
  await hands.until("it looks at the new position", async () => !(await hands.board("marks")).includes("g7") && countMoves(await hands.board("marks")) > 0);
  await hands.press("heat");
  await hands.until("the heat map is there", async () => Number(await hands.board("heat")) > 0);
  await hands.press("analyse");
  await hands.press("back");
  await hands.moves("h8i9");
  assert.equal(await hands.board("marks"), "");
  assert.equal(await hands.part("lines").locator("button").count(), 0);
  await hands.press("clear");
  await hands.play("h8a1i8a2j8a3k8a4l8");
  await hands.until("the winning row is marked", async () => (await hands.board("row")) !== "");
  await hands.press("analyse");
  await hands.says("aside", /game is over/);
  hands.content();
});

test("renju: the analysis runs where a forbidden point is near, and never offers it", async () => {
  const hands = await visit("#/analyse");
  await setUp(hands, "renju", "f8a1g8a15h9o1h10o15");
  await hands.until("h8 is marked", async () => (await hands.board("forbidden")).split(" ").includes("h8"));
  await hands.press("analyse");
  await hands.until("it is deep", async () => Number(await hands.part("figures").getAttribute("data-depth")) >= 4);
  assert.doesNotMatch(await hands.board("marks"), /\bh8=/);
  hands.content();
});

test("a position from text has the right side to move, nonsense is refused, a link is followed", async () => {
  const hands = await visit("#/analyse");
  await setUp(hands, "freestyle", "b:h8g7/w:i9");
  await hands.until("White is to move", async () => (await hands.board("puts")) === "w");
  for (const text of ["h8h8", "z99a1", "b:h8/w:h8"]) {
    await setUp(hands, "freestyle", text);
    await hands.page.locator(".note.bad").waitFor();
    await hands.page.keyboard.press("Escape");
    await hands.page.locator(".note.bad").click();
  }
  await hands.stones(3);
  for (const text of ["1. H8 2. I9 3. G10", "1.h8 i9 2.g10", "h8-i9-g10"]) {
    await setUp(hands, "freestyle", text);
    await hands.moves("h8i9g10");
    await hands.press("clear");
    await hands.until("the address says so", async () => hands.page.url().endsWith("/-/0"));
  }
  await go(hands, "#/analyse/at/freestyle-15x15-5/-/b/h8i9g7/2");
  await hands.moves("h8i9");
  await hands.play("a1");
  hands.content();
});

test("pointing at a move of a line shows the line; a click plays it; variations stay", async () => {
  const hands = await visit("#/analyse");
  await hands.play("h8i9");
  await hands.press("analyse");
  await hands.until("the best line has some length", async () => (await hands.part("lines").locator("li").first().locator("button").count()) >= 4);
  await hands.press("analyse");
  await hands.says("[data-testid=analyse]", /Analyse/);
  await hands.part("lines").locator("li").first().locator("button").nth(2).hover();
  await hands.until("three stones are shown ahead", async () => countMoves(await hands.board("ghosts")) === 3);
  await hands.part("lines").locator("li").first().locator("button").nth(0).click();
  await hands.stones(3);
  await hands.press("back");
  await hands.moves("h8i9");
  await hands.click("a1");
  await hands.moves("h8i9a1");
  await hands.says(".variations", /a1/);
  hands.content();
});

test("a win by fours is found and played out; what the opponent threatens is told", async () => {
  const hands = await visit("#/analyse");
  await setUp(hands, "freestyle", "b:h8i8j8h9h10e5/w:k8a1a3a5a7c9");
  await hands.stones(12);
  await hands.press("solve-vcf");
  await hands.until("there is an answer", async () => (await hands.part("answer").getAttribute("data-result").catch(() => null)) === "win");
  await hands.press("play-line");
  await hands.until("the row is there", async () => (await hands.board("row")) !== "");
  await setUp(hands, "freestyle", "b:h8i8j8/w:a1a3o1");
  await hands.stones(6);
  await hands.page.getByRole("button", { name: "White to move instead" }).click();
  await hands.press("solve-threat");
  await hands.says("[data-testid=answer]", /Black threatens/);
  hands.content();
});

test("the question about one position does not end the same one about the next", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8i9/2");
  await hands.stones(2);
  await hands.press("solve-win");
  await hands.says("[data-testid=solve-win]", /Stop/);
  await hands.page.evaluate(() => {
    document.querySelector<HTMLElement>("[data-testid=back]")!.click();
    document.querySelector<HTMLElement>("[data-testid=solve-win]")!.click();
  });
  await hands.moves("h8");
  await hands.page.waitForTimeout(500); // the first one is called off by then
  await hands.says("[data-testid=solve-win]", /Stop/);
  await hands.press("solve-win");
  await hands.says("[data-testid=solve-win]", /Prove/);
  hands.content();
});

test("a review finds the planted blunder and shows what was better", async () => {
  const hands = await visit();
  await hands.newGame({});
  // Black, well ahead, leaves a four on the edge alone.
  await hands.play("h8a1k11b1d11c1k5d1o15e1");
  await hands.says(".status", /White wins/);
  await go(hands, "#/review");
  await hands.press("review-start");
  await hands.until("it is through", async () => (await hands.part("review-start").count()) === 1 && (await hands.part("mistakes").count()) === 1, 90_000);
  await hands.part("mistakes").getByText("9. o15").click();
  assert.match((await hands.part("verdict").getAttribute("data-mark")) ?? "", /blunder|missed win/);
  assert.match(await hands.board("marks"), /e1=★/);
  await hands.press("better");
  await hands.until("the better line is shown", async () => /^e1/.test(await hands.board("ghosts")));
  // Neither a look at another game nor a reload loses it.
  await go(hands, "#/review/moves/freestyle/15x15/5/h8i9g7");
  await hands.until("that one is not reviewed", async () => (await hands.part("mistakes").count()) === 0);
  await go(hands, "#/review");
  await hands.part("mistakes").getByText("9. o15").waitFor();
  await hands.page.reload();
  await hands.part("mistakes").getByText("9. o15").waitFor();
  hands.content();
});

test("a reload or a lost connection in the middle of a review leaves what was judged", async () => {
  const hands = await visit("#/review/moves/freestyle/15x15/5/h8i8d4l12l4d12g11j5");
  await hands.press("review-start");
  await hands.part("review-graph").waitFor();
  assert.equal(await hands.part("review-stop").count(), 1, "it is not through yet");
  await hands.page.reload();
  await hands.part("review-graph").waitFor({ timeout: 10_000 });
  await hands.says("[data-testid=review-start]", /again/);
  await hands.press("review-start");
  await hands.part("review-graph").waitFor();
  await server.stop("SIGKILL");
  await hands.says("[data-testid=review-start]", /again/);
  await server.start();
  await hands.ready();
  await hands.page.reload();
  await hands.part("review-graph").waitFor({ timeout: 10_000 });
  hands.content();
});

test("a problem is solved, and a wrong move is told to be wrong", async () => {
  const hands = await visit("#/problems");
  await hands.part("task").waitFor();
  // The first problem turns on one point, so a corner loses the win.
  await hands.click("a15");
  await hands.until("it was judged", async () => (await hands.part("verdict").count()) > 0);
  assert.equal(await hands.part("verdict").getAttribute("data-state"), "wrong");
  await hands.page.keyboard.press("u");
  await hands.until("it is taken back", async () => (await hands.board("puts")) !== "");
  for (let i = 0; i < 30; i++) {
    if ((await hands.part("verdict").count()) > 0 && (await hands.part("verdict").getAttribute("data-state")) === "solved") break;
    await hands.press("solution");
    await hands.until("the solution is shown", async () => (await hands.board("ghosts")) !== "");
    const best = (await hands.board("ghosts")).split(" ")[0]!;
    await hands.press("solution");
    const stones = countMoves(await hands.board("moves"));
    await hands.click(best);
    await hands.until("it was judged", async () => (await hands.part("verdict").count()) > 0 && countMoves(await hands.board("moves")) > stones);
    await hands.until("the reply is there", async () => /^(go on|solved)$/.test((await hands.part("verdict").getAttribute("data-state")) ?? "") && (countMoves(await hands.board("moves")) === stones + 2 || (await hands.part("verdict").getAttribute("data-state")) === "solved"));
  }
  assert.equal(await hands.part("verdict").getAttribute("data-state"), "solved");
  await hands.page.waitForSelector(".problem-grid .solved");
  await hands.says(".suites .on", /1 of \d+ solved/);
  // The collection that is open is clicked again, and again.
  for (let i = 0; i < 2; i++) await hands.page.locator(".suites .on").click();
  assert.equal(await hands.part("task").count(), 1);
  await hands.page.locator(".problem-grid a").last().click();
  await hands.until("nothing comes after the last problem", () => hands.part("next").isDisabled());
  hands.content();
});

test("a refused move of a problem goes back, and the problem goes on", async () => {
  const hands = await visit("#/problems/fours/6");
  await hands.part("task").waitFor();
  const before = countMoves(await hands.board("moves"));
  await hands.click("j9");
  await hands.stones(before + 2);
  await hands.until("f7 is marked", async () => (await hands.board("forbidden")).split(" ").includes("f7"));
  await hands.click("f7");
  await hands.page.locator(".note.bad").waitFor();
  await hands.until("the stone went back", async () => countMoves(await hands.board("moves")) === before + 2 && (await hands.board("puts")) === "b");
  hands.content();
});

test("points that are left out are not offered, and come back", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8i9g7/3");
  await hands.press("analyse");
  const marks = async (): Promise<string[]> => (await hands.board("marks")).split(" ");
  await hands.until("moves are offered", async () => (await marks()).some((m) => /=\d/.test(m)));
  const [best] = (await marks())[0]!.split("=");
  await hands.press("block");
  await hands.click(best!);
  await hands.until("others are offered", async () => {
    const all = await marks();
    return all.includes(`${best}=×`) && all.some((m) => /=\d/.test(m)) && !all.some((m) => m.startsWith(`${best}=`) && /\d$/.test(m.split("=")[1]!));
  });
  await hands.moves("h8i9g7");
  await hands.page.locator("[data-testid=blocked] button").click();
  await hands.until("it is free again", async () => (await marks()).some((m) => /=\d/.test(m)) && !(await hands.board("marks")).includes("×"));
  await hands.press("analyse");
  hands.content();
});

test("stones that make it even are found and put; on a phone the board comes into sight", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8i9g7/3", PHONE);
  await hands.press("balance-2");
  await hands.says("[data-testid=even]", /White then expects \d+%/);
  await hands.press("play-even");
  await hands.stones(5);
  await hands.until("the board is in sight", () => hands.page.evaluate(() => scrollY < 5));
  hands.content();
});

test("renju's openings have their names, turned and mirrored too", async () => {
  const hands = await visit("#/analyse");
  const direct = "h10i10j10i9j9i8j8h7i7j7h6i6j6".match(/[a-z]\d+/g)!;
  const indirect = "j10j9j8j7j6i8i7i6h7h6g7g6f6".match(/[a-z]\d+/g)!;
  const seen = new Set<string>();
  const named = async (moves: string, code: string): Promise<void> => {
    await go(hands, `#/analyse/at/renju-15x15-5/-/b/${moves}/3`);
    await hands.says(".panel h2", new RegExp(`· [A-Z][a-z]+\\s${code}$`));
    seen.add(/· (\w+)\s[DI]\d/.exec((await hands.page.locator(".panel h2").allInnerTexts()).join(" "))![1]!);
  };
  for (const [i, p] of direct.entries()) await named(`h8h9${p}`, `D${i + 1}`);
  for (const [i, p] of indirect.entries()) await named(`h8i9${p}`, `I${i + 1}`);
  assert.equal(seen.size, 26);
  await named("h8i8i9", "D4");
  await named("h8g8g7", "D4");
  await named("h8g7g9", "I7");
  await named("h8i7g7", "I7");
  await go(hands, "#/analyse/at/renju-15x15-5/-/b/h8j8i9/3");
  await hands.until("that one has none", async () => !(await hands.page.locator(".panel h2").allInnerTexts()).some((s) => /[DI]\d+$/.test(s)));
  hands.content();
});

test("what is taken away from a tree comes back with one press", async () => {
  const hands = await visit("#/analyse");
  await hands.play("h8i9g7");
  await hands.part("node-comment").fill("a thought");
  await hands.part("node-comment").blur();
  await hands.press("clear");
  await hands.moves("");
  await hands.page.locator(".note", { hasText: "bring it back" }).click();
  await hands.moves("h8i9g7");
  assert.equal(await hands.part("node-comment").inputValue(), "a thought");
  await hands.press("back");
  await hands.page.keyboard.press("Delete");
  await hands.moves("h8");
  await hands.page.keyboard.press("z");
  await hands.moves("h8i9");
  await hands.press("forward");
  await hands.moves("h8i9g7");
  hands.content();
});

test("a line comes back once, turned as the board is, and a bare move comes back too", async () => {
  const hands = await visit("#/analyse/at/freestyle-20x10-5/-/b/-/0");
  await hands.play("t5s5");
  await hands.part("node-comment").fill("a thought");
  await hands.part("node-comment").blur();
  await hands.page.keyboard.press("Delete");
  await hands.moves("t5");
  await hands.press("rotate");
  await hands.moves("e1");
  await hands.page.keyboard.press("z");
  await hands.moves("e1e2");
  assert.equal(await hands.part("node-comment").inputValue(), "a thought");
  await hands.page.keyboard.press("Delete");
  await hands.moves("e1");
  await hands.play("e2");
  await hands.page.keyboard.press("z");
  await hands.until("the thought is back", async () => (await hands.part("node-comment").inputValue()) === "a thought");
  await hands.press("back");
  assert.equal(await hands.board("branches"), "e2", "it stands there once");
  await hands.press("clear");
  await hands.play("a1b2c3");
  await hands.page.keyboard.press("Delete");
  await hands.moves("a1b2");
  await hands.page.keyboard.press("z");
  await hands.moves("a1b2c3");
  hands.content();
});

test("a game from another view takes no tree away for good, not even over a reload", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9");
  await go(hands, "#/analyse");
  await hands.play("a1b2c3");
  await hands.part("node-comment").fill("a thought");
  await hands.part("node-comment").blur();
  await go(hands, "#/play");
  await hands.part("undo").waitFor();
  await hands.page.keyboard.press("a");
  await hands.moves("h8i9");
  await hands.page.locator(".note", { hasText: "bring it back" }).click();
  await hands.moves("a1b2c3");
  assert.equal(await hands.part("node-comment").inputValue(), "a thought");
  await go(hands, "#/play");
  await hands.part("undo").waitFor();
  await hands.page.reload();
  await hands.ready();
  await hands.part("undo").waitFor();
  await hands.stones(2);
  await hands.page.keyboard.press("a");
  await hands.until("the game is on the analysis board", async () => /analyse\/at\/.*h8i9/.test(hands.page.url()));
  await hands.page.reload();
  await hands.ready();
  await hands.moves("h8i9");
  await hands.page.keyboard.press("z");
  await hands.moves("a1b2c3");
  assert.equal(await hands.part("node-comment").inputValue(), "a thought");
  await hands.page.keyboard.press("z");
  await hands.moves("h8i9");
  // Brought back and left in the same moment.
  await hands.page.locator(".note", { hasText: "bring it back" }).evaluate((note) => {
    (note as HTMLElement).click();
    location.hash = "#/library";
  });
  await hands.part("search").waitFor();
  await hands.page.reload();
  await hands.ready();
  await go(hands, "#/analyse");
  await hands.moves("a1b2c3");
  hands.content();
});

test("a forbidden point is refused on the analysis board, too, with its reason", async () => {
  const hands = await visit("#/analyse/at/renju-15x15-5/-/b/h8a1i8c1j10e1j11g1/8");
  await hands.until("j8 is marked", async () => (await hands.board("forbidden")).split(" ").includes("j8"));
  await hands.click("j8");
  await hands.says(".note.bad", /j8 is forbidden/);
  assert.equal(await hands.board("moves"), "h8a1i8c1j10e1j11g1");
  // White may play there.
  await hands.play("o15j8");
  hands.content();
});

test("rule and size change under the position; stones are set up for either side", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8i9g7/3");
  const dialog = hands.page.locator("dialog[open]");
  await hands.press("setup");
  assert.equal(await hands.part("position").inputValue(), "h8i9g7");
  await dialog.locator('[data-testid=rule] input[value="renju"]').check({ force: true });
  await hands.press("use-position");
  await hands.says(".panel h2", /Renju/);
  await hands.moves("h8i9g7");
  await hands.press("setup");
  await hands.part("position").fill("b:h8i9");
  await hands.part("position").blur();
  await hands.press("use-position");
  await hands.says(".note.bad", /whose turn/);
  await dialog.locator('[data-testid=side] input[value="w"]').check({ force: true });
  await hands.press("use-position");
  await hands.moves("h8i9");
  assert.equal(await hands.board("puts"), "w");
  await hands.press("setup");
  assert.match(await hands.part("position").inputValue(), /b:h8i9/);
  await hands.press("use-position");
  await dialog.waitFor({ state: "detached" });
  await hands.moves("h8i9");
  assert.equal(await hands.board("puts"), "w");
  hands.content();
});

test("a line that is shown stays; where the game is over nothing is asked", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8a1i8a3j8a5k8c1/8");
  await hands.press("solve-vcf");
  await hands.says("[data-testid=answer]", /in 1 move\./);
  await hands.press("show-line");
  await hands.until("it is on the board", async () => (await hands.board("ghosts")) !== "");
  await hands.page.mouse.move(5, 5);
  await hands.page.waitForTimeout(200);
  assert.notEqual(await hands.board("ghosts"), "");
  await hands.press("show-line");
  await hands.until("it is put away", async () => (await hands.board("ghosts")) === "");
  await hands.press("play-line");
  await hands.stones(9);
  await hands.until("nothing is asked any more", () => hands.part("solve-win").isDisabled());
  assert.equal(await hands.part("answer").count(), 0);
  hands.content();
});

test("the list of a long game begins with its beginning", async () => {
  const moves = Array.from({ length: 90 }, (_, i) => `${"abcdefghijklmno"[i % 15]}${1 + 2 * Math.floor(i / 15)}`).join("");
  const hands = await visit(`#/analyse/at/freestyle-15x15-8/-/b/${moves}/90`);
  const scrolled = (): Promise<number> => hands.page.evaluate(() => document.querySelector(".move-list")!.scrollTop);
  await hands.until("it is at its end", async () => (await scrolled()) > 50);
  await hands.page.keyboard.press("Home");
  await hands.until("it is at its beginning", async () => (await scrolled()) === 0);
  hands.content();
});

test("the moves that go on are marked, and the whole tree can be turned and mirrored", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x12-5/-/b/h8i9/2");
  await hands.play("a1");
  await hands.part("node-comment").fill("a corner");
  await hands.part("node-comment").blur();
  await hands.press("back");
  assert.equal(await hands.board("branches"), "a1");
  await hands.play("o12");
  await hands.press("back");
  assert.equal(await hands.board("branches"), "a1 o12");
  const [file] = await Promise.all([hands.page.waitForEvent("download"), hands.press("svg")]);
  const picture = readFileSync((await file.path())!, "utf8");
  for (const letter of ["A", "B"]) assert.match(picture, new RegExp(`<circle[^>]* fill-opacity="0.9"[^>]*>\n<text[^>]*>${letter}</text>`));
  await hands.press("settings");
  await hands.part("branches").uncheck();
  await hands.page.keyboard.press("Escape");
  assert.equal(await hands.board("branches"), "");
  await hands.press("settings");
  await hands.part("branches").check();
  await hands.page.keyboard.press("Escape");
  await hands.press("rotate");
  await hands.moves("h8i7");
  await hands.says(".panel h2", /12×15/);
  assert.equal(await hands.board("branches"), "a15 l1");
  await hands.press("mirror");
  await hands.moves("e8d7");
  await hands.press("forward");
  await hands.moves("e8d7l15");
  assert.equal(await hands.part("node-comment").inputValue(), "a corner");
  await hands.until("the address has it", async () => /e8d7l15\/3$/.test(hands.page.url()));
  await hands.page.reload();
  await hands.moves("e8d7l15");
  hands.content();
});

test("signs are drawn on the board, one a point, and taken away", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8i9/1");
  const drawn = (expected: string): Promise<void> => hands.until(`${expected} is drawn`, async () => (await hands.board("signs")) === expected);
  await hands.press("draw-label");
  await hands.click("h8");
  await hands.click("a1");
  await hands.click("c3");
  await drawn("h8=A a1=B c3=C");
  await hands.click("a1");
  await hands.click("o15");
  await drawn("h8=A c3=C o15=B");
  await hands.press("draw-triangle");
  await hands.click("h8");
  await drawn("h8=triangle c3=C o15=B");
  await hands.part("board").focus();
  await hands.page.keyboard.press("ArrowUp");
  await hands.page.keyboard.press("Enter");
  await hands.says("[data-testid=spoken]", /h9: triangle/);
  await drawn("h8=triangle h9=triangle c3=C o15=B");
  await hands.moves("h8");
  await hands.press("draw-triangle");
  await hands.play("g7");
  await drawn("");
  await hands.press("back");
  await drawn("h8=triangle h9=triangle c3=C o15=B");
  await hands.until("the address has it", async () => /h8i9\/1$/.test(hands.page.url()));
  await hands.page.reload();
  await hands.ready();
  await drawn("h8=triangle h9=triangle c3=C o15=B");
  hands.content();
});

test("a player that names no chance still names its move", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8i9/2");
  await hands.page.getByText("Engine settings").click();
  await hands.page.getByLabel("Who looks").selectOption("random");
  await hands.press("analyse");
  await hands.says("[data-testid=lines] li", /^–\s*[a-o]\d+\s*$/);
  assert.match(await hands.board("marks"), /^[a-o]\d+=★$/);
  hands.content();
});
