# SPDX-License-Identifier: MIT
"""The C library behind train/, through ctypes: team, replay, actors, duel.

Everything that happens per position happens in C (src/learn/*.h say what); here are only handles and
the buffers in which whole batches travel. Calls release Python's lock while they run.
"""
import ctypes as c
import os

import torch

FRAME_MAX = 32
RULES = ["freestyle", "standard", "renju", "caro", "caro6"]
BANNED, OWN, OTHER, OFF = 24, 25, 26, 27  # marks of src/learn/planes.h
NO_OUTCOME = 2  # of a position that comes from no game (src/learn/replay.h)
VALUES, PLANES, KINDS = 32, 2, 2 * len(RULES)
HERE = os.path.dirname(os.path.abspath(__file__))


class Err(c.Structure):
    _fields_ = [("text", c.c_char * 400)]


class ActorsPlan(c.Structure):
    _fields_ = [
        ("games", c.c_int32), ("frame", c.c_int32), ("simulations", c.c_int32),
        ("many_simulations", c.c_int32), ("many_percent", c.c_int32), ("candidates", c.c_int32),
        ("noise", c.c_float), ("visits_offset", c.c_float), ("scale", c.c_float),
        ("leaf_fours", c.c_int32), ("root_fours", c.c_int32), ("warm_moves", c.c_int32),
        ("even_draw", c.c_int32), ("rule_weight", c.c_int32 * len(RULES)),
        ("size_weight", c.c_int32 * (FRAME_MAX + 1)), ("seed", c.c_uint64)]


class ActorsStats(c.Structure):
    _fields_ = [(name, c.c_int64) for name in (
        "games", "black_wins", "white_wins", "plies", "searches", "leaves", "discarded",
        "given_up")]


class DuelPlan(c.Structure):
    _fields_ = [
        ("games", c.c_int32), ("slots", c.c_int32), ("rule", c.c_int32), ("size", c.c_int32),
        ("simulations", c.c_int32), ("candidates", c.c_int32), ("visits_offset", c.c_float),
        ("scale", c.c_float), ("leaf_fours", c.c_int32), ("root_fours", c.c_int32),
        ("engine_nodes", c.c_int64), ("seed", c.c_uint64)]


class DuelStats(c.Structure):
    _fields_ = [(name, c.c_int64) for name in (
        "games", "wins", "draws", "losses", "wins_black", "losses_black", "plies", "engine_moves",
        "leaves")] + [("pairs", c.c_int64 * 5)]


class SelfplayPlan(c.Structure):
    _fields_ = [
        ("rule", c.c_int), ("size", c.c_int * 32), ("size_count", c.c_int), ("nodes", c.c_int64),
        ("games", c.c_int), ("threads", c.c_int), ("seed", c.c_uint64), ("eval", c.c_void_p),
        ("net", c.c_char_p), ("relabel", c.c_void_p)]


class ReplayBatch(c.Structure):
    _fields_ = [(name, c.c_void_p) for name in (
        "planes", "kind", "policy", "value", "outcome", "stray")]


def library(path=None):
    """Opens the shared object that `make train-lib` makes."""
    lib = c.CDLL(path or os.path.join(HERE, "..", "build", "libgoren-train.so"))
    p, i, q, z = c.c_void_p, c.c_int, c.c_int64, c.c_size_t
    for name, result, arguments in (
            ("team_open", p, [i, p]), ("team_close", None, [p]),
            ("replay_open", p, [i, i, q, c.c_uint64]), ("replay_close", None, [p]),
            ("replay_count", q, [p]), ("replay_taken", q, [p]),
            ("replay_sample", c.c_bool, [p, p, i, i, p]), ("replay_newest", z, [p, p, z]),
            ("replay_load", q, [p, c.c_char_p, z]), ("replay_load_archive", q, [p, c.c_char_p]),
            ("actors_open", p, [p, p, p, p]), ("actors_close", None, [p]),
            ("actors_step", None, [p] * 5), ("actors_stats", None, [p, p]),
            ("duel_open", p, [p, p, p]), ("duel_close", None, [p]),
            ("archive_open", p, [c.c_char_p, p]), ("archive_close", None, [p]),
            ("selfplay_run", c.c_bool, [p] * 6),
            ("relabel_open", p, [c.c_char_p, i, p]), ("relabel_close", None, [p]),
            ("probe_network", c.c_bool, [c.c_char_p, i, i, i, p, i, p, p, p]),
            ("duel_step", c.c_bool, [p] * 5), ("duel_stats", None, [p, p])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def opened(handle, err):
    if not handle:
        raise ValueError(err.text.decode())
    return handle


class Team:
    def __init__(self, lib, threads):
        err = Err()
        self.lib, self.handle = lib, opened(lib.team_open(threads, c.byref(err)), err)

    def close(self):
        self.lib.team_close(self.handle)


def host(shape, dtype, pinned):
    """Memory that C writes and the accelerator fetches by itself."""
    return torch.zeros(shape, dtype=dtype, pin_memory=pinned)


class Replay:
    """The newest games of boards from size_min up to the frame."""
    MAGIC = b"goren replay 1\n"

    def __init__(self, lib, team, size_min, frame, positions, seed=1):
        self.lib, self.team, self.size_min, self.frame = lib, team, size_min, frame
        self.handle = lib.replay_open(size_min, frame, positions, seed)

    def close(self):
        self.lib.replay_close(self.handle)

    def count(self):
        return self.lib.replay_count(self.handle)

    def taken(self):
        return self.lib.replay_taken(self.handle)

    def buffers(self, n, pinned):
        area = self.frame * self.frame
        return {"planes": host((n, PLANES, area), torch.uint8, pinned),
                "kind": host((n,), torch.uint8, pinned),
                "policy": host((n, area), torch.uint8, pinned),
                "value": host((n,), torch.float32, pinned),
                "outcome": host((n,), torch.int8, pinned),
                "stray": host((n,), torch.uint8, pinned)}

    def sample(self, buffers, stray_percent=0):
        batch = ReplayBatch(**{name: tensor.data_ptr() for name, tensor in buffers.items()})
        return self.lib.replay_sample(self.handle, self.team.handle, len(buffers["kind"]),
                                      stray_percent, c.byref(batch))

    def newest(self, limit):
        out = c.create_string_buffer(limit)
        used = self.lib.replay_newest(self.handle, out, limit)
        return out.raw[:used]

    def load(self, data):
        return self.lib.replay_load(self.handle, data, len(data))

    def load_archive(self, path):
        return self.lib.replay_load_archive(self.handle, os.fsencode(path))


def selfplay(lib, path, rule, sizes, stop=None, relabel=(), **options):
    """The engine's games into an archive (src/learn/selfplay.h), as `goren selfplay` makes them; or
    its judgement of so many positions of other archives and of searches from there (relabel.h).
    stop is a c_bool that another thread may set: the games under way are the last then."""
    err = Err()
    if stop is None:  # a c_bool that is not set counts as false itself
        stop = c.c_bool(False)
    best = c.addressof(c.c_char.in_dll(lib, "eval_best"))
    plan = SelfplayPlan(rule=RULES.index(rule), size=(c.c_int * 32)(*sizes), size_count=len(sizes),
                        eval=best, **options)
    archive = opened(lib.archive_open(os.fsencode(path), c.byref(err)), err)
    if relabel:
        plan.relabel = lib.relabel_open(os.fsencode(",".join(relabel)), plan.rule, c.byref(err))
        if not plan.relabel:
            lib.archive_close(archive)
            opened(plan.relabel, err)
    played = lib.selfplay_run(c.byref(plan), archive, c.byref(stop), None, None, c.byref(err))
    lib.archive_close(archive)
    lib.relabel_close(plan.relabel)
    opened(played, err)


def probe(lib, path, rule, colour, cells):
    """What a network's file says, in C: values (n) and policies (n x points), as integers. cells is
    n x side x side bytes: 0 empty, 1 the mover's, 2 the other's; colour 0: Black is to move."""
    cells = cells.to(torch.uint8).contiguous()
    n, side = len(cells), cells.shape[1]
    values = torch.zeros(n, dtype=torch.int32)
    policies = torch.zeros((n, side * side), dtype=torch.int32)
    err = Err()
    if not lib.probe_network(os.fsencode(path), RULES.index(rule), side, colour, cells.data_ptr(), n,
                             values.data_ptr(), policies.data_ptr(), c.byref(err)):
        raise ValueError(err.text.decode())
    return values, policies


class Batch:
    """The buffers of one batch of leaves, both ways."""

    def __init__(self, n, frame, pinned):
        self.planes = host((n, PLANES, frame * frame), torch.uint8, pinned)
        self.kinds = host((n,), torch.uint8, pinned)
        self.policy = host((n, frame * frame), torch.bfloat16, pinned)
        self.value = host((n,), torch.float32, pinned)
        self.judged = False

    def pointers(self):
        policy = self.policy.data_ptr() if self.judged else None
        value = self.value.data_ptr() if self.judged else None
        return policy, value, self.planes.data_ptr(), self.kinds.data_ptr()


class Actors:
    """Games of self-play that wait for one judgement each."""

    def __init__(self, lib, team, replay, plan, pinned=False):
        err = Err()
        self.lib, self.plan, self.frame = lib, plan, plan.frame
        self.handle = opened(lib.actors_open(c.byref(plan), team.handle,
                                             replay.handle if replay else None, c.byref(err)), err)
        self.batch = Batch(plan.games, plan.frame, pinned)

    def step(self):
        self.lib.actors_step(self.handle, *self.batch.pointers())
        self.batch.judged = True

    def stats(self):
        stats = ActorsStats()
        self.lib.actors_stats(self.handle, c.byref(stats))
        return {name: getattr(stats, name) for name, _ in stats._fields_}

    def close(self):
        self.lib.actors_close(self.handle)


class Duel:
    """Games against the alpha-beta engine that wait for one judgement each."""

    def __init__(self, lib, team, plan, pinned=False):
        err = Err()
        self.lib, self.plan, self.frame = lib, plan, plan.size
        self.handle = opened(lib.duel_open(c.byref(plan), team.handle, c.byref(err)), err)
        self.batch = Batch(plan.slots, plan.size, pinned)

    def step(self):
        more = self.lib.duel_step(self.handle, *self.batch.pointers())
        self.batch.judged = True
        return more

    def stats(self):
        stats = DuelStats()
        self.lib.duel_stats(self.handle, c.byref(stats))
        out = {name: getattr(stats, name) for name, _ in stats._fields_}
        out["pairs"] = list(stats.pairs)
        return out

    def close(self):
        self.lib.duel_close(self.handle)


def actors_plan(games, frame, sizes, rules, **options):
    """sizes and rules are weights by side of the board and by name of the rule."""
    plan = ActorsPlan(games=games, frame=frame, simulations=32, many_simulations=96,
                      many_percent=0, candidates=16, noise=1.0, visits_offset=50.0, scale=0.5,
                      leaf_fours=200, root_fours=3000, warm_moves=0, even_draw=0, seed=1)
    for size, weight in sizes.items():
        plan.size_weight[size] = weight
    for rule, weight in rules.items():
        plan.rule_weight[RULES.index(rule)] = weight
    for name, value in options.items():
        if not hasattr(plan, name):
            raise TypeError(f"no such option of self-play: {name}")
        setattr(plan, name, value)
    return plan
