# SPDX-License-Identifier: MIT
"""The line network as PyTorch trains it: every rounding and clipping of src/eval/net.h is done here
too (straight-through gradients), so that what is exported plays as it was trained. distil.py trains
it; here are the network and its file.
"""
import json
import math
import struct

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import goren

REACH, CELLS, STATES = 5, 11, 4
HIDDEN, HALF, VALUE, POLICY = 64, 32, 32, 16
WIDTH, REGIONS, CLIP, ROW_MOST = 2 * HALF, 9, 127, 31
POOLED = (REGIONS + 1) * WIDTH
HALVES = 364
KEYS = 3 * HALVES ** 2  # of windows
SIDE_MAX = 22  # of boards a network plays on
EVAL_SCALE, POLICY_SCALE = 200.0, 100.0


# --- positions -----------------------------------------------------------------------------------

def from_planes(planes):
    """Cells (B, side, side: 0 empty, 1 the mover's, 2 the other's, 3 off the board) and sizes."""
    side = math.isqrt(planes.shape[2])
    marks = planes[:, 0].view(-1, side, side)
    cells = (marks == goren.OWN) + 2 * (marks == goren.OTHER) + 3 * (marks == goren.OFF)
    return cells, (marks[:, 0] != goren.OFF).sum(1)


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


class Held(torch.autograd.Function):
    """Held within bounds. Outside them a tenth of a gradient passes if it leads back: with nothing
    passing, the units of the value's layers, whose inputs are sums over many points, are pushed out
    by a bad start and lost for good. Where it is not needed it does harm: in the generators and the
    policy it costs a tenth of the first choices."""

    @staticmethod
    def forward(ctx, x, least, most):
        ctx.save_for_backward(x)
        ctx.least, ctx.most = least, most
        return torch.clamp(x, least, most)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        low, high = x < ctx.least, x > ctx.most
        away = low & (grad > 0) | high & (grad < 0)
        grad = torch.where(low | high, grad / 10, grad)
        return grad.masked_fill(away, 0), None, None


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
        self.bias3 = nn.Parameter(torch.full((HALF,), -0.05))  # little is seen at first
        self.register_buffer("states", half_states(), persistent=False)

    def forward(self, keys):
        """Rows of windows in units of 1; a key is (centre, left, right) in one number."""
        cell = rounded(self.cell, 64, -2000, 2000)
        near = torch.arange(REACH, device=cell.device)
        left = cell[REACH - 1 - near, self.states].sum(1)
        right = cell[REACH + 1 + near, self.states].sum(1)
        parts = torch.cat([cell[REACH, :3], left, right])
        centre, one, other = keys // HALVES ** 2, keys // HALVES % HALVES, keys % HALVES
        both = 0
        for before, after in ((one, other), (other, one)):  # the window, and mirrored
            index = torch.stack([centre, 3 + before, 3 + HALVES + after])
            both = both + torch.clamp(GatherSum.apply(parts, index), 0, CLIP / 64)
        both = floored(both / 2, 64)
        mix2 = rounded(self.mix2, 64, -CLIP, CLIP)
        h2 = rounded(F.linear(both, mix2, rounded(self.bias2, 4096, -2**30, 2**30)), 64, 0, CLIP)
        mix3 = rounded(self.mix3, 64, -CLIP, CLIP)
        return rounded(F.linear(h2, mix3, rounded(self.bias3, 4096, -2**30, 2**30)),
                       16, -ROW_MOST, ROW_MOST)


class GatherSum(torch.autograd.Function):
    """Sums of rows: out[n] = Σ table[index[d, n]]. Its gradient adds without sorting, which is what
    makes the few windows that are everywhere (empty ones) bearable."""

    @staticmethod
    def forward(ctx, table, index):
        ctx.save_for_backward(index)
        ctx.rows = len(table)
        return F.embedding_bag(index.t().contiguous(), table, mode="sum")

    @staticmethod
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        out = torch.zeros(ctx.rows, grad.shape[1], dtype=grad.dtype, device=grad.device)
        grad = grad.contiguous()
        for one in index:
            out.index_add_(0, one, grad)
        return out, None


class Heads(nn.Module):
    """What reads a position for the colour that is to move."""

    def __init__(self):
        super().__init__()
        self.value1 = nn.Linear(POOLED, VALUE)
        self.value2 = nn.Linear(VALUE, VALUE)
        self.value3 = nn.Linear(VALUE, 1)
        self.context = nn.Linear(WIDTH, WIDTH + POLICY)
        self.policy1 = nn.Linear(WIDTH, POLICY, bias=False)
        self.policy2 = nn.Linear(POLICY, 1)
        nn.init.normal_(self.value1.weight, 0, 0.02)
        nn.init.normal_(self.context.weight, 0, 0.02)
        nn.init.zeros_(self.context.bias)
        nn.init.ones_(self.context.bias[:WIDTH])  # gates begin open

    @staticmethod
    def dense(layer, x):
        """Activations and sums in sixteenths, weights in 64ths."""
        y = F.linear(x, rounded(layer.weight, 64, -CLIP, CLIP),
                     rounded(layer.bias, 1024, -2**30, 2**30)) * 16
        y = y + (torch.floor(y + 0.5) - y).detach()
        return Held.apply(y, 0, CLIP) / 16

    @staticmethod
    def last(layer, x, scale):
        """C gives this times scale, rounded."""
        return F.linear(x, rounded(layer.weight, scale * 4, -32767, 32767),
                        rounded(layer.bias, scale * 64, -2**30, 2**30))[..., 0]

    def forward(self, feature, sums):
        """Features of all points and their sums by region, to a value and a logit for each point."""
        whole = Held.apply(floored(sums.sum(1) / 16, 16), 0, CLIP / 16)
        regions = Held.apply(floored(sums / 4, 16), 0, CLIP / 16)
        v = self.dense(self.value1, torch.cat([regions.flatten(1), whole], 1))
        v = self.dense(self.value2, v)
        context = F.linear(whole, rounded(self.context.weight, 64, -CLIP, CLIP),
                           rounded(self.context.bias, 1024, -2**30, 2**30))
        gate = torch.clamp(floored(context[:, :WIDTH], 64), 0, CLIP / 64)
        mix = rounded(self.policy1.weight, 64, -CLIP, CLIP)
        mix = rounded(mix * gate[:, None], 64, -CLIP, CLIP)  # a matrix of its own for each position
        p = torch.bmm(feature, mix.transpose(1, 2)) + context[:, None, WIDTH:]
        p = rounded(p, 16, 0, CLIP)
        return self.last(self.value3, v, EVAL_SCALE), self.last(self.policy2, p, POLICY_SCALE)


class Student(nn.Module):
    """alike: one set of weights for both colours, for rules that treat them so."""

    def __init__(self, alike=True):
        super().__init__()
        sets = 1 if alike else 2
        self.straight = nn.ModuleList(Generator() for _ in range(sets))
        self.diagonal = nn.ModuleList(Generator() for _ in range(sets))
        self.heads = nn.ModuleList(Heads() for _ in range(sets))
        self.register_buffer("swap", swap_table(), persistent=False)

    def rows(self, index):
        """The rows that are asked for, which is about a fifth of all, and the index into them."""
        generators = [generator for pair in zip(self.straight, self.diagonal)
                      for generator in pair]
        asked = torch.zeros(len(generators) * KEYS, dtype=torch.bool, device=index.device)
        asked[index.reshape(-1)] = True
        rows = torch.cat([generator(part.nonzero()[:, 0])
                          for generator, part in zip(generators, asked.view(-1, KEYS))])
        return rows, (asked.cumsum(0) - 1)[index]

    def paces(self):
        """Parameters and the share of the learning rate that suits them: where many inputs are
        summed, a small change of each weight makes a large one of all."""
        shares = {}
        for head in self.heads:
            shares.update({id(p): 0.1 for p in head.value1.parameters()})
            shares.update({id(p): 0.3 for p in head.context.parameters()})
        groups = {}
        for p in self.parameters():
            groups.setdefault(shares.get(id(p), 1.0), []).append(p)
        return [{"params": params, "share": share} for share, params in groups.items()]

    def begin_from(self, weights):
        """Weights of a network for any rule: one set may serve both colours, but not the reverse."""
        own = self.state_dict()
        if len(weights) > len(own):
            raise SystemExit("weights that differ by colour cannot begin a network of one set")
        self.load_state_dict({key: weights.get(key, weights[key.replace(".1.", ".0.", 1)])
                              for key in own})

    def features(self, cells, side):
        """(B, side·side, WIDTH), the mover's half first; 0 off the board."""
        before, after = window_halves(cells)
        centre = cells.clamp(max=2).int()
        diagonal = torch.tensor([0, 0, 1, 1], device=cells.device).view(4, 1, 1, 1) * KEYS
        seen = []
        for swap in (False, True):
            left, right, middle = before, after, centre
            if swap:
                left, right = self.swap[left.long()], self.swap[right.long()]
                middle = torch.where(centre > 0, 3 - centre, centre)
            index = diagonal + (middle * HALVES + left) * HALVES + right
            if len(self.heads) > 1:  # whose eyes these are
                colour = 1 - side if swap else side
                index = index + colour.view(1, -1, 1, 1) * 2 * KEYS
            seen.append(index.reshape(4, -1))
        rows, index = self.rows(torch.cat(seen, 1))
        both = torch.cat(GatherSum.apply(rows, index).chunk(2), -1)
        inside = (cells != 3).reshape(-1, 1)
        feature = torch.clamp(both, min=0) * inside
        return feature.reshape(len(cells), -1, WIDTH)

    def forward(self, cells, size, side):
        """cells and sizes as from_planes gives them; side: 0 where Black is to move, 1 White."""
        feature = self.features(cells, side)
        line = torch.arange(cells.shape[1], device=cells.device)
        third = (line * 3 // size[:, None]).clamp(max=2)  # the padding is 0 anyway
        region = (third[:, :, None] * 3 + third[:, None, :]).reshape(len(cells), 1, -1)
        regions = torch.arange(REGIONS, device=cells.device).view(1, -1, 1)
        sums = torch.bmm((region == regions).to(feature.dtype), feature)
        value, logits = self.heads[0](feature, sums)
        if len(self.heads) > 1:
            white, black = self.heads[1](feature, sums), side == 0
            value = torch.where(black, value, white[0])
            logits = torch.where(black[:, None], logits, white[1])
        return value, logits.masked_fill(cells.reshape(len(cells), -1) != 0, -1e9)


# --- export --------------------------------------------------------------------------------------

def ints(x, scale, least, most, kind):
    x = np.floor(x.detach().cpu().double().numpy() * scale + 0.5)
    return np.clip(x, least, most).astype(kind)


def matrix(x):
    """As src/eval/dense.h reads it: [inputs / 4][outputs][4]."""
    x = ints(x, 64, -CLIP, CLIP, "i1")
    return x.reshape(len(x), -1, 4).transpose(1, 0, 2).tobytes()


def bias(x, scale, half):
    """half: what makes the shift that follows round to the nearest."""
    return (ints(x, scale, -2**30, 2**30, "<i4") + half).astype("<i4").tobytes()


def generator_bytes(g):
    return b"".join([ints(g.cell, 64, -2000, 2000, "<i2").tobytes(), bias(g.bias2, 4096, 32),
                     matrix(g.mix2), bias(g.bias3, 4096, 128), matrix(g.mix3)])


def heads_bytes(s):
    most = 32767
    return b"".join([
        bias(s.value1.bias, 1024, 32), matrix(s.value1.weight),
        bias(s.value2.bias, 1024, 32), matrix(s.value2.weight),
        bias(s.value3.bias, EVAL_SCALE * 64, 32),
        ints(s.value3.weight, EVAL_SCALE * 4, -most, most, "<i2").tobytes(),
        bias(s.context.bias[:WIDTH], 1024, 0), bias(s.context.bias[WIDTH:], 1024, 32),
        matrix(s.context.weight),
        matrix(s.policy1.weight),
        bias(s.policy2.bias, POLICY_SCALE * 64, 32),
        ints(s.policy2.weight, POLICY_SCALE * 4, -most, most, "<i2").tobytes()])


def fnv(data):
    h = 14695981039346656037
    for byte in data:
        h = (h ^ byte) * 1099511628211 % 2**64
    return h


def export(student, path, rules, sizes, recipe):
    text = json.dumps(recipe, indent=1, sort_keys=True).encode() + b"\n"
    text += b"\n" * (-len(text) % 8)
    data = b"gorennet" + struct.pack("<II", 2, len(text)) + text
    data += struct.pack("<IIII", sum(1 << goren.RULES.index(r) for r in rules), *sizes, 0)
    for part, write in ((student.straight, generator_bytes), (student.diagonal, generator_bytes),
                        (student.heads, heads_bytes)):
        data += write(part[0]) + write(part[-1])  # Black's and White's
    data += struct.pack("<Q", fnv(data))
    open(path, "wb").write(data)


# --- and back ------------------------------------------------------------------------------------

class Reader:
    """Takes numbers from a file's bytes, one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def ints(self, kind, *shape):
        count = math.prod(shape)
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found.reshape(shape)

    def weights(self, kind, scale, *shape):
        return torch.tensor(self.ints(kind, *shape) / scale, dtype=torch.float32)

    def bias(self, count, scale, half):
        return torch.tensor((self.ints("<i4", count) - half) / scale, dtype=torch.float32)

    def matrix(self, outputs, inputs):
        found = self.ints("i1", inputs // 4, outputs, 4).transpose(1, 0, 2)
        return torch.tensor(found.reshape(outputs, inputs) / 64, dtype=torch.float32)

    def generator(self):
        cell = self.weights("<i2", 64, CELLS, STATES, HIDDEN)
        bias2, mix2 = self.bias(HIDDEN, 4096, 32), self.matrix(HIDDEN, HIDDEN)
        bias3, mix3 = self.bias(HALF, 4096, 128), self.matrix(HALF, HIDDEN)
        return {"cell": cell, "bias2": bias2, "mix2": mix2, "bias3": bias3, "mix3": mix3}

    def heads(self):
        out = {}
        for name, inputs in (("value1", POOLED), ("value2", VALUE)):
            out[name + ".bias"] = self.bias(VALUE, 1024, 32)
            out[name + ".weight"] = self.matrix(VALUE, inputs)
        out["value3.bias"] = self.bias(1, EVAL_SCALE * 64, 32)
        out["value3.weight"] = self.weights("<i2", EVAL_SCALE * 4, 1, VALUE)
        out["context.bias"] = torch.cat([self.bias(WIDTH, 1024, 0), self.bias(POLICY, 1024, 32)])
        out["context.weight"] = self.matrix(WIDTH + POLICY, WIDTH)
        out["policy1.weight"] = self.matrix(POLICY, WIDTH)
        out["policy2.bias"] = self.bias(1, POLICY_SCALE * 64, 32)
        out["policy2.weight"] = self.weights("<i2", POLICY_SCALE * 4, 1, POLICY)
        return out


def read(path):
    """Weights of a network's file, as a student's state_dict has them: of one set if both colours'
    are the same. What lies between two steps of the grid is gone, so export gives the same file."""
    data = open(path, "rb").read()
    if data[:8] != b"gorennet" or struct.unpack_from("<I", data, 8)[0] != 2:
        raise SystemExit(f"{path} is no network of version 2 (distil.py makes them)")
    reader = Reader(data)
    reader.at = 16 + struct.unpack_from("<I", data, 12)[0] + 16
    weights = {}
    for part, take in (("straight", reader.generator), ("diagonal", reader.generator),
                       ("heads", reader.heads)):
        for colour in range(2):
            weights.update({f"{part}.{colour}.{name}": x for name, x in take().items()})
    if all(torch.equal(x, weights[name.replace(".1.", ".0.", 1)]) for name, x in weights.items()):
        weights = {name: x for name, x in weights.items() if ".1." not in name}
    return weights
