# SPDX-License-Identifier: MIT
"""The teacher learns from games of the engine, for a number of seconds.

    scripts/with-torch train/study.py --games games --held held --seconds 540 --out studied
    scripts/with-torch train/study.py --resume studied --games games --play 10 --out more

An engine with a network plays better games than a teacher with a few simulations a move, and as many
of them in the same time: 16 cores at 2,000 nodes a move give some 10,000 positions a second. But good
games show no bad moves, and alpha-beta asks about the positions after those: so a part should be leaves
of searches, judged by a search each (goren selfplay --relabel). --games and --held are folders of
archives of either kind (*.games); it does not learn from those that are held out. With --play so
many threads make more of both while the accelerator learns; archives that come into the folder, from
them or from elsewhere, are taken in as they come. In --out are then teacher.pt, optimiser.pt and
log.jsonl: for loop.py to go on with, for distil.py to learn from.
"""
import argparse
import ctypes
import glob
import os
import threading
import time

import torch

import goren
import teacher as teachers
import trainer

# Boards of the games, in turn: what people play on most, and some of the others.
SIZES = [15, 15, 20, 15, 15, 14, 15, 20, 15, 17, 15, 15, 20, 15, 13, 15, 18, 15]


class Folder:
    """The positions of a folder's archives, by frame."""

    def __init__(self, stage, path):
        self.path, self.taken = path, set()
        self.stores = trainer.stores_for(stage, stage.options.frames.split(","))

    def look(self):
        """Takes the archives that are new."""
        new = sorted(set(glob.glob(os.path.join(self.path, "*.games"))) - self.taken)
        for path in new:
            for store in self.stores:
                store.add_archive(path)
        self.taken.update(new)

    def positions(self):
        return sum(store.replay.count() for store in self.stores)

    def draw(self, device):
        return trainer.draw_evenly(self.stores, device)

    def close(self):
        for store in self.stores:
            store.replay.close()


class Players:
    """Threads of the engine that put games and leaves into a folder, an archive of one rule at a
    time."""

    def __init__(self, stage):
        self.stage, self.stopped = stage, ctypes.c_bool(False)
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        options = self.stage.options
        rules = [rule for rule, share in trainer.weights(options.rules, str).items()
                 for _ in range(share) if options.play_games or self.games_of(rule)]
        for number in range(10 ** 9 if rules else 0):
            rule, seed = rules[number % len(rules)], options.play_seed + number
            if options.play_games:
                self.make(rule, f"{seed}", options.play_games, seed)
            if options.play_leaves:
                self.make(rule, f"leaves-{seed}", options.play_leaves, seed, self.games_of(rule))
            if self.stopped:
                break

    def games_of(self, rule):
        return glob.glob(os.path.join(self.stage.options.games, f"{rule}-*.games"))

    def make(self, rule, name, count, seed, relabel=()):
        options = self.stage.options
        path = os.path.join(options.games, f"{rule}-{name}.games")
        if os.path.exists(path) or self.stopped:
            return
        goren.selfplay(self.stage.lib, path + ".new", rule, SIZES, self.stopped, relabel,
                       nodes=options.nodes, threads=options.play, games=count, seed=seed)
        os.replace(path + ".new", path)

    def stop(self):
        self.stopped.value = True
        self.thread.join()


class Study(trainer.Stage):
    def __init__(self, options):
        super().__init__(options)
        self.held = self.folder(options.held) if options.held else None
        self.players = None
        if options.play:
            if not options.play_games and not options.play_leaves:
                raise SystemExit("--play has nothing to make: --play-games and --play-leaves are 0")
            os.makedirs(options.games, exist_ok=True)
            self.players = Players(self)
        self.games = self.folder(options.games, self.players)

    def folder(self, path, players=None):
        """A folder with something in it; players may still be about to put it there."""
        folder = Folder(self, path)
        folder.look()
        while not folder.positions() and players and players.thread.is_alive():
            time.sleep(0.5)
            folder.look()
        if not folder.positions():
            raise SystemExit(f"no games to learn from in {path} (*.games of goren selfplay)")
        return folder

    def report(self, rate, seconds):
        means, busy = self.trainer.report()
        self.log(event="study", steps=self.trainer.steps, samples=self.trainer.samples,
                 lr=round(rate, 6), positions=self.games.positions(),
                 archives=len(self.games.taken), **means,
                 gpu_busy=round(busy / 1000 / max(seconds, 1e-3), 3), **self.measure(4))

    @torch.no_grad()
    def measure(self, batches):
        """Losses of the averaged weights on games that are held out."""
        if not self.held:
            return {}
        sums = 0
        for store in self.held.stores:  # each by what it holds: frames differ more than batches do
            share = store.replay.count() / self.held.positions()
            for _ in range(batches if share else 0):
                sums += share / batches * torch.stack(teachers.losses(
                    self.trainer.average, store.draw(self.device), self.options.outcome_share))
        policy, value, agrees, _ = sums.tolist()
        return {"held_policy": round(policy, 4), "held_value": round(value, 4),
                "held_agrees": round(agrees, 4)}

    def run(self):
        options, learner = self.options, self.trainer
        self.log(event="begin", device=str(self.device), threads=options.threads,
                 torch=torch.__version__, net=learner.net.config, totals=learner.totals,
                 parameters=sum(p.numel() for p in learner.net.parameters()),
                 positions=self.games.positions(),
                 held=self.held.positions() if self.held else 0)
        begun = last = saved = time.monotonic()
        first = learner.steps
        while True:
            now = time.monotonic()
            spent = (learner.steps - first) / options.steps if options.steps \
                else self.elapsed() / options.seconds
            if spent >= 1:
                break
            rate = trainer.cosine(options.lr, options.lr_end, spent)
            learner.step(self.games.draw(self.device), rate)
            if now - last > options.log_every:
                self.report(rate, now - last)
                self.games.look()
                last = now
            if now - saved > options.save_every:
                self.save()
                saved = now
        if self.players:
            self.players.stop()
        self.report(options.lr_end, time.monotonic() - last)
        learner.totals["seconds"] = round(learner.totals["seconds"] + time.monotonic() - begun, 1)
        self.save()
        self.log(event="end", steps=learner.steps, **self.measure(32))
        for folder in filter(None, (self.games, self.held)):
            folder.close()
        self.team.close()

    def save(self):
        self.trainer.save(self.options.out, self.trainer.totals["runs"])


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--games", required=True, help="folder of archives to learn from")
    add("--held", help="folder of archives to be measured on")
    add("--seconds", type=float, default=540)
    add("--steps", type=int, default=0, help="end after so many steps; 0: by the clock")
    add("--frames", default="15,20", help="sides of the planes that boards are put into")
    add("--log-every", type=float, default=10, help="seconds")
    add("--save-every", type=float, default=120, help="seconds")
    add("--play", type=int, default=0, help="threads that put games and leaves into the folder meanwhile")
    add("--play-games", type=int, default=1000, help="in one archive of theirs; 0: play none")
    add("--play-leaves", type=int, default=0, help="after each, leaves of searches from the games of its rule")
    add("--play-seed", type=int, default=1000, help="of their first archive; the next has the next")
    add("--nodes", type=int, default=2000, help="of theirs, a move or a leaf")
    add("--rules", default="freestyle=3,renju=3,standard=2,caro=1,caro6=1", help="of theirs")
    trainer.options_of(add)
    parser.set_defaults(window=20000000)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    Study(parse()).run()
