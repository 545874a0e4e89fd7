# SPDX-License-Identifier: MIT
"""A brain as a process: what cli_brain and soak share."""
import glob
import os
import queue
import re
import subprocess
import threading
import time

POINT = re.compile(r"(\d+),(\d+)$")


class Brain:
    """Lines to and from a brain; messages are kept apart from answers."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = []
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for raw in self.process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            if line.startswith(("MESSAGE", "DEBUG")):
                self.messages.append(line)
            else:
                self.lines.put((line, time.monotonic()))
        self.lines.put((None, time.monotonic()))

    def send(self, *lines, end="\r\n"):
        self.process.stdin.write("".join(line + end for line in lines).encode())
        self.process.stdin.flush()

    def answer(self, seconds=10):
        """The next answer; None when the brain has gone; TimeoutError."""
        try:
            return self.lines.get(timeout=seconds)[0]
        except queue.Empty:
            raise TimeoutError(f"no answer in {seconds} s") from None

    def ask(self, *lines, seconds=10):
        """The answer, and how long it took."""
        start = time.monotonic()
        self.send(*lines)
        answer = self.answer(seconds)
        return answer, time.monotonic() - start

    def peak_kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s*(\d+)", file.read()).group(1))

    def cpu_seconds(self):
        """What the process has computed so far."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def waited_seconds(self):
        """By thread: how long it was ready to run and had no processor."""
        waited = {}
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat"):
            try:
                with open(path, encoding="ascii") as file:
                    waited[path] = int(file.read().split()[1]) / 1e9
            except (OSError, IndexError):  # the thread has just ended
                pass
        return waited

    def close(self, seconds=20):
        """END; returns the exit code and how long that took, which is for the caller to judge."""
        start = time.monotonic()
        try:
            self.send("END")
        except OSError:
            pass
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()
        return code, time.monotonic() - start


def program():
    return os.environ["GOREN"]
