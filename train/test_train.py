# SPDX-License-Identifier: MIT
"""test_train LIBRARY: the whole loop on the processor, small. Self-play, study, resume, a student, match.

Two runs with one seed and one thread must give the same weights.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

import torch

import compare
import distil
import goren
import loop
import study
import teacher as teachers

LIBRARY = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))


def small(out, **more):
    """One run; the lines of its log. The clock ends none of them: the same seed gives the same."""
    arguments = ["--out", out, "--lib", LIBRARY, "--device", "cpu", "--net", "tiny", "--seconds",
                 "300", "--steps", "12", "--group", "9:12:9=1", "--group", "9:12:9=2,8=1",
                 "--group", "11:4:11=1", "--simulations", "4", "--candidates", "4", "--batch",
                 "32", "--replay-min", "20", "--refresh", "2", "--log-every", "2", "--threads",
                 "1", "--window", "5000", "--rules", "freestyle=3,renju=1", "--warm-up", "1"]
    for name, value in more.items():
        arguments += ["--" + name.replace("_", "-"), str(value)]
    loop.Loop(loop.parse(arguments)).run()
    with open(os.path.join(out, "log.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_judge():
    """Looking up is multiplying, and folding the normalisation away changes nothing."""
    torch.manual_seed(3)
    net = teachers.Teacher(16, 3)
    planes = torch.randint(0, 19, (32, 2, 81), dtype=torch.uint8)
    planes[:, :, 70:] = goren.OFF
    kinds = torch.zeros(32, dtype=torch.uint8)
    net.train()
    for _ in range(20):
        net(planes, kinds)
    embedded = net.embed(planes, kinds)
    net.eval()
    assert torch.allclose(embedded, net.embed(planes, kinds), atol=1e-5)
    policy, wdl = net(planes, kinds)
    fast, value = teachers.Judge(net, "cpu")(planes, kinds)
    wdl = torch.softmax(wdl, 1)
    assert torch.allclose(value, wdl[:, 0] - wdl[:, 2], atol=1e-4)
    assert torch.allclose(fast.float(), policy, atol=0.05, rtol=0.02)
    rough, about = teachers.Judge(net, "cpu", "half")(planes, kinds)
    assert torch.allclose(about, value, atol=0.05)
    assert torch.allclose(rough.float(), policy, atol=0.2, rtol=0.05)


def check_growth(resume, folder):
    """More blocks say the same at first, and a run goes on with them."""
    teacher, average, _ = teachers.load(os.path.join(resume, "teacher.pt"))
    planes = torch.randint(0, 19, (8, 2, 81), dtype=torch.uint8)
    kinds = torch.zeros(8, dtype=torch.uint8)
    for net in (teacher, average):
        for old, new in zip(net.eval()(planes, kinds), teachers.grown(net, 5).eval()(planes, kinds)):
            assert torch.equal(old, new), "growth changed what it says"
    small(os.path.join(folder, "grown"), resume=resume, blocks=5)
    assert torch.load(os.path.join(folder, "grown", "teacher.pt"))["config"]["blocks"] == 5


def check_sound(log, out):
    plays = [line for line in log if line.get("event") == "play"]
    assert plays and sum(line["games"] for line in plays) > 0, "no game was finished"
    assert any("policy_loss" in line for line in plays), "nothing was learnt"
    for name in ("teacher.pt", "optimiser.pt", "replay-0.z", "log.jsonl"):
        assert os.path.getsize(os.path.join(out, name)), name


def weights_of(out):
    return torch.load(os.path.join(out, "teacher.pt"))["average"]


def check_study(folder):
    """Archives of the engine's games are learnt from, while more are played; self-play goes on."""
    games, held, out = (os.path.join(folder, name) for name in ("games", "held", "studied"))
    lib = goren.library(LIBRARY)
    for path in (games, held):
        os.mkdir(path)
        goren.selfplay(lib, os.path.join(path, "a.games"), "freestyle", [9, 11], nodes=200,
                       games=8, threads=1, seed=len(path))
    # Positions without an outcome are learnt from too.
    goren.selfplay(lib, os.path.join(games, "b.games"), "freestyle", [9], nodes=200, games=90,
                   threads=1, seed=1, relabel=[os.path.join(games, "a.games")])
    study.Study(study.parse([
        "--out", out, "--lib", LIBRARY, "--device", "cpu", "--net", "tiny", "--seconds", "12",
        "--games", games, "--held", held, "--batch", "32", "--threads", "1", "--log-every", "1",
        "--play", "1", "--play-games", "2", "--play-leaves", "20", "--nodes", "100", "--rules",
        "renju"])).run()
    with open(os.path.join(out, "log.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    reports = [line for line in lines if line["event"] == "study"]
    assert reports[-1]["archives"] > 2, "nothing that was played was learnt from"
    assert reports[-1]["positions"] > lines[0]["positions"]
    assert any(name.startswith("renju-leaves-") for name in os.listdir(games))
    assert all("held_value" in line for line in reports)
    small(os.path.join(folder, "after"), resume=out)
    # From nothing but what is played, and an archive of a million games that is to be given up.
    begun = time.monotonic()
    study.Study(study.parse([
        "--out", out, "--lib", LIBRARY, "--device", "cpu", "--net", "tiny", "--steps", "3",
        "--games", os.path.join(folder, "new"), "--batch", "32", "--threads", "1", "--play", "1",
        "--play-games", "2", "--nodes", "100", "--rules", "freestyle"])).run()
    stop = ctypes.c_bool(False)
    threading.Timer(1, lambda: setattr(stop, "value", True)).start()
    goren.selfplay(lib, os.path.join(folder, "long.games"), "freestyle", [9], stop, nodes=100,
                   games=1000000, threads=1, seed=1)
    assert time.monotonic() - begun < 60, "it did not stop when it was told to"
    for more, why in ((["--play-games", "0"], "nothing to make"),
                      (["--play-games", "0", "--play-leaves", "5"], "no games to learn from")):
        try:
            study.Study(study.parse(["--out", out, "--lib", LIBRARY, "--device", "cpu", "--net", "tiny",
                                     "--games", os.path.join(folder, "empty"), "--play", "1", *more]))
            raise AssertionError("it would have waited for ever")
        except SystemExit as said:
            assert why in str(said)
    try:
        small(os.path.join(folder, "none"), resume=games)
        raise AssertionError("a folder without a teacher was resumed")
    except SystemExit as said:
        assert "no " + os.path.join(games, "teacher.pt") in str(said)


def check_distil(out):
    """A student of the teacher, from positions judged as they are drawn and from a notebook."""
    def learn(*more):
        return distil.train(distil.parse([
            "--replay", os.path.join(out, "replay-0.z"), "--teacher",
            os.path.join(out, "teacher.pt"), "--steps", "3", "--batch", "32", "--frames", "9,11",
            "--device", "cpu", "--threads", "1", "--lib", LIBRARY, "--out",
            os.path.join(out, "x.net"), *more]))

    def refused(word, *more):
        try:
            learn(*more)
        except SystemExit as said:
            return word in str(said)
        return False

    kept = ["--judge", "half", "--notebook", os.path.join(out, "notebook.pt")]
    assert learn() == learn(), "not repeatable"
    assert refused("--once", *kept)
    assert learn("--once", "100", *kept)["once"] >= 100
    assert learn(*kept) == learn(*kept), "not repeatable"
    assert learn(*kept)["once"] >= 100
    assert refused("not of renju", "--rule", "renju", *kept)


def check_duel(path):
    result = subprocess.run(
        [sys.executable, os.path.join(HERE, "evaluate.py"), path, "--games", "4", "--simulations",
         "8", "--nodes", "200", "--size", "9", "--lib", LIBRARY, "--device", "cpu", "--threads",
         "1"], check=True, capture_output=True, text=True)
    duel = json.loads(result.stdout.splitlines()[-1])
    assert duel["games"] == 4 == duel["wins"] + duel["draws"] + duel["losses"]


def check_compare(folder, out):
    """A teacher and a network on the same positions; who is twice too sure is to be trusted half."""
    odds = torch.linspace(-4, 4, 200)
    assert compare.above(odds, torch.sigmoid(odds)) < 1e-6
    assert compare.trust(2 * odds, torch.sigmoid(odds)) == 0.5
    games = os.path.join(folder, "held", "a.games")
    judges = [os.path.join(out, name) for name in ("teacher.pt", "x.net")]
    found = compare.main([*judges, "--games", games, "--positions", "64", "--batch", "32",
                          "--frame", "11", "--device", "cpu", "--threads", "1", "--lib", LIBRARY])
    assert [one["judge"] for one in found] == judges
    assert all(one["positions"] > 0 and one["value"] >= 0 and one["policy"] > 0 for one in found)
    try:
        compare.main([games, "--games", games])
        raise AssertionError("an archive was taken for a judge")
    except SystemExit as said:
        assert "neither a teacher" in str(said)


def main():
    check_judge()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        first, same, second = (os.path.join(folder, name) for name in ("first", "same", "second"))
        check_sound(small(first), first)
        small(same)
        one, other = weights_of(first), weights_of(same)
        assert all(torch.equal(one[name], other[name]) for name in one), "not repeatable"
        log = small(second, resume=first)
        check_sound(log, second)
        loaded = [line["positions"] for line in log if line.get("event") == "replay"]
        assert loaded and loaded[0] > 20, "the replay did not come back"
        check_growth(second, folder)
        check_distil(second)
        check_duel(os.path.join(second, "teacher.pt"))
        check_study(folder)
        check_compare(folder, second)
    print("test-train: ok")


if __name__ == "__main__":
    main()
