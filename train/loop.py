# SPDX-License-Identifier: MIT
"""The teacher's loop: self-play and training in turn, on one accelerator, for a number of seconds.

    scripts/with-torch train/loop.py --bootstrap carry/games --seconds 540 --out out
    scripts/with-torch train/loop.py --resume out --seconds 540 --out out2

Groups of games are advanced by the C library on all cores while the accelerator judges another
group's leaves; training steps are put in between, so many that each new position is drawn about
--reuse times. Self-play uses a running average of the weights. At the end (and every --save-every
seconds) everything is in --out: teacher.pt, optimiser.pt, replay-N.z, log.jsonl.
"""
import argparse
import copy
import glob
import json
import math
import os
import time
import zlib

import torch

import goren
import teacher as teachers

MIB = 1 << 20


class Group:
    """Games that wait together: their actors, and the desk that takes their batches."""

    def __init__(self, text, number, context):
        frame, games, sizes = text.split(":")
        options = context.options
        plan = goren.actors_plan(
            int(games), int(frame), weights(sizes, int), weights(options.rules, str),
            simulations=options.simulations, many_simulations=options.many_simulations,
            many_percent=options.many_percent, candidates=options.candidates, scale=options.scale,
            leaf_fours=options.leaf_fours, root_fours=options.root_fours,
            seed=options.seed * 1000 + number + 100000 * context.runs)
        self.actors = goren.Actors(context.lib, context.team, context.store[int(frame)].replay,
                                   plan, pinned=context.judge.cuda)
        self.desk = teachers.Desk(context.judge, self.actors.batch, graph=not options.no_graph)

    def turn(self):
        self.desk.receive()
        self.actors.step()
        self.desk.send()


class Store:
    """The replay of one frame, and the buffers through which it feeds the trainer."""

    def __init__(self, context, size_min, frame):
        options = context.options
        pinned = context.device.type == "cuda"
        self.replay = goren.Replay(context.lib, context.team, size_min, frame, options.window,
                                   options.seed + frame)
        # Two, since one is still on its way to the accelerator while the next is filled.
        self.buffers = [self.replay.buffers(options.batch, pinned) for _ in range(2)]
        self.copied = [None, None]
        self.turn = 0
        self.owed = 0.0  # samples that new positions are still worth
        self.seen = 0

    def draw(self, device, strays=0):
        """A batch on the device; None: nothing to draw from."""
        at = self.turn = 1 - self.turn
        if self.copied[at] is not None:
            self.copied[at].synchronize()
        if not self.replay.sample(self.buffers[at], strays):
            return None
        batch = {k: v.to(device, non_blocking=True) for k, v in self.buffers[at].items()}
        if device.type == "cuda":
            self.copied[at] = torch.cuda.Event()
            self.copied[at].record()
        return batch


class Trainer:
    """Weights, their average, and the optimiser."""

    def __init__(self, options, device):
        self.options, self.device, self.steps, self.samples = options, device, 0, 0
        if options.resume and os.path.exists(os.path.join(options.resume, "teacher.pt")):
            path = os.path.join(options.resume, "teacher.pt")
            self.net, self.average, kept = teachers.load(path, device)
            self.steps, self.samples = kept["steps"], kept["samples"]
            self.totals = kept["totals"]
        else:
            torch.manual_seed(options.seed)
            self.net = teachers.Teacher(**teachers.PRESETS[options.net]).to(device)
            self.average = copy.deepcopy(self.net)
            self.totals = {"runs": 0, "positions": 0, "games": 0, "seconds": 0.0}
        self.average.requires_grad_(False)
        if device.type == "cuda":
            self.net = self.net.to(memory_format=torch.channels_last)
            self.average = self.average.to(memory_format=torch.channels_last)
        self.net.train()
        self.average.eval()
        decay = [p for p in self.net.parameters() if p.dim() > 1]
        rest = [p for p in self.net.parameters() if p.dim() <= 1]
        self.optimiser = torch.optim.AdamW(
            [{"params": decay, "weight_decay": options.decay},
             {"params": rest, "weight_decay": 0.0}], lr=options.lr, betas=(0.9, 0.99))
        path = os.path.join(options.resume, "optimiser.pt") if options.resume else ""
        if os.path.exists(path):
            self.load_optimiser(path)
        self.sums = None
        self.events = []

    def load_optimiser(self, path):
        # From the processor: the optimiser moves what belongs on the device, and widens it.
        self.optimiser.load_state_dict(torch.load(path, map_location="cpu"))

    def save_optimiser(self, path):
        kept = self.optimiser.state_dict()
        state = {key: {name: value.bfloat16() if torch.is_tensor(value) and value.dim() else value
                       for name, value in one.items()} for key, one in kept["state"].items()}
        torch.save({"state": state, "param_groups": kept["param_groups"]}, path)

    def step(self, batch, rate):
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, (self.steps + 1) / self.options.warm_up)
        cuda = self.device.type == "cuda"
        if cuda:
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            events[0].record()
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=cuda):
            policy, value, agrees, floor = teachers.losses(self.net, batch,
                                                           self.options.outcome_share)
        self.optimiser.zero_grad(set_to_none=True)
        (policy + self.options.value_weight * value).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.blend()
        seen = torch.stack([policy.detach(), value.detach(), agrees, floor,
                            torch.ones_like(agrees)])
        self.sums = seen if self.sums is None else self.sums + seen
        if cuda:
            events[1].record()
            self.events.append(events)
        self.steps += 1
        self.samples += len(batch["kind"])

    @torch.no_grad()
    def blend(self):
        keep = min(self.options.average, 1 - 1 / (self.steps + 2))
        mine = [v for v in self.average.state_dict().values() if v.is_floating_point()]
        new = [v for v in self.net.state_dict().values() if v.is_floating_point()]
        torch._foreach_mul_(mine, keep)
        torch._foreach_add_(mine, new, alpha=1 - keep)

    def report(self):
        """Mean losses since the last report, and the accelerator's milliseconds."""
        busy = 0.0
        if self.events:
            self.events[-1][1].synchronize()
            busy = sum(a.elapsed_time(b) for a, b in self.events)
            self.events = []
        if self.sums is None:
            return {}, busy
        values = self.sums.tolist()
        self.sums = None
        names = ["policy_loss", "value_loss", "agrees", "policy_floor"]
        return {k: round(v / values[4], 4) for k, v in zip(names, values)}, busy


def weights(text, kind):
    """'15=8,14=1' or 'freestyle' to {15: 8, 14: 1} or {'freestyle': 1}."""
    pairs = (part.partition("=") for part in text.split(","))
    return {kind(name): int(weight or 1) for name, _, weight in pairs}


class Loop:
    def __init__(self, options):
        self.begun = time.monotonic()
        self.options = options
        self.device = torch.device(options.device)
        if self.device.type == "cuda":
            torch.backends.cudnn.benchmark = True
        os.makedirs(options.out, exist_ok=True)
        self.log_file = open(os.path.join(options.out, "log.jsonl"), "a", encoding="utf-8")
        self.lib = goren.library(options.lib)
        self.team = goren.Team(self.lib, options.threads)
        frames = sorted({int(text.split(":")[0]) for text in options.group})
        self.store = {frame: Store(self, below + 1, frame)
                      for below, frame in zip([4] + frames, frames)}
        self.trainer = Trainer(options, self.device)
        self.runs = self.trainer.totals["runs"]
        self.saved = time.monotonic()

    def log(self, **fields):
        fields = {"s": round(self.elapsed(), 1), **fields}
        line = json.dumps(fields)
        print(line, flush=True)
        self.log_file.write(line + "\n")
        self.log_file.flush()

    def elapsed(self):
        return time.monotonic() - self.begun

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
                if store.replay.load_archive(path) < 0:
                    raise SystemExit(f"{path} is no archive of games (goren selfplay makes them)")

    def begin_replay(self):
        """What is there already is not new: nothing is owed for it."""
        for frame, store in self.store.items():
            store.seen = store.replay.taken()
            self.log(event="replay", frame=frame, positions=store.replay.count())

    def bootstrap(self):
        """Learns from archives of alpha-beta games; few games are soon learnt by heart."""
        options, stores = self.options, {}
        paths = sorted(glob.glob(os.path.join(options.bootstrap, "*.games")))
        for frame, store in self.store.items():
            own = Store(self, store.replay.size_min, frame)
            games = sum(max(own.replay.load_archive(path), 0) for path in paths)
            self.log(event="archives", files=len(paths), frame=frame, games=games,
                     positions=own.replay.count())
            if own.replay.count():
                stores[frame] = own
        total = sum(store.replay.count() for store in stores.values())
        if not total:
            raise SystemExit(f"no games for bootstrapping under {options.bootstrap}")
        begun = last = time.monotonic()
        cycle = [frame for frame, store in stores.items()
                 for _ in range(max(1, round(8 * store.replay.count() / total)))]
        self.trainer.report()
        for i in range(10 ** 9):
            now = time.monotonic()
            spent = max((now - begun) / options.bootstrap_seconds,
                        self.trainer.samples / total / options.bootstrap_epochs)
            if spent >= 1:
                break
            rate = self.cosine(options.bootstrap_lr, options.lr, spent)
            self.trainer.step(stores[cycle[i % len(cycle)]].draw(self.device), rate)
            if now - last > options.log_every:
                self.report_bootstrap(total, rate, now - last)
                last = now
        self.report_bootstrap(total, options.lr, max(time.monotonic() - last, 1e-3))
        for store in stores.values():
            store.replay.close()

    def report_bootstrap(self, total, rate, seconds):
        means, busy = self.trainer.report()
        self.log(event="bootstrap", steps=self.trainer.steps, lr=round(rate, 6),
                 epochs=round(self.trainer.samples / total, 2), **means,
                 gpu_busy=round(busy / 1000 / seconds, 3))

    @staticmethod
    def cosine(first, last, spent):
        return last + (first - last) * 0.5 * (1 + math.cos(math.pi * min(max(spent, 0), 1)))

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
        options, trainer = self.options, self.trainer
        begun = last = time.monotonic()
        trainer.report()
        before = self.counts()
        refreshed = trainer.steps
        first = trainer.steps
        while time.monotonic() < end and not 0 < options.steps <= trainer.steps - first:
            for group in self.groups:
                group.turn()
                spent = (time.monotonic() - begun) / max(end - begun, 1e-9)
                if options.steps:  # then nothing depends on the clock
                    spent = (trainer.steps - first) / options.steps
                rate = self.cosine(options.lr, options.lr_end, spent)
                self.train_some(rate)
                if trainer.steps - refreshed >= options.refresh:
                    self.judge.load(trainer.average)
                    refreshed = trainer.steps
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
                 steps=self.trainer.steps, samples=self.trainer.samples, lr=round(rate, 6),
                 replay=sum(s.replay.count() for s in self.store.values()),
                 positions=totals["positions"], **means)
        return now

    # --- files --------------------------------------------------------------------------------

    def save(self):
        options, trainer = self.options, self.trainer
        path = os.path.join(options.out, "teacher.pt")
        totals = {**trainer.totals, "runs": self.runs + 1}
        teachers.save(path + ".new", trainer.net, trainer.average, steps=trainer.steps,
                      samples=trainer.samples, totals=totals)
        os.replace(path + ".new", path)
        trainer.save_optimiser(os.path.join(options.out, "optimiser.pt"))
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
        if options.bootstrap and not self.trainer.steps:
            self.bootstrap()
            self.save()
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
    add("--out", required=True, help="folder for everything that is written")
    add("--resume", help="folder that an earlier run wrote")
    add("--games", nargs="*", default=[], help="archives of goren selfplay to begin the replay with")
    add("--bootstrap", help="folder of *.games to learn from before the first self-play")
    add("--bootstrap-seconds", type=float, default=70)
    add("--bootstrap-epochs", type=float, default=10, help="or so many passes, if that is sooner")
    add("--bootstrap-lr", type=float, default=3e-3)
    add("--seconds", type=float, default=540, help="of the whole run, start and saving included")
    add("--steps", type=int, default=0, help="end after so many steps of training; 0: by the clock")
    add("--reserve", type=float, default=15, help="seconds kept for saving")
    add("--save-every", type=float, default=120)
    add("--log-every", type=float, default=10)
    add("--net", default="6x96", choices=teachers.PRESETS)
    add("--group", action="append", help="FRAME:GAMES:SIZE=WEIGHT,... games that wait together")
    add("--rules", default="freestyle", help="freestyle=4,renju=1 …")
    add("--simulations", type=int, default=32)
    add("--many-simulations", type=int, default=96)
    add("--many-percent", type=int, default=5)
    add("--candidates", type=int, default=16)
    add("--scale", type=float, default=0.5, help="weight of values against the prior")
    add("--leaf-fours", type=int, default=200)
    add("--root-fours", type=int, default=3000)
    add("--window", type=int, default=1500000, help="positions that a replay keeps")
    add("--replay-min", type=int, default=30000, help="positions before training begins")
    add("--reuse", type=float, default=4, help="times that a position is drawn, on average")
    add("--batch", type=int, default=2048)
    add("--lr", type=float, default=1.5e-3)
    add("--lr-end", type=float, default=2e-4, help="at the end of this run, by a cosine")
    add("--warm-up", type=int, default=100, help="steps")
    add("--decay", type=float, default=0.02)
    add("--average", type=float, default=0.998, help="share of the old average that a step keeps")
    add("--refresh", type=int, default=25, help="steps between new weights for self-play")
    add("--outcome-share", type=float, default=0.6, help="of the outcome in the value's target")
    add("--value-weight", type=float, default=1.5)
    add("--replay-files", type=int, default=3)
    add("--replay-mib", type=float, default=15, help="most of one file, compressed")
    add("--threads", type=int, default=os.cpu_count())
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--judge", default="auto", choices=teachers.HOWS, help="how the judge's passes are made")
    add("--no-graph", action="store_true", help="no CUDA graphs")
    add("--seed", type=int, default=1)
    add("--lib", help="the shared library, if it is elsewhere")
    options = parser.parse_args(arguments)
    if not options.group:
        options.group = ["15:3072:15=8,14=1,13=1", "15:3072:15=8,14=1,13=1",
                         "20:1024:20=4,19=1,18=1,17=1,16=1"]
    return options


if __name__ == "__main__":
    Loop(parse()).run()
