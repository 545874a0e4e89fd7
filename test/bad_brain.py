#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bad_brain MODE [N]: a Gomocup brain that misbehaves from its Nth move on (default the second).

good      plays the first empty point of the board, row by row
hang      thinks for ever, using the processor        silent   never answers anything
deaf      stops reading its input                     slow     answers N seconds late
crash     ends with a signal                          leave    ends with exit code 0
flood     writes messages without end                 long     writes a line without end
lie       plays on a taken point                      off      plays off the board
babble    answers words                               error    answers ERROR
hog       takes 300 MB more and goes on               family   the same in a child process
mute      never answers ABOUT                         stern    does not know INFO rule: ERROR
drop      drops a command within 2 ms of its move     lost     forgets the board: needs BOARD
orphan    leaves a child behind that outlives it      noisy    writes to stderr
returns   ends its lines with CR alone                two      answers SWAP2BOARD by two stones
swallow   loses the first word after each of its moves, and complains of the second
stay      thinks for ever, and minds neither END nor the end of its input; nor does a child it has
strong    expects to be asked in its own folder, and reads a file there
"""
import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
N = float(sys.argv[2]) if len(sys.argv) > 2 else 2


class Brain:
    def __init__(self):
        self.size = (15, 15)
        self.taken = set()
        self.moves = 0
        self.answered = 0.0
        self.buffer = b""
        self.keep = []
        self.hungry = False

    def say(self, text):
        os.write(1, text.encode() + (b"\r" if MODE == "returns" else b"\n"))

    def lines(self):
        while True:
            chunk = os.read(0, 65536)
            if not chunk:
                return
            arrived = time.monotonic()
            if MODE == "drop" and arrived - self.answered < 0.002:
                self.buffer = b""
                continue
            self.buffer += chunk
            *whole, self.buffer = self.buffer.split(b"\n")
            if MODE == "swallow" and self.hungry and whole:
                whole[0] = whole[0].partition(b" ")[2]
                self.hungry = False
            for line in whole:
                yield line.decode().strip()

    def free(self):
        step = 2 if MODE == "slow" else 1  # no two of its stones touch: a long game
        for y in range(0, self.size[1], step):
            for x in range(0, self.size[0], step):
                if (x, y) not in self.taken:
                    return x, y
        return 0, 0

    def misbehave(self):
        """True when the answer was given here."""
        if MODE == "hang":
            while True:
                pass
        if MODE in ("silent", "stay"):
            time.sleep(1000)
        if MODE == "slow":
            time.sleep(N)
        if MODE == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if MODE == "leave":
            sys.exit(0)
        if MODE == "flood":
            while True:
                os.write(1, b"MESSAGE thinking and thinking\n" * 100)
        if MODE == "long":
            while True:
                os.write(1, b"x" * 4096)
        if MODE == "hog":
            self.keep.append(bytearray(os.urandom(1 << 20) * 300))
        if MODE == "family" and not self.keep:
            code = "import os,time; b=bytearray(os.urandom(1<<20)*300); print('up',flush=True); time.sleep(60)"
            child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                                     stdin=subprocess.DEVNULL, start_new_session=True)
            child.stdout.readline()
            self.keep.append(child)
        if MODE == "orphan":
            subprocess.Popen(["sleep", "987"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             start_new_session=True)
        answer = {"lie": "%d,%d" % next(iter(self.taken), (0, 0)), "off": "15,3", "babble": "hello",
                  "error": "ERROR I give up"}.get(MODE)
        if answer:
            self.say(answer)
        return bool(answer)

    def move(self):
        self.moves += 1
        late = MODE == "slow" or self.moves >= N
        if late and self.misbehave():
            return
        x, y = self.free()
        self.taken.add((x, y))
        self.hungry = True
        self.answered = time.monotonic()
        self.say(f"{x},{y}")

    def board(self, lines):
        self.taken = set()
        for line in lines:
            if line == "DONE":
                break
            x, y, _ = (int(part) for part in line.split(","))
            self.taken.add((x, y))
        self.move()

    def run(self):
        lines = self.lines()
        stern = False
        for line in lines:
            word, _, rest = line.partition(" ")
            if word in ("START", "RECTSTART"):
                if MODE == "deaf":
                    self.say("OK")
                    time.sleep(1000)
                sides = [int(part) for part in rest.split(",")]
                self.size = (sides[0], sides[-1])
                if MODE == "strong" and not os.path.exists("bad_brain.py"):
                    self.say("ERROR not in my folder")
                    continue
                self.say("OK")
            elif word == "INFO":
                stern = stern or (MODE == "stern" and rest.startswith("rule"))
            elif word == "ABOUT":
                if MODE != "mute":
                    self.say(f'name="{MODE}", version="1.0"')
            elif stern:
                self.say("ERROR INFO rule")
            elif word == "BEGIN":
                self.move()
            elif word == "TURN":
                if MODE == "lost":
                    self.say("ERROR TURN")
                    continue
                self.taken.add(tuple(int(part) for part in rest.split(",")))
                self.move()
            elif word == "BOARD":
                self.board(lines)
            elif word == "SWAP2BOARD" and MODE == "two":
                stones = [stone for stone in iter(lambda: next(lines), "DONE")]
                self.say("0,1 1,2" if stones else "7,7 8,7 9,9")
            elif word == "END" and MODE != "stay":
                return
            elif MODE == "swallow":
                self.say("ERROR Unknown command: " + line)
            else:
                self.say("UNKNOWN command")
            if MODE == "noisy":
                os.write(2, b"noise\n")


if MODE == "stay":
    SLEEPER = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    os.write(2, f"{os.getpid()} {SLEEPER.pid}\n".encode())
Brain().run()
if MODE == "stay":
    time.sleep(1000)
