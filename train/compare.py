# SPDX-License-Identifier: MIT
"""What teachers and networks say of games that they did not learn from, on the same positions.

    build/goren selfplay --rule caro --games 150 --nodes 8000 --out held.games
    scripts/with-torch train/compare.py data/teacher.pt OUT/teacher.pt data/caro-*.net --games held.games

One JSON line for each archive and judge: loss of the value and of the policy above what the games
leave open, how often the first choice is the engine's, and `trust`, the factor on the value's log
odds with which it would lose least (`trusted`): below 1 where a judge is too sure of itself.
"""
import argparse
import json
import os

import torch
import torch.nn.functional as F

import goren
import student as students
import teacher as teachers
import trainer


class Line:
    """A line network's file as a judge: log odds of winning, and logits."""

    def __init__(self, path, device):
        weights = students.read(path)
        self.net = students.Student(alike=not any(".1." in name for name in weights)).to(device)
        self.net.begin_from(weights)

    def __call__(self, batch):
        value, logits = self.net(*students.from_planes(batch["planes"]), batch["kind"].long() % 2)
        return value, logits


class Teacher:
    def __init__(self, path, device):
        self.net = teachers.load(path, device)[1].eval()

    def __call__(self, batch):
        logits, wdl = self.net(batch["planes"], batch["kind"])
        wdl = torch.softmax(wdl.float(), 1)
        return torch.logit(wdl[:, 0] + wdl[:, 1] / 2, 1e-5), logits.float()


def above(odds, score):
    """Cross entropy over that of the scores themselves."""
    floor = F.binary_cross_entropy(score, score)
    return float(F.binary_cross_entropy_with_logits(odds, score) - floor)


def trust(odds, score):
    return min((factor / 20 for factor in range(4, 41)), key=lambda x: above(odds * x, score))


def lessons(batch, outcome_share):
    """Expected score and policy of positions, as teachers learn them."""
    outcome, search = batch["outcome"].float(), batch["value"]
    share = torch.where(batch["outcome"] == goren.NO_OUTCOME, 0.0, outcome_share)
    score = ((1 + share * outcome + (1 - share) * search) / 2).clamp(1e-4, 1 - 1e-4)
    policy = batch["policy"].float()
    return score, policy / policy.sum(1, keepdim=True).clamp(min=1)


@torch.no_grad()
def compare(judge, batches, outcome_share):
    odds, scores, policy_loss, agrees, count = [], [], 0.0, 0.0, 0
    for batch in batches:
        value, logits = judge(batch)
        logits = logits.masked_fill(batch["planes"][:, 0] >= goren.BANNED, -1e9)
        score, policy = lessons(batch, outcome_share)
        odds.append(value)
        scores.append(score)
        floor = (policy * policy.clamp(min=1e-9).log()).sum()
        policy_loss += float(floor - (policy * F.log_softmax(logits, 1)).sum())
        agrees += float((logits.argmax(1) == policy.argmax(1)).sum())
        count += len(score)
    odds, scores = torch.cat(odds), torch.cat(scores)
    factor = trust(odds, scores)
    return {"value": round(above(odds, scores), 4), "policy": round(policy_loss / count, 4),
            "agrees": round(agrees / count, 4), "trust": factor,
            "trusted": round(above(odds * factor, scores), 4)}


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("judges", nargs="+", help="teacher.pt of study.py or loop.py, or networks (*.net) of the games' rule")
    add("--games", nargs="+", required=True, help="archives of goren selfplay")
    add("--positions", type=int, default=3000, help="drawn from each archive, about")
    add("--frame", type=int, default=20, help="side of the planes; larger boards are left out")
    add("--outcome-share", type=float, default=0.6, help="of the outcome in the value's target")
    add("--batch", type=int, default=500)
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=os.cpu_count())
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--lib", help="the shared library, if it is elsewhere")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    options.window = 10 ** 8
    device = torch.device(options.device)
    kinds = {".net": Line, ".pt": Teacher}
    for path in options.judges:
        if os.path.splitext(path)[1] not in kinds:
            raise SystemExit(f"{path} is neither a teacher (*.pt) nor a network (*.net)")
    judges = {path: kinds[os.path.splitext(path)[1]](path, device) for path in options.judges}
    context = argparse.Namespace(options=options, device=device, lib=goren.library(options.lib))
    context.team = goren.Team(context.lib, options.threads)
    found = []
    for path in options.games:
        store = trainer.stores_for(context, [options.frame])[0]
        store.add_archive(path)
        if not store.replay.count():
            raise SystemExit(f"{path} has no position that a network would be asked about")
        batches = [{name: x.clone() for name, x in store.draw(device).items()}
                   for _ in range(-(-options.positions // options.batch))]
        for name, judge in judges.items():
            found.append({"games": path, "judge": name, "positions": store.replay.count(),
                          **compare(judge, batches, options.outcome_share)})
            print(json.dumps(found[-1]), flush=True)
        store.replay.close()
    context.team.close()
    return found


if __name__ == "__main__":
    main()
