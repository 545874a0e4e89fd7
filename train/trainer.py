# SPDX-License-Identifier: MIT
"""What the stages of training share: positions to draw from, the teacher with its optimiser, a log.

loop.py and study.py train the teacher with it; distil.py draws its positions through it.
"""
import copy
import json
import math
import os
import time

import torch

import goren
import teacher as teachers


def cosine(first, last, spent):
    return last + (first - last) * 0.5 * (1 + math.cos(math.pi * min(max(spent, 0), 1)))


def weights(text, kind):
    """'15=8,14=1' or 'freestyle' to {15: 8, 14: 1} or {'freestyle': 1}."""
    pairs = (part.partition("=") for part in text.split(","))
    return {kind(name): int(weight or 1) for name, _, weight in pairs}


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

    def add_archive(self, path):
        """Games that this frame has room for; how many."""
        games = self.replay.load_archive(path)
        if games < 0:
            raise SystemExit(f"{path} is no archive of games (goren selfplay makes them)")
        return games


def stores_for(context, frames):
    """A store for each frame; boards go into the smallest that holds them."""
    frames = sorted(int(frame) for frame in frames)
    return [Store(context, below + 1, frame) for below, frame in zip([4] + frames, frames)]


def draw_evenly(stores, device, strays=0):
    """A batch of one of them, each as likely as it has positions."""
    counts = torch.tensor([float(store.replay.count()) for store in stores])
    return stores[int(torch.multinomial(counts, 1))].draw(device, strays)


class Trainer:
    """Weights, their average, and the optimiser."""

    def __init__(self, options, device):
        self.options, self.device, self.steps, self.samples = options, device, 0, 0
        optimiser = os.path.join(options.resume, "optimiser.pt") if options.resume else ""
        if options.resume:
            path = os.path.join(options.resume, "teacher.pt")
            if not os.path.exists(path):
                raise SystemExit(f"nothing to resume: there is no {path} (study.py and loop.py write it)")
            self.net, self.average, kept = teachers.load(path, device)
            self.steps, self.samples = kept["steps"], kept["samples"]
            self.totals = kept["totals"]
            if options.blocks > self.net.config["blocks"]:
                self.grow(options.blocks)
                optimiser = ""  # it knows nothing of the new ones
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
        self.cold = self.steps  # steps before those that the optimiser remembers
        if os.path.exists(optimiser):
            self.load_optimiser(optimiser)
            self.cold = 0
        self.sums = None
        self.events = []

    def grow(self, blocks):
        torch.manual_seed(self.options.seed)
        average = self.average
        self.net = teachers.grown(self.net.cpu(), blocks).to(self.device)
        self.average = copy.deepcopy(self.net)
        self.average.load_state_dict(average.state_dict(), strict=False)

    def load_optimiser(self, path):
        # From the processor: the optimiser moves what belongs on the device, and widens it.
        self.optimiser.load_state_dict(torch.load(path, map_location="cpu"))

    def save_optimiser(self, path):
        kept = self.optimiser.state_dict()
        state = {key: {name: value.bfloat16() if torch.is_tensor(value) and value.dim() else value
                       for name, value in one.items()} for key, one in kept["state"].items()}
        torch.save({"state": state, "param_groups": kept["param_groups"]}, path)

    def save(self, folder, runs):
        path = os.path.join(folder, "teacher.pt")
        teachers.save(path + ".new", self.net, self.average, steps=self.steps,
                      samples=self.samples, totals={**self.totals, "runs": runs})
        os.replace(path + ".new", path)
        self.save_optimiser(os.path.join(folder, "optimiser.pt"))

    def step(self, batch, rate):
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, (self.steps - self.cold + 1) / self.options.warm_up)
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


class Stage:
    """What runs for a while and trains the teacher: options, cores, clock, log."""

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
        self.trainer = Trainer(options, self.device)

    def log(self, **fields):
        fields = {"s": round(self.elapsed(), 1), **fields}
        line = json.dumps(fields)
        print(line, flush=True)
        self.log_file.write(line + "\n")
        self.log_file.flush()

    def elapsed(self):
        return time.monotonic() - self.begun


def options_of(add):
    """What every stage that trains the teacher asks for."""
    add("--out", required=True, help="folder for everything that is written")
    add("--resume", help="folder that an earlier run wrote")
    add("--net", default="6x96", choices=teachers.PRESETS, help="of a teacher that begins anew")
    add("--blocks", type=int, default=0, help="so many for the teacher that is resumed, if it has fewer")
    add("--window", type=int, default=1500000, help="positions that a replay keeps")
    add("--batch", type=int, default=2048)
    add("--lr", type=float, default=1.5e-3)
    add("--lr-end", type=float, default=2e-4, help="at the end of this run, by a cosine")
    add("--warm-up", type=int, default=100, help="steps")
    add("--decay", type=float, default=0.02)
    add("--average", type=float, default=0.998, help="share of the old average that a step keeps")
    add("--outcome-share", type=float, default=0.6, help="of the outcome in the value's target")
    add("--value-weight", type=float, default=1.5)
    add("--threads", type=int, default=os.cpu_count())
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--seed", type=int, default=1)
    add("--lib", help="the shared library, if it is elsewhere")
