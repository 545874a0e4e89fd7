# SPDX-License-Identifier: MIT
"""The line network as PyTorch trains it: every rounding and clipping of src/eval/net.h is done here
too (straight-through gradients), so that what is exported plays as it was trained.

  python3 train/student.py --games a.games b.games --rule freestyle --steps 20000 --out best.net

Games are archives that `goren selfplay` makes. The network is written as src/eval/net.h describes,
with the recipe inside.
"""
import argparse
import json
import math
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

RULES = ["freestyle", "standard", "renju", "caro", "caro6"]
REACH, CELLS, STATES = 5, 11, 4
HIDDEN, HALF, VALUE, POLICY = 64, 32, 32, 16
WIDTH, REGIONS, CLIP, POOL_MOST = 2 * HALF, 9, 127, 1023
POOLED = (REGIONS + 1) * WIDTH
HALVES = 364
SIDE_MAX = 22  # of boards a network plays on
MATE = 30000 - 480
EVAL_SCALE, POLICY_SCALE = 200.0, 100.0


# --- games ---------------------------------------------------------------------------------------

def read_archive(path):
    """Yields (rule, width, height, opening, winner, plies) with plies an array (n, 3)."""
    data = open(path, "rb").read()
    magic = b"goren games 1\n"
    if not data.startswith(magic):
        raise SystemExit(f"{path} is not a file of self-played games; goren selfplay makes them")
    at = len(magic)
    while at + 16 <= len(data):
        rule, width, height, _, opening, winner = data[at:at + 6]
        plies = struct.unpack_from("<H", data, at + 12)[0]
        end = at + 16 + 6 * plies + 4
        if end > len(data):
            break
        moves = np.frombuffer(data, "<i2", 3 * plies, at + 16).reshape(plies, 3)
        yield rule, width, height, opening, winner, moves
        at = end


class Positions:
    """All positions of some archives, as maps of the ply at which each point was played."""

    def __init__(self, paths, rule, outcome, device, held_out=20):
        order, size, game, ply, target, best = [], [], [], [], [], []
        games = [g for path in paths for g in read_archive(path)
                 if g[0] == rule and g[1] == g[2] <= SIDE_MAX]
        self.side = side = max(g[1] for g in games)  # smaller boards are padded
        for kind, width, height, opening, winner, moves in games:
            here = np.full((side, side), 999, np.int16)
            y, x = moves[:, 0] // width, moves[:, 0] % width
            here[y, x] = np.arange(len(moves))
            for t in range(opening, len(moves)):
                score = int(moves[t, 2])
                if score >= 30000 - 5:
                    continue  # the search sees such wins by itself
                result = 0.5 if winner == 0 else float(winner == 1 + t % 2)
                seen = float(score > 0) if abs(score) >= MATE else \
                    1 / (1 + math.exp(-score / EVAL_SCALE))
                game.append(len(order))
                ply.append(t)
                target.append(outcome * result + (1 - outcome) * seen)
                best.append(moves[t, 1] // width * side + moves[t, 1] % width)
            order.append(here)
            size.append(width)
        self.games = len(order)
        self.order = torch.tensor(np.array(order), device=device)
        self.size = torch.tensor(size, device=device)
        self.game = torch.tensor(game, device=device)
        self.ply = torch.tensor(ply, device=device)
        self.target = torch.tensor(target, dtype=torch.float32, device=device)
        self.best = torch.tensor(np.array(best, np.int64), device=device)
        held = self.game % held_out == 0
        self.held = torch.nonzero(held)[:, 0]
        self.train = torch.nonzero(~held)[:, 0]

    def batch(self, index, symmetry=0):
        """Cells seen by the mover (0 empty, 1 own, 2 opponent's, 3 off), size, target, best."""
        game, ply = self.game[index], self.ply[index]
        order, size = self.order[game].long(), self.size[game]
        there = order < ply[:, None, None]
        own = (order % 2) == (ply % 2)[:, None, None]
        cells = torch.where(there, torch.where(own, 1, 2), 0)
        side = self.side
        line = torch.arange(side, device=cells.device)
        inside = (line < size[:, None])
        inside = inside[:, :, None] & inside[:, None, :]
        cells = torch.where(inside, cells, 3)
        best = self.best[index]
        y, x = best // side, best % side
        if symmetry & 1:
            cells, y, x = cells.transpose(1, 2), x, y
        if symmetry & 2:  # within the board, not within the padding
            turn = (size[:, None] - 1 - line) % side
            cells = torch.gather(cells, 1, turn[:, :, None].expand(-1, -1, side))
            y = size - 1 - y
        if symmetry & 4:
            turn = (size[:, None] - 1 - line) % side
            cells = torch.gather(cells, 2, turn[:, None, :].expand(-1, side, -1))
            x = size - 1 - x
        return cells, size, self.target[index], y * side + x


def window_halves(cells):
    """Ids of the half windows before and after each point: (4 directions, B, side, side) twice."""
    side = cells.shape[1]
    cells = cells.int()
    n = side + 2 * REACH
    wide = torch.full((cells.shape[0], n, n), 3, dtype=torch.int32, device=cells.device)
    wide[:, REACH:-REACH, REACH:-REACH] = cells
    before, after = [], []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for sense, out in ((-1, before), (1, after)):
            half = torch.zeros_like(cells)
            alive = torch.ones_like(cells, dtype=torch.bool)
            power = 1
            for i in range(1, REACH + 1):
                y0, x0 = REACH + sense * i * dy, REACH + sense * i * dx
                cell = wide[:, y0:y0 + side, x0:x0 + side]
                alive = alive & (cell != 3)
                half = half + torch.where(alive, power * (1 + cell), 0)
                power *= 3
            out.append(half)
    return torch.stack(before), torch.stack(after)


def swap_table():
    """Half window ids with the colours changed."""
    out = []
    for half in range(HALVES):
        first, count = 0, 1
        while half >= first + count:
            first, count = first + count, count * 3
        digits, power, swapped = half - first, 1, 0
        while digits:
            swapped += (0, 2, 1)[digits % 3] * power
            digits, power = digits // 3, power * 3
        out.append(first + swapped)
    return torch.tensor(out)


def half_states():
    """(HALVES, REACH): state of each cell of a half window, nearest first."""
    out = []
    for half in range(HALVES):
        first, count, cells = 0, 1, 0
        while half >= first + count:
            first, count, cells = first + count, count * 3, cells + 1
        digits = half - first
        row = []
        for i in range(REACH):
            row.append(digits % 3 if i < cells else 3)
            digits //= 3
        out.append(row)
    return torch.tensor(out)


# --- the network ---------------------------------------------------------------------------------

def rounded(x, scale, least, most):
    """To the grid of 1/scale, held to integers least … most; gradients pass inside."""
    y = x * scale
    y = y + (torch.floor(y + 0.5) - y).detach()
    return torch.clamp(y, least, most) / scale


def floored(x, scale):
    y = x * scale
    return (y + (torch.floor(y + 1e-3) - y).detach()) / scale


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Parameter(torch.randn(CELLS, STATES, HIDDEN) * 0.25)
        self.mix2 = nn.Parameter(torch.randn(HIDDEN, HIDDEN) * 0.12)
        self.bias2 = nn.Parameter(torch.zeros(HIDDEN))
        self.mix3 = nn.Parameter(torch.randn(HALF, HIDDEN) * 0.1)
        self.bias3 = nn.Parameter(torch.zeros(HALF))
        self.register_buffer("states", half_states(), persistent=False)

    def forward(self):
        """Rows of all windows in units of 1, (centre, left, right) in one: 3·364·364 of them."""
        cell = rounded(self.cell, 64, -2000, 2000)
        near = torch.arange(REACH, device=cell.device)
        left = cell[REACH - 1 - near, self.states].sum(1)
        right = cell[REACH + 1 + near, self.states].sum(1)
        middle = cell[REACH, :3]
        there = torch.clamp(middle[:, None, None] + left[:, None] + right, 0, CLIP / 64)
        both = there + there.transpose(1, 2)  # the mirrored window
        mix2 = rounded(self.mix2, 64, -CLIP, CLIP)
        h2 = rounded(F.linear(both.reshape(-1, HIDDEN), mix2,
                              rounded(self.bias2, 4096, -2**30, 2**30)), 64, 0, CLIP)
        mix3 = rounded(self.mix3, 64, -CLIP, CLIP)
        return rounded(F.linear(h2, mix3, rounded(self.bias3, 4096, -2**30, 2**30)),
                       64, -CLIP, CLIP)


class GatherSum(torch.autograd.Function):
    """Sums of rows: out[n] = Σ table[index[d, n]]. Its gradient adds without sorting, which is what
    makes the few windows that are everywhere (empty ones) bearable."""

    @staticmethod
    def forward(ctx, table, index):
        ctx.save_for_backward(index)
        ctx.rows = len(table)
        out = table[index[0]]
        for one in index[1:]:
            out += table[one]
        return out

    @staticmethod
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        out = torch.zeros(ctx.rows, grad.shape[1], device=grad.device)
        grad = grad.contiguous()
        for one in index:
            out.index_add_(0, one, grad)
        return out, None


class Student(nn.Module):
    """One set of weights for both colours: for rules that treat both alike."""

    def __init__(self):
        super().__init__()
        self.straight, self.diagonal = Generator(), Generator()
        self.value1 = nn.Linear(POOLED, VALUE)
        self.value2 = nn.Linear(VALUE, VALUE)
        self.value3 = nn.Linear(VALUE, 1)
        self.policy1 = nn.Linear(WIDTH, POLICY)
        self.policy_whole = nn.Linear(WIDTH, POLICY, bias=False)
        self.policy2 = nn.Linear(POLICY, 1)
        nn.init.normal_(self.value1.weight, 0, 0.02)
        nn.init.normal_(self.policy_whole.weight, 0, 0.01)
        self.register_buffer("swap", swap_table(), persistent=False)

    def features(self, cells):
        """(B, side·side, WIDTH), the mover's half first; 0 off the board."""
        before, after = window_halves(cells)
        centre = cells.clamp(max=2).int()
        keys = HALVES * HALVES
        diagonal = torch.tensor([0, 0, 1, 1], device=cells.device).view(4, 1, 1, 1) * 3 * keys
        table = torch.cat([self.straight(), self.diagonal()])
        out = []
        for swap in (False, True):
            left, right, middle = before, after, centre
            if swap:
                left, right = self.swap[left.long()], self.swap[right.long()]
                middle = torch.where(centre > 0, 3 - centre, centre)
            index = diagonal + (middle * HALVES + left) * HALVES + right
            out.append(GatherSum.apply(table, index.reshape(4, -1)))
        inside = (cells != 3).reshape(-1, 1)
        feature = torch.clamp(torch.cat(out, -1), 0, CLIP / 64) * inside
        return feature.reshape(len(cells), -1, WIDTH)

    def forward(self, cells, size):
        feature = self.features(cells)
        line = torch.arange(cells.shape[1], device=cells.device)
        third = (line * 3 // size[:, None]).clamp(max=2)  # the padding is 0 anyway
        region = (third[:, :, None] * 3 + third[:, None, :]).reshape(len(cells), 1, -1)
        regions = torch.arange(REGIONS, device=cells.device).view(1, -1, 1)
        sums = torch.bmm((region == regions).float(), feature)
        whole = torch.clamp(floored(sums.sum(1) / 16, 64), max=POOL_MOST / 64)
        regions = torch.clamp(floored(sums / 4, 64), max=POOL_MOST / 64)
        pooled = torch.cat([regions.reshape(len(cells), -1), whole], 1)
        big = 2**30
        v = rounded(F.linear(pooled, rounded(self.value1.weight, 64, -CLIP, CLIP),
                             rounded(self.value1.bias, 4096, -big, big)), 8, 0, CLIP)
        v = rounded(F.linear(v, rounded(self.value2.weight, 64, -CLIP, CLIP),
                             rounded(self.value2.bias, 512, -big, big)), 8, 0, CLIP)
        value = F.linear(v, self.value3.weight, self.value3.bias)[:, 0]
        context = F.linear(whole, rounded(self.policy_whole.weight, 1024, -CLIP, CLIP))
        p = F.linear(feature, rounded(self.policy1.weight, 64, -CLIP, CLIP),
                     rounded(self.policy1.bias, 4096, -big, big)) + context[:, None]
        p = rounded(p, 64, 0, CLIP)
        logits = F.linear(p, self.policy2.weight, self.policy2.bias)[..., 0]
        return value, logits.masked_fill(cells.reshape(len(cells), -1) != 0, -1e9)


# --- export --------------------------------------------------------------------------------------

def ints(x, scale, least, most, kind):
    x = np.floor(x.detach().cpu().double().numpy() * scale + 0.5)
    return np.clip(x, least, most).astype(kind)


def generator_bytes(g):
    big = 2**30
    half = 32  # the shift by 6 rounds to the nearest
    return b"".join([
        ints(g.cell, 64, -2000, 2000, "<i2").tobytes(),
        (ints(g.bias2, 4096, -big, big, "<i4") + half).tobytes(),
        ints(g.mix2, 64, -CLIP, CLIP, "<i2").tobytes(),
        (ints(g.bias3, 4096, -big, big, "<i4") + half).tobytes(),
        ints(g.mix3, 64, -CLIP, CLIP, "<i2").tobytes()])


def heads_bytes(s):
    big, most = 2**30, 32767
    value3 = EVAL_SCALE * 64 / 8
    return b"".join([
        (ints(s.value1.bias, 4096, -big, big, "<i4") + 256).tobytes(),
        ints(s.value1.weight, 64, -CLIP, CLIP, "<i2").tobytes(),
        (ints(s.value2.bias, 512, -big, big, "<i4") + 32).tobytes(),
        ints(s.value2.weight, 64, -CLIP, CLIP, "<i2").tobytes(),
        (ints(s.value3.bias, EVAL_SCALE * 64, -big, big, "<i4") + 32).tobytes(),
        ints(s.value3.weight, value3, -most, most, "<i2").tobytes(),
        (ints(s.policy1.bias, 4096, -big, big, "<i4") + 32).tobytes(),
        ints(s.policy1.weight, 64, -CLIP, CLIP, "<i2").tobytes(),
        ints(s.policy_whole.weight, 1024, -CLIP, CLIP, "<i2").tobytes(),
        (ints(s.policy2.bias, POLICY_SCALE * 64, -big, big, "<i4") + 32).tobytes(),
        ints(s.policy2.weight, POLICY_SCALE, -most, most, "<i2").tobytes()])


def fnv(data):
    h = 14695981039346656037
    for byte in data:
        h = (h ^ byte) * 1099511628211 % 2**64
    return h


def export(student, path, rules, sizes, recipe):
    text = json.dumps(recipe, indent=1, sort_keys=True).encode() + b"\n"
    text += b"\n" * (-len(text) % 8)
    straight, diagonal = generator_bytes(student.straight), generator_bytes(student.diagonal)
    heads = heads_bytes(student)
    data = b"gorennet" + struct.pack("<II", 1, len(text)) + text
    data += struct.pack("<IIII", sum(1 << RULES.index(r) for r in rules), *sizes, 0)
    data += 2 * straight + 2 * diagonal + 2 * heads
    data += struct.pack("<Q", fnv(data))
    open(path, "wb").write(data)


# --- training ------------------------------------------------------------------------------------

def losses(student, positions, index, symmetry=0):
    cells, size, target, best = positions.batch(index, symmetry)
    value, logits = student(cells, size)
    return (F.binary_cross_entropy_with_logits(value, target), F.cross_entropy(logits, best),
            (logits.argmax(1) == best).float().mean())


def measure(student, positions, most, batch):
    student.eval()
    with torch.no_grad():
        index = positions.held[:most]
        parts = [losses(student, positions, part) for part in index.split(batch)]
        weights = torch.tensor([len(part) for part in index.split(batch)], dtype=torch.float32)
    student.train()
    return [float((torch.stack([p[i].cpu() for p in parts]) * weights).sum() / weights.sum())
            for i in range(3)]


def main():
    ask = argparse.ArgumentParser(description=__doc__,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--games", nargs="+", required=True, help="archives to learn from")
    ask.add_argument("--rule", default="freestyle", choices=RULES)
    ask.add_argument("--steps", type=int, default=20000)
    ask.add_argument("--seconds", type=float, default=1e9, help="stop in time, whatever the steps")
    ask.add_argument("--batch", type=int, default=1024)
    ask.add_argument("--rate", type=float, default=2e-3)
    ask.add_argument("--outcome", type=float, default=0.6, help="share of the outcome in the target")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--out", required=True, help="the network")
    ask.add_argument("--start", help="weights to start from (.pt), as --keep wrote them")
    ask.add_argument("--keep", help="where the weights go as PyTorch has them")
    args = ask.parse_args()
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True  # exact here: the factors are small integers
    device = "cuda" if torch.cuda.is_available() else "cpu"
    positions = Positions(args.games, RULES.index(args.rule), args.outcome, device)
    print(json.dumps({"games": positions.games, "train": len(positions.train),
                      "held": len(positions.held), "device": device}), flush=True)
    student = Student().to(device)
    if args.start:
        student.load_state_dict(torch.load(args.start, map_location=device))
    optimiser = torch.optim.AdamW(student.parameters(), lr=args.rate, weight_decay=1e-5)
    begun, done, steps = time.time(), 0, args.steps
    while done < steps:
        passed = time.time() - begun
        part = max(done / steps, passed / args.seconds)
        if part >= 1:
            break
        for group in optimiser.param_groups:  # a short rise, then a cosine
            group["lr"] = args.rate * min(1, (done + 1) / 200) * \
                (0.02 + 0.98 * (1 + math.cos(math.pi * part)) / 2)
        index = positions.train[torch.randint(len(positions.train), (args.batch,), device=device)]
        value, policy, _ = losses(student, positions, index, int(torch.randint(8, (1,))))
        optimiser.zero_grad(set_to_none=True)
        (value + policy * 0.5).backward()
        nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        done += 1
        if done % 500 == 0:
            held = measure(student, positions, 16384, args.batch)
            print(json.dumps({"step": done, "seconds": round(time.time() - begun, 1),
                              "value": round(held[0], 4), "policy": round(held[1], 4),
                              "hit": round(held[2], 4)}), flush=True)
    held = measure(student, positions, 65536, args.batch)
    recipe = {"games": positions.games, "positions": len(positions.train), "steps": done,
              "batch": args.batch, "rate": args.rate, "outcome": args.outcome, "seed": args.seed,
              "value_loss": round(held[0], 4), "policy_loss": round(held[1], 4),
              "policy_hit": round(held[2], 4)}
    export(student, args.out, [args.rule], (5, SIDE_MAX), recipe)
    if args.keep:
        torch.save(student.state_dict(), args.keep)
    print(json.dumps(recipe), flush=True)


if __name__ == "__main__":
    main()
