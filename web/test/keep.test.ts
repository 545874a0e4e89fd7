// SPDX-License-Identifier: MIT
// The library: games kept, found by words and by position, brought in and taken out in every format.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { go, PHONE, stage, type Hands } from "./harness";

const { visit } = stage();

async function download(hands: Hands, press: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([hands.page.waitForEvent("download"), hands.press(press)]);
  return { name: file.suggestedFilename(), bytes: readFileSync((await file.path())!) };
}

/** How many games there are, once they are listed. */
async function listed(hands: Hands): Promise<number> {
  await hands.page.locator(".library [data-testid=game-row], .library .empty").first().waitFor();
  return hands.part("game-row").count();
}

async function rows(hands: Hands, count: number): Promise<void> {
  await hands.until(`${count} games are listed`, async () => (await hands.part("game-row").count()) === count);
}

async function paste(hands: Hands, format: string, text: string): Promise<void> {
  await hands.press("paste");
  await hands.part("paste-text").fill(text);
  await hands.part("paste-text").blur();
  await hands.part("paste-format").selectOption(format);
  await hands.press("paste-go");
}

test("games are found by words and by position, named, commented and deleted", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("c3d3c4d4c5");
  await go(hands, "#/library");
  await hands.part("game-row").first().waitFor();
  await hands.part("game-row").first().locator("button").click();
  await hands.part("game-name").fill("the corner game");
  await hands.part("game-name").blur();
  await hands.part("game-comment").fill("a try in the corner");
  await hands.part("game-comment").blur();
  await hands.says("[data-testid=game-row]", /a try in the corner/);
  await hands.part("search").fill("corner game");
  await hands.part("search").blur();
  await rows(hands, 1);
  await hands.part("search").fill("no such words");
  await hands.part("search").blur();
  await rows(hands, 0);
  await hands.part("search").fill("");
  await hands.part("search").blur();
  // The same stones, turned to another corner of the board.
  await go(hands, "#/analyse");
  await hands.play("m13l13m12l12");
  await go(hands, "#/library/position");
  await rows(hands, 1);
  await hands.press("by-position");
  await hands.part("details").waitFor();
  await hands.press("delete");
  await hands.says("[data-testid=delete]", /Really/);
  await hands.press("delete");
  await hands.part("details").waitFor({ state: "detached" });
  hands.content();
});

test("players without a name are found by the words that are shown for them", async () => {
  const hands = await visit();
  await hands.play("h8");
  await hands.stones(2);
  await go(hands, "#/library");
  await hands.until("it is listed", async () => (await hands.part("game-row").allInnerTexts()).some((text) => text.includes("Person – goren, easy")));
  const before = await hands.part("game-row").count();
  for (const word of ["goren", "easy", "person", "nobody is called that"]) {
    await hands.part("search").fill(word);
    await hands.part("search").blur();
    const found = !word.startsWith("nobody");
    await hands.until(word, async () => {
      const texts = await hands.part("game-row").allInnerTexts();
      return found ? texts.length > 0 && texts.every((text) => text.toLowerCase().includes(word)) : texts.length === 0;
    });
  }
  await hands.part("search").fill("");
  await hands.part("search").blur();
  await rows(hands, before);
  hands.content();
});

test("a game in the library has an address: a reload keeps it, a step back closes it", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9");
  await go(hands, "#/library");
  await hands.part("game-row").first().locator("button").click();
  await hands.part("details").waitFor();
  await hands.page.reload();
  await hands.part("details").waitFor();
  await hands.press("open-game");
  await hands.play("g7");
  await go(hands, "#/library");
  await hands.part("details").locator("[aria-label*='3']").first().waitFor(); // as it is now
  await go(hands, "#/play");
  await hands.page.goBack();
  await hands.part("details").waitFor();
  await go(hands, "#/library");
  await hands.part("details").waitFor({ state: "detached" });
  await hands.part("game-row").first().waitFor();
  hands.content();
});

test("every format out and in again is the same game; pictures are pictures", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9g7j10i8");
  await go(hands, "#/library");
  await hands.part("game-row").first().locator("button").click();
  await hands.part("details").waitFor();
  const formats = await hands.page.locator("[data-testid=details] [data-testid=format] option").allInnerTexts();
  assert.ok(formats.length >= 5, formats.join());
  for (const format of formats) {
    await hands.page.locator("[data-testid=details] [data-testid=format]").selectOption(format);
    const file = await download(hands, "export");
    const before = await listed(hands);
    await hands.page.setInputFiles("input[type=file]", { name: file.name, mimeType: "text/plain", buffer: file.bytes });
    await rows(hands, before + 1);
  }
  await hands.part("game-row").first().locator("button").click();
  await hands.press("open-game");
  await hands.moves("h8i9g7j10i8");

  await go(hands, "#/library");
  await hands.part("game-row").first().locator("button").click();
  const svg = await download(hands, "svg");
  assert.match(svg.bytes.toString(), /^<svg[^]*<circle[^]*<\/svg>\s*$/);
  const png = await download(hands, "png");
  assert.deepEqual([...png.bytes.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
  const gif = await download(hands, "gif");
  const frames = await hands.page.evaluate(async (bytes) => {
    // The browser's own decoder reads every frame; a broken one would throw.
    const decoder = new (window as unknown as { ImageDecoder: new (init: object) => { completed: Promise<void>; tracks: { ready: Promise<void>; selectedTrack: { frameCount: number } }; decode(o: object): Promise<unknown> } }).ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
    await decoder.tracks.ready;
    await decoder.completed;
    const n = decoder.tracks.selectedTrack.frameCount;
    for (let i = 0; i < n; i++) await decoder.decode({ frameIndex: i });
    return n;
  }, [...gif.bytes]);
  assert.equal(frames, 6);
  hands.content();
});

// h8 with a comment ("one"), then i9 g7, and instead of i9 a variation.
const RENLIB = Buffer.from("ff52656e4c6962ff0304ffffffffffffffffffff0000" + "78086f6e6500" + "69808740" + "6840", "hex");

test("a RenLib library is brought in: its main line, with comments", async () => {
  const hands = await visit("#/library");
  const before = await listed(hands);
  await hands.page.setInputFiles("input[type=file]", { name: "book.lib", mimeType: "application/octet-stream", buffer: RENLIB });
  await rows(hands, before + 1);
  await hands.part("game-row").first().locator("button").click();
  await hands.press("review-game");
  await hands.moves("h8i9g7");
  await hands.page.keyboard.press("Home");
  await hands.page.keyboard.press("ArrowRight");
  await hands.until("the comment is there", async () => (await hands.part("move-comment").inputValue()) === "one");
  hands.content();
});

test("an opening library is opened on the analysis board with its variations, and saved again", async () => {
  const hands = await visit("#/analyse");
  await hands.page.setInputFiles("[data-testid=tree-file]", { name: "book.lib", mimeType: "application/octet-stream", buffer: RENLIB });
  await hands.until("the tree is there", async () => (await hands.page.locator(".move-list button").count()) === 3);
  await hands.page.keyboard.press("ArrowRight");
  await hands.moves("h8");
  assert.equal(await hands.part("node-comment").inputValue(), "one");
  await hands.page.keyboard.press("ArrowRight");
  await hands.moves("h8i9");
  assert.equal(await hands.page.locator(".variations button").count(), 2);
  await hands.part("node-comment").fill("the usual");
  await hands.part("node-comment").blur();
  await hands.until("both are marked", async () => (await hands.page.locator(".move-list .commented").count()) === 2);
  await hands.page.reload();
  await hands.ready();
  await hands.moves("h8i9");
  assert.equal(await hands.part("node-comment").inputValue(), "the usual");
  assert.equal(await hands.page.locator(".variations button").count(), 2);
  const file = await download(hands, "tree-save");
  assert.match(file.bytes.toString(), /C\[one\]/);
  await hands.press("clear");
  await hands.moves("");
  await hands.page.setInputFiles("[data-testid=tree-file]", { name: file.name, mimeType: "text/plain", buffer: file.bytes });
  await hands.until("it is there again", async () => (await hands.page.locator(".move-list .commented").count()) === 2);
  hands.content();
});

test("what a file says at its beginning is read, kept and saved; a game brings its comments onto the analysis board", async () => {
  const hands = await visit("#/analyse");
  const sgf = "(;GM[4]SZ[15]PB[Ann]PW[Bo]EV[Cup]RE[B+R]C[The final.];B[hh]C[bold];W[ih])";
  await hands.page.setInputFiles("[data-testid=tree-file]", { name: "a.sgf", mimeType: "text/plain", buffer: Buffer.from(sgf) });
  await hands.part("node-comment").waitFor();
  const comment = (): Promise<string> => hands.part("node-comment").inputValue();
  assert.equal(await comment(), "The final.");
  await hands.page.reload();
  await hands.ready();
  await hands.part("node-comment").waitFor();
  assert.equal(await comment(), "The final.");
  const saved = await download(hands, "tree-save");
  assert.match(saved.bytes.toString(), /C\[The final\.\][^;]*;B\[hh\][^;]*C\[bold\]/);
  for (const said of [/PB\[Ann\]/, /PW\[Bo\]/, /EV\[Cup\]/, /RE\[B\+R/]) assert.match(saved.bytes.toString(), said);
  assert.equal(saved.name, "Ann - Bo.sgf");
  await go(hands, "#/library");
  const before = await listed(hands);
  await bringIn(hands, { "a.sgf": sgf });
  await rows(hands, before + 1);
  await hands.page.locator("[data-testid=game-row] button, [data-testid=game-row] a").first().click();
  await hands.page.locator(".details").getByRole("button", { name: "Analyse" }).click();
  await hands.moves("h8i8");
  await hands.press("back");
  await hands.moves("h8");
  assert.equal(await comment(), "bold");
  hands.content();
});

test("what a file draws on the board is seen, spoken, turned, kept, saved and in the picture", async () => {
  const hands = await visit("#/analyse");
  const sgf = "(;GM[4]SZ[15]LB[aa:a<b];B[hh]TR[hh]SQ[ac:bc]CR[oa]MA[oo]LB[ii:A];W[ih])";
  await hands.page.setInputFiles("[data-testid=tree-file]", { name: "a.sgf", mimeType: "text/plain", buffer: Buffer.from(sgf) });
  const drawn = (expected: string): Promise<void> => hands.until(`${expected} is drawn`, async () => (await hands.board("signs")) === expected);
  await drawn("a15=a<b");
  const picture = await download(hands, "svg");
  assert.match(picture.bytes.toString(), />a&#60;b<\/text>/);
  await hands.page.keyboard.press("ArrowRight");
  await drawn("h8=triangle a13=square b13=square o15=circle o1=cross i7=A");
  await hands.part("board").focus();
  await hands.page.keyboard.press("ArrowRight");
  await hands.page.keyboard.press("ArrowLeft");
  await hands.says("[data-testid=spoken]", /h8: black stone, triangle/);
  await hands.press("rotate");
  await drawn("h8=triangle m15=square m14=square o1=circle a1=cross g7=A");
  await hands.page.reload();
  await hands.ready();
  await drawn("h8=triangle m15=square m14=square o1=circle a1=cross g7=A");
  const saved = await download(hands, "tree-save");
  assert.match(saved.bytes.toString(), /LB\[oa:a<b\]\s*;B\[hh\]LB\[gi:A\]TR\[hh\]SQ\[ma\]\[mb\]CR\[oo\]MA\[ao\]/);
  await hands.page.keyboard.press("ArrowRight");
  await drawn("");
  hands.content();
});

test("a comment to a move is kept, marked in the list, and goes out with the game", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9g7");
  await go(hands, "#/review");
  await hands.moves("h8i9g7");
  await hands.page.keyboard.press("ArrowLeft");
  await hands.part("move-comment").fill("too far away");
  await hands.part("move-comment").blur();
  await hands.until("the move is marked", async () => (await hands.page.locator(".move-list .commented").count()) === 1);
  await hands.page.reload();
  await hands.ready();
  await hands.page.locator(".move-list button").nth(1).click();
  await hands.until("the comment is there", async () => (await hands.part("move-comment").inputValue()) === "too far away");
  await go(hands, "#/library");
  await hands.part("game-row").first().locator("button").click();
  await hands.page.locator("[data-testid=details] [data-testid=format]").selectOption("sgf");
  assert.match((await download(hands, "export")).bytes.toString(), /W\[[a-z]+\][^;]*C\[too far away\]/);
  hands.content();
});

test("a comment that is being typed outlives a reload and another view", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9");
  const fields = { "#/analyse/at/freestyle-15x15-5/-/b/h8i9/2": "node-comment", "#/review": "move-comment", "#/library": "game-comment" };
  for (const [address, name] of Object.entries(fields)) {
    const here = async (what: string): Promise<void> => {
      if (name === "game-comment" && (await hands.part("details").count()) === 0) await hands.part("game-row").first().locator("button").click();
      await hands.part(name).waitFor();
      if (what !== "") await hands.until(`${name} says ${what}`, async () => (await hands.part(name).inputValue()) === what, 10_000);
    };
    await go(hands, address);
    await here("");
    await hands.part(name).fill("half a word");
    await hands.page.reload();
    await hands.ready();
    await here("half a word");
    await hands.part(name).fill("a whole one");
    await go(hands, "#/problems");
    await hands.part(name).waitFor({ state: "detached" });
    await go(hands, address);
    await here("a whole one");
  }
  hands.content();
});

/** A game with two moves, and a server whose answers take as long as one says. */
async function lateGame(): Promise<{ readonly hands: Hands; readonly late: { ms: number } }> {
  const hands = await visit();
  const late = { ms: 0 };
  await hands.page.routeWebSocket(/\/ws$/, (mine) => {
    const server = mine.connectToServer();
    mine.onMessage((m) => server.send(m));
    server.onMessage((m) => void setTimeout(() => mine.send(m), late.ms));
  });
  await hands.page.reload();
  await hands.ready();
  await hands.newGame({});
  await hands.play("h8i9");
  return { hands, late };
}

test("a game that is closed before its new name is kept stays closed", async () => {
  const { hands, late } = await lateGame();
  await go(hands, "#/library");
  await hands.part("game-row").first().locator("button").click();
  await hands.part("game-name").fill("named and closed");
  late.ms = 1000;
  await hands.page.keyboard.press("Enter");
  await hands.part("details").getByRole("button", { name: "Close" }).click();
  await hands.part("details").waitFor({ state: "detached" });
  await hands.says("[data-testid=game-row]", /named and closed/);
  assert.equal(await hands.part("details").count(), 0, "it was closed");
  hands.content();
});

test("a move that the server has not answered yet is in the review", async () => {
  const { hands, late } = await lateGame();
  late.ms = 1500;
  await hands.play("g7");
  await hands.page.evaluate(() => (location.hash = "#/review"));
  await hands.moves("h8i9g7");
  hands.content();
});

test("a pasted game is read; nonsense is refused with a sentence", async () => {
  const hands = await visit("#/library");
  const before = await listed(hands);
  const texts = ["(;GM[4]SZ[15];B[hh];W[ii];B[gg])", "\n h8i9g7", "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\n-1\n"];
  await paste(hands, "sgf", texts[0]!);
  await rows(hands, before + 1);
  // The format is found out from the text.
  for (const [i, text] of texts.entries()) {
    await paste(hands, "", text);
    await rows(hands, before + 2 + i);
  }
  await paste(hands, "sgf", "this is no game");
  await hands.page.locator(".note.bad").waitFor();
});

async function bringIn(hands: Hands, files: Readonly<Record<string, string>>): Promise<void> {
  await hands.page.setInputFiles(
    "input[type=file]",
    Object.entries(files).map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
  );
}

test("of several files those that can be read are brought in, the others are named", async () => {
  const hands = await visit("#/library");
  const before = await listed(hands);
  await bringIn(hands, { "one.pos": "h8i9", "bad.sgf": "(;FF[4]", "two.pos": "h8g7" });
  await rows(hands, before + 2);
  await hands.says(".note.info", /^Games brought in: 2\./);
  await hands.says(".note.bad", /^bad\.sgf/);
  await bringIn(hands, { "three.pos": "h8i9g7", "bad.sgf": "(;FF[4]", "worse.psq": "?" });
  await rows(hands, before + 3);
  await hands.says(".note.bad", /bad\.sgf, worse\.psq/);
  hands.content();
});

test("a last page that is deleted gives way to the one before; what a filter hides is not deleted", async () => {
  const hands = await visit("#/library");
  const before = await listed(hands);
  await bringIn(hands, { "many.pos": "h8i9\n".repeat(51 - before) });
  await rows(hands, 50);
  await hands.page.locator("[data-testid=game-row] input").first().check();
  await hands.page.getByRole("button", { name: "Later" }).click();
  await rows(hands, 1);
  assert.equal(await hands.page.locator(".chosen").count(), 0, "another page");
  await hands.page.locator("[data-testid=game-row] input").check();
  await hands.page.locator(".chosen button.danger").click();
  await hands.page.locator(".chosen button.danger").click();
  await rows(hands, 50);
  await hands.page.locator("[data-testid=game-row] input").first().check();
  await hands.part("search").fill("no such words");
  await hands.part("search").blur();
  await hands.says(".empty", /fits/);
  assert.equal(await hands.page.locator(".chosen").count(), 0);
  hands.content();
});

test("a game that is opened from far down in the list is seen, on a phone and beside it", async () => {
  for (const device of [PHONE, {}]) {
    const hands = await visit("#/library", device);
    const newest = (): Promise<string | null> => hands.page.evaluate(() => document.querySelector("[data-game]")?.getAttribute("data-game") ?? null);
    await hands.page.locator("[data-game], .empty").first().waitFor();
    const before = await newest();
    await hands.press("paste");
    await hands.part("paste-text").fill(Array.from({ length: 40 }, () => "(;GM[4]SZ[15];B[hh];W[ii])").join("\n"));
    await hands.part("paste-text").blur();
    await hands.part("paste-format").selectOption("sgf");
    await hands.press("paste-go");
    await hands.until("they are there", async () => (await newest()) !== before && (await hands.part("game-row").count()) >= 40);
    const row = hands.part("game-row").nth(35);
    await row.scrollIntoViewIfNeeded();
    await row.locator("button").click();
    const seen = (what: string): Promise<boolean> =>
      hands.page.evaluate((selector) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box !== undefined && box.top >= 0 && box.top < innerHeight - 40;
      }, what);
    await hands.until("the game is in sight", () => seen("[data-testid=details]"));
    await hands.part("details").getByRole("button", { name: "Close" }).click();
    const id = await row.getAttribute("data-game");
    await hands.until("so is its row", () => seen(`[data-game="${id}"]`));
    hands.content();
  }
});

/** A file is dragged onto the page and let go; true: the page keeps it from the browser. */
function drop(hands: Hands, name: string, text: string): Promise<boolean> {
  return hands.page.evaluate(
    ([called, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content!], called!));
      return !document.querySelector("main")!.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

test("a file that is dropped beside a board opens in Analyse; nowhere does the browser take it", async () => {
  const hands = await visit();
  await hands.part("new").waitFor();
  const sgf = "(;GM[4]FF[4]SZ[15];B[hh];W[ii](;B[gg])(;B[hi]C[or so]))";
  for (const view of ["play", "problems", "analyse"]) {
    await go(hands, `#/${view}`);
    await hands.part("board").waitFor();
    assert.ok(await drop(hands, "a.sgf", sgf));
    await hands.part("tree-open").waitFor();
    await hands.until("the file is on the board", async () => /\/analyse\/at\/.*h8i7/.test(hands.page.url()));
    await hands.press("clear");
  }
  await go(hands, "#/play");
  await hands.part("new").waitFor();
  assert.ok(await drop(hands, "a.sgf", "no game at all"));
  await hands.page.locator(".note.bad").waitFor();
  assert.match(hands.page.url(), /#\/play/);
  await go(hands, "#/arena");
  await hands.part("arena-new").waitFor();
  assert.ok(await drop(hands, "a.sgf", sgf));
  assert.match(hands.page.url(), /#\/arena/);
  hands.content();
});
