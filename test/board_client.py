# SPDX-License-Identifier: MIT
"""A client of goren serve for tests: WebSocket by hand (RFC 6455), the protocol of docs/protocol.md.

Server starts one on a free port and kills it in the end; Page is one connection. Nothing here is
lenient: what is not as the documents say raises.
"""
import base64
import gzip
import hashlib
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Closed(Exception):
    """The connection ended; code and reason if the server said them."""

    def __init__(self, code=None, reason=""):
        super().__init__(f"closed {code} {reason}")
        self.code, self.reason = code, reason


class Refused(Exception):
    def __init__(self, reply):
        super().__init__(f"{reply.get('code')}: {reply.get('error')}")
        self.code, self.reply = reply.get("code"), reply


class Server:
    def __init__(self, store, *options, goren=None):
        self.command = [goren or os.environ["GOREN"], "serve", "--port", "0", "--store", store,
                        *options]
        self.start()

    def start(self, port=0):
        command = list(self.command)
        command[command.index("--port") + 1] = str(port)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True)
        line = self.process.stdout.readline()
        found = re.search(r"://([^/]*):(\d+)/", line)
        if not found:
            raise RuntimeError(f"no address: {line}{self.process.stderr.read()}")
        self.port = int(found.group(2))

    def stop(self, how=signal.SIGTERM):
        """Ends it and returns its exit code."""
        self.process.send_signal(how)
        self.process.communicate(timeout=30)
        return self.process.returncode

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def http(port, request, timeout=10):
    """Sends bytes, returns everything that comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as sock:
        sock.sendall(request)
        answer = b""
        try:
            while True:
                more = sock.recv(65536)
                if not more:
                    break
                answer += more
        except socket.timeout:
            pass
        return answer


def get(port, path, headers=()):
    """Status, headers (small letters) and unpacked body."""
    lines = [f"GET {path} HTTP/1.1", f"Host: localhost:{port}", "Accept-Encoding: gzip",
             "Connection: close", *headers]
    answer = http(port, ("\r\n".join(lines) + "\r\n\r\n").encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    words = head.decode("latin-1").split("\r\n")
    found = dict((k.lower(), v.strip()) for k, _, v in (line.partition(":") for line in words[1:]))
    if found.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    return int(words[0].split()[1]) if words[0] else 0, found, body


class Page:
    """One connection. Events that came while a reply was waited for are kept in `events`."""

    def __init__(self, port, hello=True, token=None, headers=(), path="/ws", protocol="goren.v1",
                 host=None, tls=None):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=30)
        if tls:
            self.sock = tls.wrap_socket(self.sock, server_hostname="localhost")
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes, self.events, self.next_id = b"", [], 1
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'localhost:{port}'}",
                 "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}",
                 "Sec-WebSocket-Version: 13", *headers]
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        self.sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            more = self.sock.recv(4096)
            if not more:
                raise Closed()
            head += more
        head, _, self.bytes = head.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Closed(reason=head.decode("latin-1"))
        accept = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest())
        assert accept in head, head
        self.hello = self.ask("hello", protocol=1, client=token) if hello else None

    # ---- frames ----

    def send_frame(self, payload, opcode=1, final=True):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([opcode | (0x80 if final else 0)])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack("!H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack("!Q", size)
        whole = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(size, "big")
        self.sock.sendall(head + mask + masked)

    def need(self, count, deadline):
        while len(self.bytes) < count:
            left = deadline - time.monotonic()
            held = getattr(self.sock, "pending", lambda: 0)()
            if left <= 0 or not (held or select.select([self.sock], [], [], left)[0]):
                raise TimeoutError("nothing came")
            more = self.sock.recv(65536)
            if not more:
                raise Closed()
            self.bytes += more

    def read_frame(self, deadline):
        self.need(2, deadline)
        size, start = self.bytes[1] & 127, 2
        if size == 126:
            self.need(4, deadline)
            size, start = struct.unpack("!H", self.bytes[2:4])[0], 4
        elif size == 127:
            self.need(10, deadline)
            size, start = struct.unpack("!Q", self.bytes[2:10])[0], 10
        self.need(start + size, deadline)
        first, payload = self.bytes[0], self.bytes[start:start + size]
        self.bytes = self.bytes[start + size:]
        return first & 15, bool(first & 128), payload

    def read(self, timeout=30):
        """The next message as an object."""
        deadline = time.monotonic() + timeout
        text = b""
        while True:
            opcode, final, payload = self.read_frame(deadline)
            if opcode == 8:
                code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else None
                raise Closed(code, payload[2:].decode("utf-8", "replace"))
            if opcode == 9:
                self.send_frame(payload, 10)
                continue
            if opcode == 10:
                continue
            text += payload
            if final:
                return json.loads(text)

    # ---- messages ----

    def send(self, verb, **fields):
        """Sends a request and returns its id."""
        number, self.next_id = self.next_id, self.next_id + 1
        self.send_frame(json.dumps({"id": number, "do": verb, **fields}).encode())
        return number

    def reply(self, number, timeout=60):
        deadline = time.monotonic() + timeout
        while True:
            message = self.read(deadline - time.monotonic())
            if "on" in message:
                self.events.append(message)
            elif message["re"] == number:
                if not message["ok"]:
                    raise Refused(message)
                return message
            else:
                raise AssertionError(f"a reply to nothing: {message}")

    def ask(self, verb, timeout=60, **fields):
        return self.reply(self.send(verb, **fields), timeout)

    def event(self, kind, wanted=lambda event: True, timeout=60):
        """The next event of a kind for which wanted holds; those before it are dropped."""
        deadline = time.monotonic() + timeout
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["on"] == kind and wanted(event):
                    return event
            message = self.read(deadline - time.monotonic())
            if "on" not in message:
                raise AssertionError(f"a reply that nobody waits for: {message}")
            self.events.append(message)

    def close(self):
        self.sock.close()
