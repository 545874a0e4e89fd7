# SPDX-License-Identifier: MIT
"""test_student LIBRARY...: gate G0. What PyTorch computes while it trains is what C plays, to the last
integer, on 1,000 positions of boards from 10x10 to 22x22, for every library that is given (built for
different instruction sets); and a short training has the same losses twice.
"""
import os
import subprocess
import sys
import tempfile

import torch

import distil
import goren
import student as students

LIBRARIES = [os.path.abspath(path) for path in sys.argv[1:]]
POSITIONS = 1000


def random_student(alike):
    """Weights large enough that every clip is met."""
    torch.manual_seed(7)
    student = students.Student(alike)
    with torch.no_grad():
        for name, weight in student.named_parameters():
            if "bias" in name:
                weight += torch.randn_like(weight) * 0.3
            elif "straight" in name or "diagonal" in name:
                weight *= 1.7
            else:
                weight += torch.randn_like(weight) * (1.0 if "value3" in name else 0.1)
    return student.double().eval()  # sums of the last layers need more than 24 bits


def random_cells(side, count):
    """Boards from empty to half full, stones in clumps."""
    cells = torch.zeros(count, side, side, dtype=torch.long)
    for i in range(count):
        stones = int(torch.randint(0, side * side // 2, (1,)))
        spread = 1 + 4 * torch.rand(1)
        at = (torch.randn(stones, 2) * spread + side / 2).long().clamp(0, side - 1)
        cells[i, at[:, 0], at[:, 1]] = torch.randint(1, 3, (stones,))
    return cells


def integers(x, scale):
    return torch.floor((torch.round(x * scale * 64) + 32) / 64).int()


def check_exact(student, rule, sides, positions, path):
    students.export(student, path, [rule], (5, students.SIDE_MAX), {"random": True})
    spread = set()
    for number, side in enumerate(sides):
        mover = number % 2
        cells = random_cells(side, positions // len(sides) + 1)
        with torch.no_grad():
            value, logits = student(cells, torch.full((len(cells),), side),
                                    torch.full((len(cells),), mover))
        empty = cells.reshape(len(cells), -1) == 0
        for name in LIBRARIES:
            values, policies = goren.probe(goren.library(name), path, rule, mover, cells)
            assert torch.equal(values, integers(value, students.EVAL_SCALE).clamp(-8000, 8000)), \
                f"{name}, {side}x{side}: values differ"
            assert torch.equal(policies[empty], integers(logits, students.POLICY_SCALE)[empty]), \
                f"{name}, {side}x{side}: policies differ"
            spread.update(values.tolist())
    assert len(spread) > positions / 4, "the positions hardly differ"


def check_read(student, alike, rule, path):
    """What is read from a file is the network that was written to it."""
    students.export(student, path, [rule], (5, students.SIDE_MAX), {})
    written = open(path, "rb").read()
    again = students.Student(alike)
    again.begin_from(students.read(path))
    students.export(again, path, [rule], (5, students.SIDE_MAX), {})
    assert open(path, "rb").read() == written, f"{rule}: a network read is not what was written"


def check_repeatable(folder):
    program = os.path.join(os.path.dirname(LIBRARIES[0]), "goren")
    if not os.path.exists(program):
        return print("no build/goren: training not tested")
    games, judged = (os.path.join(folder, name) for name in ("small.games", "judged.games"))
    for more in (["--games", "6", "--sizes", "10", "--out", games],
                 ["--games", "90", "--relabel", games, "--out", judged]):
        subprocess.run([program, "selfplay", "--nodes", "200", *more], check=True,
                       capture_output=True)
    arguments = ["--games", games, judged, "--steps", "4", "--batch", "32", "--report-every", "2",
                 "--held", judged, "--device", "cpu", "--threads", "1", "--lib", LIBRARIES[0],
                 "--out", os.path.join(folder, "x.net")]
    first, second = (distil.train(distil.parse(arguments)) for _ in range(2))
    assert first == second, "not repeatable"
    return None


def main():
    if not LIBRARIES:
        raise SystemExit("usage: test_student.py LIBRARY... (make train-lib makes build/libgoren-train.so)")
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.net")
        check_exact(random_student(True), "freestyle", range(10, 23), POSITIONS, path)
        check_exact(random_student(False), "renju", (14, 15), POSITIONS // 10, path)
        check_read(random_student(True), True, "freestyle", path)
        check_read(random_student(False), False, "renju", path)
        check_repeatable(folder)
    print("test-student: ok")


if __name__ == "__main__":
    main()
