// SPDX-License-Identifier: MIT
// Playing: by mouse, keyboard and finger, every rule, openings, clocks, watching, and never losing
// anything.

import assert from "node:assert/strict";
import test from "node:test";
import { countMoves, go, Hands, PATIENCE, PHONE, stage } from "./harness";

const { server, visit } = stage();

test("a game to the end by keyboard alone", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.part("board").focus();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await hands.page.keyboard.press(key);
  };
  const to = { x: 7, y: 7 };
  const walk = async (x: number, y: number): Promise<void> => {
    await press(...Array<string>(Math.abs(x - to.x)).fill(x > to.x ? "ArrowRight" : "ArrowLeft"));
    await press(...Array<string>(Math.abs(y - to.y)).fill(y > to.y ? "ArrowUp" : "ArrowDown"));
    Object.assign(to, { x, y });
  };
  let shown = "";
  for (let i = 0; i < 5; i++) {
    for (const y of i < 4 ? [7, 3] : [7]) {
      await walk(7 - i, y);
      await hands.until("the board takes a stone", async () => (await hands.board("puts")) !== "");
      await press("Enter");
      shown += "hgfed"[i]! + String(y + 1);
      await hands.moves(shown);
    }
  }
  await hands.says(".status", /Black wins/);
  assert.match(await hands.text("[data-testid=spoken]"), /Black wins/);
  hands.content();
});

test("a game to the end by finger on a phone: touch, then confirm", async () => {
  const hands = await visit("", PHONE);
  await hands.newGame({});
  let shown = "";
  for (const move of ["h8", "c3", "h9", "c4", "h10", "c5", "h11", "c6", "h12"]) {
    await hands.tap(move);
    await hands.part("confirm").waitFor();
    assert.equal(await hands.board("moves"), shown, "nothing is played before it is confirmed");
    if (shown.length % 4 === 0) await hands.part("confirm").locator(".primary").click();
    else await hands.tap(move);
    shown += move;
    await hands.moves(shown);
  }
  await hands.says(".status", /Black wins/);
  hands.content();
});

test("a stone that waits to be confirmed is let go with its game and with its tool", async () => {
  const hands = await visit("", PHONE);
  const gone = (): Promise<void> => hands.part("confirm").waitFor({ state: "detached", timeout: PATIENCE });
  await hands.newGame({});
  await hands.tap("b2");
  await hands.part("confirm").waitFor();
  await hands.newGame({});
  await gone();
  await hands.tap("b2");
  await go(hands, "#/analyse");
  await hands.tap("h8");
  await hands.part("confirm").waitFor();
  await hands.press("block");
  await gone();
  hands.content();
});

test("games that are left give their places back", async () => {
  const hands = await visit("#/analyse/at/freestyle-15x15-5/-/b/h8/1");
  for (let n = 0; n < 34; n++) {
    await go(hands, "#/analyse");
    await hands.press("play-here");
    await hands.until("the game is open", async () => /play/.test(hands.page.url()) && (await hands.part("new").count()) > 0);
    await hands.until("it has its stones", async () => countMoves(await hands.board("moves")) > 0);
  }
  await hands.newGame({});
  await hands.moves("");
  hands.content();
});

// One position, five rules: six in a row, and a five with the opponent at both ends.
const SIX = "c8a1d8a3e8a5g8a7h8a9f8";
const ENCLOSED = "f8e8g8k8h8a1i8a3j8";
const wins: Record<string, [six: boolean, enclosed: boolean]> = {
  freestyle: [true, true],
  standard: [false, true],
  renju: [false, true],
  caro: [false, false],
  caro6: [true, false],
};
for (const [rule, [six, enclosed]] of Object.entries(wins)) {
  test(`${rule}: six in a row ${six ? "win" : "do not win"}, an enclosed five ${enclosed ? "wins" : "does not"}`, async () => {
    const hands = await visit();
    for (const [moves, won] of [[SIX, six], [ENCLOSED, enclosed]] as const) {
      await hands.newGame({ rule });
      const last = /[a-z]\d+$/.exec(moves)![0];
      await hands.play(moves.slice(0, -last.length));
      await hands.click(last);
      if (rule === "renju" && moves === SIX) {
        await hands.says(".note", /f8 is forbidden: more than five/);
        assert.equal(countMoves(await hands.board("moves")), 10);
        continue;
      }
      await hands.moves(moves);
      if (won) await hands.says(".status", /Black wins/);
      else await hands.says(".status", /White to move/);
    }
    hands.content();
  });
}

test("pro: the second black stone keeps out of the middle", async () => {
  const hands = await visit();
  await hands.newGame({ phase: "pro" });
  await hands.moves("h8"); // it stands there from the beginning
  await hands.play("i9");
  await hands.click("j8");
  await hands.says(".note", /j8 is forbidden/);
  await hands.play("k8");
  hands.content();
});

test("swap2 against oneself: three stones, two more, and a colour", async () => {
  const hands = await visit();
  await hands.newGame({ phase: "swap2" });
  await hands.part("choices").waitFor();
  // Until the colours are chosen nobody is said to have one.
  const chooser = (): Promise<string> => hands.text(".seat.to-move");
  assert.match(await chooser(), /First player/);
  for (const p of ["h8", "i9", "g7"]) await hands.click(p);
  await hands.press("offer");
  await hands.moves("h8i9g7");
  assert.match(await chooser(), /Second player\s+chooses/);
  await hands.says(".status", /second player's turn/);
  await hands.press("two");
  for (const p of ["a1", "o15"]) await hands.click(p);
  await hands.press("offer");
  await hands.moves("h8i9g7a1o15");
  assert.match(await chooser(), /First player\s+chooses/);
  assert.equal(await hands.page.locator(".seat .stone.open").count(), 2);
  await hands.press("swap");
  await hands.part("choices").waitFor({ state: "detached" });
  await hands.says(".seat.to-move", /White\s+to move/);
  await hands.says(".status", /White to move/);
  await hands.play("h9");
  hands.content();
});

test("swap2 against the engine comes to a game", async () => {
  const hands = await visit();
  await hands.newGame({ phase: "swap2", second: "level" });
  for (const p of ["h8", "i8", "j8"]) await hands.click(p);
  await hands.press("offer");
  await hands.stones(3);
  await hands.until("it is our turn again", async () => (await hands.board("puts")) !== "" || (await hands.part("choices").count()) > 0);
  hands.content();
});

test("whoever is given another colour by the opening is told", async () => {
  const hands = await visit();
  await hands.newGame({ phase: "swap2", second: "ab" });
  await hands.part("choices").waitFor();
  assert.doesNotMatch(await hands.text(".status"), /Begin where you like/, "three stones are asked for, not one");
  for (const p of ["h8", "a1", "h9"]) await hands.click(p); // who plays well does not stay White
  await hands.press("offer");
  await hands.says(".note", /took Black; you are White/);
  await hands.says(".status", /You are White\. Your move/);
  hands.content();
});

test("where White moves first the list of moves says so", async () => {
  const hands = await visit("#/analyse");
  await hands.play("h8i9g7");
  await hands.page.locator('[data-testid=tool] input[value="w"]').check({ force: true });
  await hands.click("a1");
  await hands.page.getByRole("button", { name: "Play from here" }).click();
  await hands.until("it is played", async () => /#\/play\//.test(hands.page.url()) && (await hands.board("puts")) === "w");
  await hands.click("c3");
  await hands.stones(6);
  const dots = ".move-list li .dot";
  assert.deepEqual(await hands.page.locator(dots).evaluateAll((all) => all.slice(0, 2).map((d) => d.className)), ["dot w", "dot b"]);
  await go(hands, "#/review");
  await hands.part("review-start").waitFor();
  assert.deepEqual(await hands.page.locator(dots).evaluateAll((all) => all.slice(0, 2).map((d) => d.className)), ["dot w", "dot b"]);
  hands.content();
});

test("hint, undo, redo, resign, play again", async () => {
  const hands = await visit();
  await hands.click("h8");
  await hands.stones(2);
  await hands.press("hint");
  await hands.until("a point is marked", async () => /★/.test(await hands.board("marks")));
  const before = await hands.board("moves");
  await hands.press("undo");
  await hands.moves("");
  await hands.press("redo");
  await hands.moves(before);
  await hands.press("resign");
  await hands.says(".status", /goren wins/);
  await hands.press("again");
  await hands.until("the other one begins now", async () => countMoves(await hands.board("moves")) === 1);
  hands.content();
});

test("two players of the computer are watched to the end, paused, and the next game begins by itself", async () => {
  const hands = await visit();
  await hands.newGame({ size: [7, 7], first: "random", second: "random" });
  await hands.press("pause");
  await hands.says(".status", /Paused/);
  const standing = await hands.board("moves");
  await hands.page.waitForTimeout(1500);
  assert.equal(await hands.board("moves"), standing, "nothing moves in a pause");
  const slider = hands.page.locator(".watch-controls input[type=range]");
  await slider.focus();
  await hands.page.keyboard.press("Home");
  await hands.press("pause");
  await hands.says(".status", /wins|draw/);
  const ended = countMoves(await hands.board("moves"));
  await hands.until("a new game has begun", async () => countMoves(await hands.board("moves")) < ended, 60_000);
  hands.content();
});

test("a killed server loses nothing: the page picks the game up again", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9g7");
  await server.stop("SIGKILL");
  await hands.says(".note", /lost/);
  await server.start();
  await hands.ready();
  await hands.moves("h8i9g7");
  await hands.play("h7");
  await hands.page.reload();
  await hands.ready();
  await hands.moves("h8i9g7h7");
  hands.content();
});

test("two pages at once: each has its own game, and one game can be on both", async () => {
  const one = await visit();
  await one.newGame({});
  await one.play("h8");
  const id = await one.page.evaluate(() => JSON.parse(localStorage.getItem("goren.game")!) as string);
  const two = await Hands.open(one.context, server.address + `#/play/${id}`);
  await two.moves("h8");
  await two.play("i9");
  await one.moves("h8i9");
  await one.play("g7");
  await two.moves("h8i9g7");
  one.content();
  two.content();
});

test("a reload brings back the game of this page, whatever its address named and others play", async () => {
  const one = await visit();
  await one.newGame({});
  await one.play("h8");
  const old = await one.page.evaluate(() => JSON.parse(localStorage.getItem("goren.game")!) as string);
  await go(one, `#/play/${old}`);
  await one.newGame({});
  await one.play("a1b2");
  const two = await Hands.open(one.context, server.address);
  await two.newGame({});
  await two.play("o15");
  await one.page.reload();
  await one.ready();
  await one.moves("a1b2");
  await server.stop();
  await one.page.waitForSelector('[data-testid=link][data-state="lost"]');
  await server.start();
  await one.ready();
  await one.play("c3");
  one.content();
  two.content();
});

test("the review shows the game as it is now", async () => {
  const hands = await visit();
  await hands.newGame({});
  await hands.play("h8i9");
  await go(hands, "#/review");
  await hands.moves("h8i9");
  await go(hands, "#/play");
  await hands.play("g7");
  await go(hands, "#/review");
  await hands.moves("h8i9g7");
  await hands.press("review-start");
  await hands.until("it is through", async () => (await hands.part("review-start").count()) === 1 && (await hands.part("review-graph").count()) === 1);
  await go(hands, "#/play");
  await hands.until("it is left", async () => (await hands.part("undo").count()) === 1);
  await go(hands, "#/review");
  await hands.part("review-graph").waitFor(); // the same moves are not asked for twice
  await go(hands, "#/play");
  await hands.press("undo");
  await hands.moves("h8i9");
  await hands.play("a1");
  await go(hands, "#/review");
  await hands.moves("h8i9a1");
  assert.equal(await hands.part("review-graph").count(), 0, "what was found is of other moves");
  await go(hands, "#/play");
  await hands.newGame({});
  await hands.play("c3");
  await go(hands, "#/review");
  await hands.moves("c3");
  hands.content();
});

test("nothing lies over the points of a large board, nor over those of a phone on its side", async () => {
  const hands = await visit();
  await hands.newGame({ size: [30, 30] });
  await hands.play("ad1ac3");
  const phone = await visit("", { ...PHONE, viewport: { width: 844, height: 390 } });
  await phone.tap("h3");
  await phone.part("confirm").waitFor();
  const covered = await phone.pixel("o1");
  assert.ok(await phone.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest("[data-testid=board]") != null, covered));
  assert.ok((await phone.part("confirm").boundingBox())!.x > covered.x, "it is asked for beside the board");
  assert.ok((await phone.page.locator(".status").boundingBox())!.y < 300, "the status is in sight");
  phone.content();
});

test("a 100x100 board is zoomed, panned and played on", async () => {
  const hands = await visit();
  await hands.newGame({ size: [100, 100] });
  const corner = await hands.page.evaluate(() => {
    const { x0, cell } = document.querySelector<HTMLElement>("[data-testid=board]")!.dataset;
    return Number(x0) - Number(cell) / 2;
  });
  assert.ok(corner > 12, `the row numbers have ${corner} pixels before the first stones`);
  await hands.until("the board has shrunk", async () => Number(await hands.board("cell")) < 12);
  const fit = Number(await hands.board("cell"));
  const middle = await hands.pixel("ax50");
  await hands.page.mouse.move(middle.x, middle.y);
  for (let i = 0; i < 6; i++) await hands.page.mouse.wheel(0, -300);
  await hands.until("it is larger", async () => Number(await hands.board("cell")) > 3 * fit);
  await hands.click("ax50");
  await hands.moves("ax50");
  await hands.page.mouse.move(middle.x, middle.y);
  await hands.page.mouse.down();
  await hands.page.mouse.move(middle.x - 150, middle.y + 100, { steps: 5 });
  await hands.page.mouse.up();
  assert.equal(await hands.board("moves"), "ax50", "a drag is no move");
  const moved = await hands.pixel("ax50");
  assert.ok(Math.abs(moved.x - middle.x) > 50, "the board went along");
  await hands.click("ba51");
  await hands.moves("ax50ba51");
  hands.content();
});

test("a clock runs and the level can be changed in mid-game", async () => {
  const hands = await visit();
  await hands.press("new");
  await hands.page.locator('[data-testid=pace] input[value="blitz"]').check({ force: true });
  await hands.press("start");
  const clock = (): Promise<string> => hands.text("[data-testid=seat-b] .clock");
  await hands.until("there is a clock", async () => (await hands.page.locator(".clock").count()) === 2);
  const first = await clock();
  await hands.until("it runs", async () => (await clock()) !== first);
  await hands.part("level").selectOption("4");
  await hands.says("[data-testid=seat-w]", /practised/);
  hands.content();
});

test("the level chosen in a game is the next game's", async () => {
  const hands = await visit();
  await hands.part("level").selectOption("5");
  await hands.says("[data-testid=seat-w]", /5/);
  await hands.press("new");
  await hands.press("start");
  await hands.until("it is still there", async () => (await hands.part("level").inputValue()) === "5");
  hands.content();
});

test("every kind of player that needs no file can be played against as it is offered", async () => {
  const hands = await visit();
  await hands.press("new");
  const kinds = await hands.page.locator("[data-testid=second] select").first().locator("option").evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value));
  await hands.page.keyboard.press("Escape");
  assert.ok(kinds.includes("uct") && kinds.length > 10);
  for (const kind of kinds.filter((k) => !["human", "level"].includes(k))) {
    await hands.newGame({ second: kind });
    await hands.until(`${kind} sits there`, async () => (await hands.text("[data-testid=seat-w]")).includes(kind));
  }
  hands.content();
});

test("a clock that stands still shows what is left, and nothing when it has run out", async () => {
  const hands = await visit();
  await hands.press("new");
  await hands.page.locator("[data-testid=second] select").first().selectOption("human");
  await hands.page.locator('[data-testid=pace] input[value="own"]').check({ force: true });
  const fields = hands.page.locator("dialog[open] .row input[type=number]");
  for (const [i, value] of ["0.1", "0", "0"].entries()) {
    await fields.nth(i).fill(value);
    await fields.nth(i).blur();
  }
  await hands.page.locator("dialog[open] form").evaluate((form) => ((form as HTMLFormElement).noValidate = true));
  await hands.press("start");
  const clock = (side: string): Promise<string> => hands.text(`[data-testid=seat-${side}] .clock`);
  await hands.until("two seconds are gone", async () => /0:0[0-3]/.test(await clock("b")));
  await hands.page.keyboard.press("p");
  await hands.says(".status", /paused/i);
  assert.match(await clock("b"), /0:0[0-3]/);
  assert.match(await clock("w"), /0:06/);
  await hands.page.keyboard.press("p");
  await hands.says(".status", /time ran out/);
  assert.match(await clock("b"), /0:00\.0/);
  hands.content();
});

test("two fingers zoom, and the one that stays longer does not undo it", async () => {
  const hands = await visit("", PHONE);
  await hands.newGame({ size: [40, 40] });
  await hands.until("the board is large", async () => Number(await hands.board("cell")) < 12);
  const fit = Number(await hands.board("cell"));
  const box = (await hands.part("board").boundingBox())!;
  const touch = (type: string, id: number, x: number): Promise<void> =>
    hands.page.evaluate(
      ({ type, id, x, y }) => {
        const frame = document.querySelector<HTMLElement>("[data-testid=board]")!;
        frame.setPointerCapture = () => undefined; // made up fingers cannot be held
        frame.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: "touch", clientX: x, clientY: y, bubbles: true }));
      },
      { type, id, x, y: box.y + 150 },
    );
  await touch("pointerdown", 7, box.x + 150);
  await touch("pointerdown", 8, box.x + 190);
  for (const wide of [60, 90, 120]) await touch("pointermove", 8, box.x + 190 + wide);
  await hands.until("it is zoomed", async () => Number(await hands.board("cell")) > 2 * fit);
  await touch("pointerup", 7, box.x + 150);
  for (const x of [308, 305, 290]) await touch("pointermove", 8, box.x + x);
  await touch("pointerup", 8, box.x + 290);
  await hands.page.waitForTimeout(200);
  assert.ok(Number(await hands.board("cell")) > 2 * fit, "it stays zoomed");
  assert.equal(await hands.board("moves"), "", "no stone was put");
  hands.content();
});

test("a zoomed board follows to the answer", async () => {
  const hands = await visit();
  await hands.newGame({ size: [60, 60] });
  const corner = await hands.pixel("c3");
  await hands.page.mouse.move(corner.x, corner.y);
  for (let i = 0; i < 6; i++) await hands.page.mouse.wheel(0, -300);
  await hands.until("it is zoomed", async () => Number(await hands.board("cell")) > 30);
  await hands.click("c3");
  await hands.moves("c3");
  const game = await hands.page.evaluate(() => JSON.parse(sessionStorage.getItem("goren.game")!) as string);
  const other = await hands.context.newPage();
  await other.goto(`${server.address}#/play/${game}`);
  await other.waitForSelector("[data-testid=board][data-moves=c3][data-cell]");
  const far = await other.evaluate(() => {
    const frame = document.querySelector<HTMLElement>("[data-testid=board]")!;
    const box = frame.getBoundingClientRect();
    return { x: box.left + Number(frame.dataset["x0"]) + 50 * Number(frame.dataset["cell"]), y: box.top + Number(frame.dataset["y0"]) - 50 * Number(frame.dataset["cell"]) };
  });
  await other.mouse.click(far.x, far.y);
  await hands.moves("c3ay51");
  await hands.until("the answer is in sight", async () => {
    const at = await hands.pixel("ay51");
    const box = (await hands.part("board").boundingBox())!;
    return at.x > box.x && at.x < box.x + box.width && at.y > box.y && at.y < box.y + box.height;
  });
  hands.content();
});

test("a hint for an opening shows whose stones go where; a button keeps the focus while it is off", async () => {
  const hands = await visit();
  await hands.newGame({ phase: "swap2", second: "level" });
  await hands.part("hint").focus();
  await hands.page.keyboard.press("Enter");
  await hands.until("three stones are shown", async () => (await hands.board("ghosts")).split(" ").length === 3);
  assert.equal(await hands.page.evaluate(() => document.activeElement?.getAttribute("data-testid")), "hint");
  const [first] = (await hands.board("ghosts")).split(" ");
  await hands.click(first!);
  await hands.until("a laid stone takes its hint's place", async () => (await hands.board("ghosts")).split(" ").length === 3);
  hands.content();
});

test("a hint is for the game it was asked in", async () => {
  const hands = await visit();
  const marked = async (): Promise<boolean> => (await hands.board("marks")).includes("★");
  await hands.newGame({});
  await hands.play("h8i9");
  await hands.press("hint");
  await hands.until("a point is shown", marked);
  await hands.newGame({});
  await hands.play("a1o15"); // as many changes as the other game had
  assert.ok(!(await marked()), "nothing was asked here");
  await hands.press("hint");
  await hands.until("a point is shown here", marked);
  hands.content();
});

test("who resigns is told so, and a game deleted elsewhere does not vanish without a word", async () => {
  const hands = await visit();
  await hands.newGame({ second: "level" });
  await hands.click("h8");
  await hands.stones(2);
  await hands.press("undo");
  await hands.until("it is said", async () => /Taken back: .*h8|Taken back: h8/.test(await hands.part("spoken").innerText()));
  await hands.click("h8");
  await hands.stones(2);
  await hands.press("resign");
  await hands.says(".status", /You resigned/);
  const game = await hands.page.evaluate(() => JSON.parse(sessionStorage.getItem("goren.game")!) as string);
  const other = await hands.context.newPage();
  await other.goto(`${server.address}#/library/${game}`);
  await other.locator("[data-testid=delete]").first().click();
  await other.locator("[data-testid=delete]").first().click();
  await hands.says(".note", /deleted/);
  hands.content();
});

test("a connection that has died without a word is noticed", async () => {
  const hands = await visit();
  const dead = { now: false };
  await hands.page.routeWebSocket(/\/ws$/, (mine) => {
    const server = mine.connectToServer();
    mine.onMessage((m) => void (dead.now || server.send(m)));
    server.onMessage((m) => void (dead.now || mine.send(m)));
  });
  await hands.page.reload();
  await hands.ready();
  dead.now = true;
  await hands.page.waitForSelector("[data-testid=lost]", { timeout: 2 * PATIENCE });
  dead.now = false;
  await hands.ready();
  hands.content();
});

test("two people with a clock can pause with a button; a game that is over cannot be paused", async () => {
  const hands = await visit("", PHONE);
  await hands.newGame({});
  assert.equal(await hands.part("pause").count(), 0, "without a clock there is nothing to stop");
  await hands.newGame({ pace: "blitz" });
  await hands.press("pause");
  await hands.says(".status", /Paused/);
  await hands.press("pause");
  await hands.says(".status", /Black to move/);
  for (const [i, p] of ["h8", "h9", "i8", "i9"].entries()) {
    await hands.tap(p);
    await hands.page.locator("[data-testid=confirm] .primary").click();
    await hands.stones(i + 1);
  }
  await hands.press("resign");
  await hands.says(".status", /wins/);
  await hands.page.keyboard.press("p");
  await hands.page.waitForTimeout(300);
  assert.equal(await hands.part("pause").count(), 0);
  assert.doesNotMatch(await hands.text(".panel"), /Go on|Paused/);
  hands.content();
});
