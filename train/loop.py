# SPDX-License-Identifier: MIT
"""The teacher's loop: self-play and training in turn, on one accelerator, for a number of seconds.

    scripts/with-torch train/loop.py --resume studied --seconds 540 --out out
    scripts/with-torch train/loop.py --resume out --seconds 540 --out out2

A teacher may begin with what study.py wrote, with an earlier run of this, or with nothing.

Groups of games are advanced by the C library on all cores while the accelerator judges another
group's leaves; training steps are put in between, so many that each new position is drawn about
--reuse times. Self-play uses a running average of the weights. At the end (and every --save-every
seconds) everything is in --out: teacher.pt, optimiser.pt, replay-N.z, log.jsonl.
"""
import argparse
import glob
import os
import time
import zlib

import torch

import goren
import teacher as teachers
import trainer

MIB = 1 << 20


class Group:
    """Games that wait together: their actors, and the desk that takes their batches."""

    def __init__(self, text, number, context):
        frame, games, sizes = text.split(":")
        options = context.options
        plan = goren.actors_plan(
            int(games), int(frame), trainer.weights(sizes, int), trainer.weights(options.rules, str),
            simulations=options.simulations, many_simulations=options.many_simulations,
            many_percent=options.many_percent, candidates=options.candidates, scale=options.scale,
            leaf_fours=options.leaf_fours, root_fours=options.root_fours,
            warm_moves=options.warm_moves, even_draw=options.even_draw,
            seed=options.seed * 1000 + number + 100000 * context.runs)
        self.actors = goren.Actors(context.lib, context.team, context.store[int(frame)].replay,
                                   plan, pinned=context.judge.cuda)
        self.desk = teachers.Desk(context.judge, self.actors.batch, graph=not options.no_graph)

    def turn(self):
        self.desk.receive()
        self.actors.step()
        self.desk.send()


class Loop(trainer.Stage):
    def __init__(self, options):
        super().__init__(options)
        frames = {text.split(":")[0] for text in options.group}
        self.store = {store.replay.frame: store for store in trainer.stores_for(self, frames)}
        self.runs = self.trainer.totals["runs"]
        self.saved = time.monotonic()

    # --- before the loop ----------------------------------------------------------------------

    def load_replay(self):
        for path in sorted(glob.glob(os.path.join(self.options.resume, "replay-*.z"))):
            with open(path, "rb") as file:
                data = zlib.decompress(file.read())
            if not data.startswith(goren.Replay.MAGIC):
                raise ValueError(f"{path} is no replay file")
            data = data[len(goren.Replay.MAGIC):]
            for store in self.store.values():
                store.replay.load(data)

    def load_games(self):
        """Archives that the replay begins with: a teacher that comes to new rules has games of them
        to learn from before it has played any."""
        for path in self.options.games:
            for store in self.store.values():
                store.add_archive(path)

    def begin_replay(self):
        """What is there already is not new: nothing is owed for it."""
        for frame, store in self.store.items():
            store.seen = store.replay.taken()
            self.log(event="replay", frame=frame, positions=store.replay.count())

    # --- the loop -----------------------------------------------------------------------------

    def train_some(self, rate):
        """What new positions are worth, at most two steps at a time."""
        steps = 0
        for store in self.store.values():
            taken = store.replay.taken()
            store.owed += (taken - store.seen) * self.options.reuse
            store.seen = taken
            if store.owed >= self.options.batch and steps < 2 \
                    and store.replay.count() >= self.options.replay_min:
                # Starting late is no reason to draw the few positions over and over.
                store.owed = min(store.owed - self.options.batch, 8 * self.options.batch)
                self.trainer.step(store.draw(self.device), rate)
                steps += 1
        return steps

    def self_play(self, end):
        options, learner = self.options, self.trainer
        begun = last = time.monotonic()
        learner.report()
        before = self.counts()
        refreshed = learner.steps
        first = learner.steps
        while time.monotonic() < end and not 0 < options.steps <= learner.steps - first:
            for group in self.groups:
                group.turn()
                spent = (time.monotonic() - begun) / max(end - begun, 1e-9)
                if options.steps:  # then nothing depends on the clock
                    spent = (learner.steps - first) / options.steps
                rate = trainer.cosine(options.lr, options.lr_end, spent)
                self.train_some(rate)
                if learner.steps - refreshed >= options.refresh:
                    self.judge.load(learner.average)
                    refreshed = learner.steps
            now = time.monotonic()
            if now - last >= options.log_every:
                before = self.report(before, now - last, rate)
                last = now
            if now - self.saved > options.save_every:
                self.save()
        for group in self.groups:
            group.desk.receive()
        self.report(before, max(time.monotonic() - last, 1e-3), options.lr_end)

    def counts(self):
        sums = {}
        for group in self.groups:
            for name, value in group.actors.stats().items():
                sums[name] = sums.get(name, 0) + value
        sums["busy_ms"] = sum(group.desk.busy_ms for group in self.groups)
        return sums

    def report(self, before, seconds, rate):
        now = self.counts()
        new = {name: now[name] - before[name] for name in now}
        means, train_ms = self.trainer.report()
        games = max(new["games"], 1)
        totals = self.trainer.totals
        totals["positions"] += new["searches"]
        totals["games"] += new["games"]
        totals["seconds"] = round(totals["seconds"] + seconds, 1)
        self.log(event="play", positions_per_s=round(new["searches"] / seconds),
                 leaves_per_s=round(new["leaves"] / seconds),
                 gpu_busy=round((new["busy_ms"] + train_ms) / 1000 / seconds, 3),
                 gpu_train=round(train_ms / 1000 / seconds, 3), games=new["games"],
                 length=round(new["plies"] / games, 1), black=round(new["black_wins"] / games, 3),
                 white=round(new["white_wins"] / games, 3), discarded=new["discarded"],
                 given_up=new["given_up"],
                 steps=self.trainer.steps, samples=self.trainer.samples, lr=round(rate, 6),
                 replay=sum(s.replay.count() for s in self.store.values()),
                 positions=totals["positions"], **means)
        return now

    # --- files --------------------------------------------------------------------------------

    def save(self):
        self.trainer.save(self.options.out, self.runs + 1)
        self.saved = time.monotonic()

    def save_replay(self):
        """The newest games of every frame, in files of at most replay_mib compressed."""
        options = self.options
        shares = {frame: max(store.replay.count(), 1) for frame, store in self.store.items()}
        limit = int(options.replay_files * options.replay_mib * MIB * 1.5)
        parts = [store.replay.newest(int(limit * shares[frame] / sum(shares.values())) + 1)
                 for frame, store in self.store.items()]
        # Whole games: cut each part between games, newest file last.
        for number in range(options.replay_files):
            data = goren.Replay.MAGIC + b"".join(
                piece(part, number, options.replay_files) for part in parts)
            packed = zlib.compress(data, 6)
            while len(packed) > options.replay_mib * MIB:  # denser than expected
                games = data[len(goren.Replay.MAGIC):]
                data = goren.Replay.MAGIC + games[len(piece(games, 0, 8)):]
                packed = zlib.compress(data, 6)
            path = os.path.join(options.out, f"replay-{number}.z")
            with open(path, "wb") as file:
                file.write(packed)
            self.log(event="written", file=os.path.basename(path), bytes=len(packed),
                     raw=len(data))

    def run(self):
        options = self.options
        self.log(event="begin", device=str(self.device), threads=options.threads,
                 torch=torch.__version__, group=options.group, net=self.trainer.net.config,
                 parameters=sum(p.numel() for p in self.trainer.net.parameters()),
                 totals=self.trainer.totals)
        if options.resume:
            self.load_replay()
        self.load_games()
        self.begin_replay()
        self.judge = teachers.Judge(self.trainer.average, self.device, options.judge)
        self.log(event="judge", how=self.judge.how)
        self.groups = [Group(text, i, self) for i, text in enumerate(options.group)]
        self.log(event="ready", games=sum(g.actors.plan.games for g in self.groups))
        self.self_play(self.begun + options.seconds - options.reserve)
        self.save()
        self.save_replay()
        self.log(event="end", totals=self.trainer.totals, steps=self.trainer.steps)
        for group in self.groups:
            group.actors.close()
        for store in self.store.values():
            store.replay.close()
        self.team.close()


def piece(games, number, pieces):
    """The number-th of so many parts of nearly equal size, cut between games."""
    cuts, at, next_cut = [0], 0, 1
    while at < len(games):
        at += int.from_bytes(games[at:at + 4], "little")
        while next_cut < pieces and at >= len(games) * next_cut // pieces:
            cuts.append(at)
            next_cut += 1
    cuts += [len(games)] * (pieces + 1 - len(cuts))
    return games[cuts[number]:cuts[number + 1]]


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--games", nargs="*", default=[], help="archives of goren selfplay to begin the replay with")
    add("--seconds", type=float, default=540, help="of the whole run, start and saving included")
    add("--steps", type=int, default=0, help="end after so many steps of training; 0: by the clock")
    add("--reserve", type=float, default=15, help="seconds kept for saving")
    add("--save-every", type=float, default=120)
    add("--log-every", type=float, default=10)
    add("--group", action="append", help="FRAME:GAMES:SIZE=WEIGHT,... games that wait together")
    add("--rules", default="freestyle", help="freestyle=4,renju=1 …")
    add("--simulations", type=int, default=32)
    add("--many-simulations", type=int, default=96)
    add("--many-percent", type=int, default=5)
    add("--candidates", type=int, default=16)
    add("--scale", type=float, default=0.5, help="weight of values against the prior")
    add("--leaf-fours", type=int, default=200)
    add("--root-fours", type=int, default=3000)
    add("--warm-moves", type=int, default=225,
        help="that every place for a game makes by the policy alone before its games count")
    add("--even-draw", type=int, default=16,
        help="so many searches in a row that see nothing for either side make a draw; 0: none do")
    add("--replay-min", type=int, default=30000, help="positions before training begins")
    add("--reuse", type=float, default=4, help="times that a position is drawn, on average")
    trainer.options_of(add)
    add("--refresh", type=int, default=25, help="steps between new weights for self-play")
    add("--replay-files", type=int, default=3)
    add("--replay-mib", type=float, default=15, help="most of one file, compressed")
    add("--judge", default="auto", choices=teachers.HOWS, help="how the judge's passes are made")
    add("--no-graph", action="store_true", help="no CUDA graphs")
    options = parser.parse_args(arguments)
    if not options.group:
        options.group = ["15:3072:15=8,14=1,13=1", "15:3072:15=8,14=1,13=1",
                         "20:1024:20=4,19=1,18=1,17=1,16=1"]
    return options


if __name__ == "__main__":
    Loop(parse()).run()
