# SPDX-License-Identifier: MIT
"""Rates before a long run: how fast this machine judges, trains and advances games.

    scripts/with-torch train/bench.py --net 6x96

One JSON line per figure: the judge in each of its ways and batch sizes, a training step, and the C
side alone with a judge that says nothing.
"""
import argparse
import json
import os
import time

import torch

import goren
import loop
import teacher as teachers
import trainer


def say(**fields):
    print(json.dumps(fields), flush=True)


def rate(work, sync, seconds):
    """Calls per second, after warming up."""
    for _ in range(3):
        work()
    sync()
    begun, calls = time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        work()
        calls += 1
        if calls % 8 == 0:
            sync()
    sync()
    return calls / (time.monotonic() - begun)


def bench_judge(net, how, games, frame, options, sync):
    batch = goren.Batch(games, frame, options.device == "cuda")
    batch.planes.copy_(torch.randint(0, goren.BANNED, batch.planes.shape, dtype=torch.uint8))
    begun = time.monotonic()
    judge = teachers.Judge(net, options.device, how)
    desk = teachers.Desk(judge, batch)
    desk.send()
    sync()
    start = time.monotonic() - begun
    per_s = rate(desk.send, sync, options.seconds)
    say(bench="judge", how=judge.how, frame=frame, batch=games, leaves_per_s=round(games * per_s),
        ms=round(1000 / per_s, 2), start_s=round(start, 1))


def bench_training(options, sync):
    arguments = loop.parse(["--out", ".", "--net", options.net, "--batch", "2048", "--device",
                            options.device])
    learner = trainer.Trainer(arguments, torch.device(options.device))
    batch = {"planes": torch.randint(0, goren.BANNED, (2048, 2, 225), dtype=torch.uint8),
             "kind": torch.zeros(2048, dtype=torch.uint8),
             "policy": torch.randint(0, 2, (2048, 225), dtype=torch.uint8),
             "value": torch.zeros(2048), "outcome": torch.zeros(2048, dtype=torch.int8)}
    batch = {name: tensor.to(options.device) for name, tensor in batch.items()}
    begun = time.monotonic()
    per_s = rate(lambda: learner.step(batch, 1e-3), sync, options.seconds)
    events = learner.events[-100:]
    busy = sum(a.elapsed_time(b) for a, b in events) / max(len(events), 1)
    say(bench="training", batch=2048, samples_per_s=round(2048 * per_s),
        ms=round(1000 / per_s, 2), gpu_ms=round(busy, 2),
        start_s=round(time.monotonic() - begun - options.seconds, 1))


def bench_games(lib, team, games, frame, options):
    """The cores alone: logits at random, every position even."""
    plan = goren.actors_plan(games, frame, {frame: 1}, {"freestyle": 1})
    replay = goren.Replay(lib, team, 5, frame, 1000000)
    actors = goren.Actors(lib, team, replay, plan)
    actors.step()
    actors.batch.policy.normal_()
    begun = time.monotonic()
    before = actors.stats()["leaves"]
    while time.monotonic() - begun < options.seconds:
        actors.step()
    seconds = time.monotonic() - begun
    say(bench="games", frame=frame, games=games, threads=options.threads,
        leaves_per_s=round((actors.stats()["leaves"] - before) / seconds))
    if replay.count():
        buffers = replay.buffers(2048, False)
        per_s = rate(lambda: replay.sample(buffers), lambda: None, options.seconds / 2)
        say(bench="sampling", samples_per_s=round(2048 * per_s))
    actors.close()
    replay.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--net", default="6x96", choices=teachers.PRESETS)
    parser.add_argument("--how", default="plain,cudnn,compile")
    parser.add_argument("--shapes", default="15:2048,15:3072,15:4096,20:1024", help="FRAME:BATCH")
    parser.add_argument("--seconds", type=float, default=2, help="a figure")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--lib", help="the shared library, if it is elsewhere")
    options = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    cuda = options.device == "cuda"
    sync = torch.cuda.synchronize if cuda else lambda: None
    lib = goren.library(options.lib)
    team = goren.Team(lib, options.threads)
    shapes = [tuple(map(int, text.split(":"))) for text in options.shapes.split(",")]
    for frame in sorted({frame for frame, _ in shapes}):
        bench_games(lib, team, max(n for f, n in shapes if f == frame), frame, options)
    bench_training(options, sync)
    net = teachers.Teacher(**teachers.PRESETS[options.net]).to(options.device)
    for how in options.how.split(",") if cuda else ["plain"]:
        for frame, games in shapes:
            try:
                bench_judge(net, how, games, frame, options, sync)
            except Exception as error:  # a way that does not work here is a result too
                say(bench="judge", how=how, frame=frame, batch=games, failed=str(error)[:200])
    team.close()


if __name__ == "__main__":
    main()
