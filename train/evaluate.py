# SPDX-License-Identifier: MIT
"""Gate G2: the teacher against the alpha-beta engine with its evaluation shape, many games at once.

    scripts/with-torch train/evaluate.py out/teacher.pt --games 400 --nodes 20000 --simulations 64

Prints progress, then one JSON line: wins, draws, losses, score, Elo with its 95 % error.
"""
import argparse
import json
import math
import os
import time

import torch

import goren
import teacher as teachers


def elo(score):
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def summary(stats):
    """Openings are the independent trials: their five outcomes give the error."""
    games = max(stats["games"], 1)
    score = (stats["wins"] + stats["draws"] / 2) / games
    pairs = sum(stats["pairs"])
    mean = sum(i / 4 * n for i, n in enumerate(stats["pairs"])) / max(pairs, 1)
    variance = sum((i / 4 - mean) ** 2 * n for i, n in enumerate(stats["pairs"])) / max(pairs, 1)
    error = 1.96 * math.sqrt(variance / max(pairs, 1))
    return {"score": round(score, 4), "elo": round(elo(score), 1),
            "error": round((elo(score + error) - elo(score - error)) / 2, 1)}


def evaluate(lib, team, judge, options, report=print):
    plan = goren.DuelPlan(
        games=options.games, slots=min(options.slots, options.games),
        rule=goren.RULES.index(options.rule), size=options.size, simulations=options.simulations,
        candidates=16, visits_offset=50.0, scale=options.scale, leaf_fours=200, root_fours=5000,
        engine_nodes=options.nodes, seed=options.seed)
    duel = goren.Duel(lib, team, plan, pinned=judge.cuda)
    desk = teachers.Desk(judge, duel.batch)
    begun = last = time.monotonic()
    while duel.step():
        desk.send()
        desk.receive()
        now = time.monotonic()
        if now - last > 10:
            last = now
            stats = duel.stats()
            report(f"{now - begun:5.0f} s  {stats['games']} games  +{stats['wins']} "
                   f"={stats['draws']} -{stats['losses']}", flush=True)
        if options.seconds and now - begun > options.seconds:
            break
    stats = duel.stats()
    duel.close()
    return {**stats, **summary(stats), "seconds": round(time.monotonic() - begun, 1),
            "simulations": options.simulations, "nodes": options.nodes, "rule": options.rule,
            "size": options.size}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="teacher.pt of study.py or loop.py")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--slots", type=int, default=400, help="games at a time")
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--nodes", type=int, default=20000, help="of the engine, a move")
    parser.add_argument("--rule", default="freestyle", choices=goren.RULES)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--scale", type=float, default=0.5, help="weight of values in the tree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="stop after this; 0: never")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--lib", help="the shared library, if it is elsewhere")
    parser.add_argument("--log", help="file to which the result is added")
    return parser.parse_args()


def main():
    options = parse()
    lib = goren.library(options.lib)
    team = goren.Team(lib, options.threads)
    _, average, _ = teachers.load(options.teacher)
    judge = teachers.Judge(average, options.device)
    result = json.dumps(evaluate(lib, team, judge, options))
    print(result)
    if options.log:
        with open(options.log, "a", encoding="utf-8") as file:
            file.write(result + "\n")
    team.close()


if __name__ == "__main__":
    main()
