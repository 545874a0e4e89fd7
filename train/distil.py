# SPDX-License-Identifier: MIT
"""Trains the line network (student.py) on games, with a teacher's judgement of them if there is one.

    scripts/with-torch train/distil.py --games a.games --seconds 300 --out first.net
    scripts/with-torch train/distil.py --replay OUT/replay-*.z --teacher OUT/teacher.pt \\
        --seconds 500 --out best.net --keep best.pt

Games are archives that `goren selfplay` makes; replays are what loop.py writes. Positions come from
the C library (src/learn/replay.h), a part of them strayed from their games by a random move or two:
those are the teacher's alone to judge. One line of JSON a report; the last one is the recipe, which
goes into the network's file too.
"""
import argparse
from concurrent import futures
import json
import math
import os
import time
import zlib

import torch
import torch.nn.functional as F
from torch import nn

import goren
import student as students
import teacher as teachers
import trainer


def held_out(games, kind, every):
    """Two parts of a replay's bytes: the games of this rule but every so-manieth, and those."""
    kept, held, at, number = [], [], 0, 0
    while at < len(games):
        length = int.from_bytes(games[at:at + 4], "little")
        if games[at + 4] == kind:
            (held if number % every == every - 1 else kept).append(games[at:at + length])
            number += 1
        at += length
    return b"".join(kept), b"".join(held)


class Stores:
    """The positions of all frames, drawn from in proportion to what they hold."""

    def __init__(self, options, device):
        self.options, self.device = options, device
        self.lib = goren.library(options.lib)
        self.team = goren.Team(self.lib, options.threads)
        self.train, self.held = (trainer.stores_for(self, options.frames.split(","))
                                 for _ in range(2))
        for paths, part in ((options.games, self.train), (options.held, self.held)):
            for path in paths:
                for store in part:
                    store.add_archive(path)
        for path in options.replay:
            with open(path, "rb") as file:
                data = zlib.decompress(file.read())
            if not data.startswith(goren.Replay.MAGIC):
                raise SystemExit(f"{path} is no replay file (loop.py writes them)")
            kept, held = held_out(data[len(goren.Replay.MAGIC):],
                                  goren.RULES.index(options.rule), 50)
            for store in self.train:
                store.replay.load(kept)
            for store in self.held:
                store.replay.load(held)
        self.train = [store for store in self.train if store.replay.count()]
        self.held = [store for store in self.held if store.replay.count()] or self.train
        if not self.train:
            raise SystemExit("no games to learn from")

    def positions(self):
        return sum(store.replay.count() for store in self.train)

    def draw(self, stores, strays):
        return trainer.draw_evenly(stores, self.device, strays)


class Lessons:
    """What a student is to learn of a batch."""

    def __init__(self, options, device):
        self.options = options
        self.judge = None
        if options.teacher:
            _, average, _ = teachers.load(options.teacher, device)
            self.judge = teachers.Judge(average, device, options.judge)

    def of(self, batch):
        """Positions with the score and the policy expected of them, and how much each counts."""
        score, policy, weight = self.targets(batch)
        return {"planes": batch["planes"], "kind": batch["kind"], "score": score,
                "policy": policy, "weight": weight}

    def targets(self, batch):
        options = self.options
        outcome, search = batch["outcome"].float(), batch["value"]
        judged = batch["outcome"] == goren.NO_OUTCOME
        played = torch.where(judged, 0.0, options.outcome_share)
        score = (1 + played * outcome + (1 - played) * search) / 2
        policy = batch["policy"].float()
        policy = policy / policy.sum(1, keepdim=True).clamp(min=1)
        here = (batch["kind"] // 2 == goren.RULES.index(options.rule)).float()
        if not self.judge:
            return score, policy, here * (1 - batch["stray"].float())
        logits, value = self.judge(batch["planes"], batch["kind"])
        logits = logits.float().masked_fill(batch["planes"][:, 0] >= goren.BANNED, -1e9)
        share = torch.where(batch["stray"] > 0, 1.0, options.teacher_share)
        trust = torch.where(judged & (batch["stray"] == 0), options.judged_share, share)
        score = trust * (1 + value) / 2 + (1 - trust) * score
        policy = share[:, None] * F.softmax(logits, 1) + (1 - share[:, None]) * policy
        return score, policy, here


class Notebook:
    """Lessons that are drawn and judged once and learnt from again and again. A processor judges
    more slowly than a student learns; an accelerator does not need this."""

    def __init__(self, parts):
        self.parts = parts  # by the area of their frame
        self.sizes = torch.tensor([float(len(part["kind"])) for part in parts.values()])

    @classmethod
    def write(cls, lessons, stores, strays, count):
        pages, taken = {}, 0
        while taken < count:
            lesson = lessons.of(stores.draw(stores.train, strays))
            # Halves hold a policy well enough, and no copy shares the buffer it was drawn into.
            lesson = {name: x.half() if name == "policy" else x.clone()
                      for name, x in lesson.items()}
            taken += len(lesson["kind"])
            pages.setdefault(lesson["planes"].shape[2], []).append(lesson)
        return cls({area: {name: torch.cat([one[name] for one in page]) for name in page[0]}
                    for area, page in pages.items()})

    @classmethod
    def of(cls, options, lessons, stores, strays, device):
        """The one that the options ask for, if any: from its file if that is there."""
        path = options.notebook
        if path and os.path.exists(path):
            kept = torch.load(path, map_location=device)
            if kept["rule"] != options.rule:
                raise SystemExit(f"{path} is a notebook of {kept['rule']}, not of {options.rule}")
            return cls(kept["parts"])
        if path and not options.once:
            raise SystemExit(f"there is no notebook {path}: --once N says how many positions to write")
        if not options.once:
            return None
        notebook = cls.write(lessons, stores, strays, options.once)
        if path:  # whole or not at all
            torch.save({"rule": options.rule, "parts": notebook.parts}, path + ".new")
            os.replace(path + ".new", path)
        return notebook

    def count(self):
        return int(self.sizes.sum())

    def draw(self, count):
        part = list(self.parts.values())[int(torch.multinomial(self.sizes, 1))]
        chosen = torch.randint(len(part["kind"]), (count,), device=part["kind"].device)
        lesson = {name: x[chosen] for name, x in part.items()}
        return {**lesson, "policy": lesson["policy"].float()}


def losses(student, lesson):
    """Cross entropies above those of the targets themselves, and how often the first choice is
    the target's."""
    score, policy, weight = (lesson[name] for name in ("score", "policy", "weight"))
    value, logits = student(*students.from_planes(lesson["planes"]), lesson["kind"].long() % 2)
    floor = F.binary_cross_entropy(score.clamp(1e-4, 1 - 1e-4), score, reduction="none")
    value = F.binary_cross_entropy_with_logits(value, score, reduction="none") - floor
    floor = (policy * policy.clamp(min=1e-9).log()).sum(1)
    hit = (logits.argmax(1) == policy.argmax(1)).float()
    policy = floor - (policy * F.log_softmax(logits, 1)).sum(1)
    whole = weight.sum().clamp(min=1)
    return [(x * weight).sum() / whole for x in (value, policy, hit)]


class Hands:
    """Gradients of a batch, which on a processor every core makes for a part of it: PyTorch's own
    threads divide each of the seven hundred small operations, and wait for each other at every one."""

    def __init__(self, options):
        self.policy_weight = options.policy_weight
        self.count = 1 if options.device.startswith("cuda") else options.threads
        if self.count > 1:
            torch.set_num_threads(1)
        self.pool = futures.ThreadPoolExecutor(self.count, "hand", torch.set_num_threads, (1,))

    def gradients(self, student, lesson):
        value, policy, _ = losses(student, lesson)
        return torch.autograd.grad(value + policy * self.policy_weight,
                                   list(student.parameters()))

    def descend(self, student, lesson):
        """Leaves in each parameter the mean gradient of all parts."""
        parts = zip(*(x.chunk(self.count) for x in lesson.values()))
        parts = [dict(zip(lesson, part)) for part in parts]
        if len(parts) == 1:
            made = [self.gradients(student, lesson)]
        else:
            made = list(self.pool.map(lambda part: self.gradients(student, part), parts))
        for parameter, *each in zip(student.parameters(), *made):
            parameter.grad = sum(each) / len(each)


def measure(student, lessons, stores, batches):
    with torch.no_grad():
        sums = [losses(student, lessons.of(stores.draw(stores.held, 0))) for _ in range(batches)]
    means = [float(torch.stack(column).mean()) for column in zip(*sums)]
    return {name: round(mean, 5) for name, mean in zip(("value", "policy", "hit"), means)}


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--games", nargs="*", default=[], help="archives of goren selfplay")
    add("--held", nargs="*", default=[], help="archives that are measured on, not learnt from")
    add("--replay", nargs="*", default=[], help="files of loop.py; every 50th game is held out")
    add("--teacher", help="teacher.pt of study.py or loop.py")
    add("--teacher-share", type=float, default=0.75, help="of the teacher in the targets")
    add("--judged-share", type=float, default=0.75,
        help="likewise in the value, where a search has judged (selfplay --relabel)")
    add("--once", type=int, default=0, metavar="N",
        help="draw and judge so many positions before learning, and learn from those alone")
    add("--notebook", metavar="FILE",
        help="where those are kept; a later run takes them from there and asks no teacher again")
    add("--strays", type=int, default=25, help="percent of positions that stray from their games")
    add("--outcome-share", type=float, default=0.4, help="of the outcome in what games say")
    add("--rule", default="freestyle", choices=goren.RULES)
    add("--frames", default="15,20", help="sides of the planes that boards are put into")
    add("--window", type=int, default=20000000, help="positions kept in memory, of each frame")
    add("--steps", type=int, default=10 ** 9)
    add("--seconds", type=float, default=1e9, help="stop in time, whatever the steps")
    add("--batch", type=int, default=2048)
    add("--rate", type=float, default=3e-3)
    add("--rate-end", type=float, default=2e-5)
    add("--policy-weight", type=float, default=0.05)
    add("--report-every", type=int, default=500, help="steps")
    add("--out", required=True, help="the network")
    add("--keep", help="where the weights go as PyTorch has them")
    add("--start", help="weights to start from: a network (*.net), or what --keep wrote")
    add("--threads", type=int, default=os.cpu_count())
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--judge", default="auto", choices=teachers.HOWS)
    add("--seed", type=int, default=1)
    add("--lib", help="the shared library, if it is elsewhere")
    return parser.parse_args(arguments)


def train(options):
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True  # exact here: the factors are small integers
    device = torch.device(options.device)
    stores, lessons = Stores(options, device), Lessons(options, device)
    print(json.dumps({"positions": stores.positions(), "device": str(device)}), flush=True)
    student = students.Student(alike=options.rule != "renju").to(device)
    if options.start:
        student.begin_from(students.read(options.start) if options.start.endswith(".net")
                           else torch.load(options.start, map_location=device))
    optimiser = torch.optim.AdamW(student.paces(), lr=options.rate, weight_decay=1e-5)
    strays = options.strays if options.teacher else 0
    notebook = Notebook.of(options, lessons, stores, strays, device)
    hands = Hands(options)
    begun, done = time.monotonic(), 0
    while True:
        spent = max(done / options.steps, (time.monotonic() - begun) / options.seconds)
        if spent >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = group["share"] * min(1, (done + 1) / 200) * \
                trainer.cosine(options.rate, options.rate_end, spent)
        lesson = notebook.draw(options.batch) if notebook else \
            lessons.of(stores.draw(stores.train, strays))
        hands.descend(student, lesson)
        nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        done += 1
        if done % options.report_every == 0:
            seconds = time.monotonic() - begun
            print(json.dumps({"step": done, "seconds": round(seconds, 1),
                              "per_s": round(done * options.batch / seconds),
                              **measure(student, lessons, stores, 4)}), flush=True)
    recipe = {"positions": stores.positions(), "steps": done, "batch": options.batch,
              "rate": options.rate, "outcome_share": options.outcome_share, "seed": options.seed,
              "teacher": bool(options.teacher), "teacher_share": options.teacher_share,
              "judged_share": options.judged_share, "policy_weight": options.policy_weight,
              "strays": strays, "once": notebook.count() if notebook else 0,
              "started": bool(options.start),
              **measure(student, lessons, stores, 16)}
    students.export(student, options.out, [options.rule], (5, students.SIDE_MAX), recipe)
    if options.keep:
        torch.save(student.state_dict(), options.keep)
    print(json.dumps(recipe), flush=True)
    return recipe


if __name__ == "__main__":
    train(parse())
