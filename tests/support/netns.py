"""A network of its own for the client under test: a namespace that has a loopback and nothing else.

`Network` keeps one small process alive inside the namespace; commands join it with nsenter and the API's listening
socket is made inside and handed out. Where namespaces are not to be had, both fall back to the plain loopback.
"""
from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from types import TracebackType

# Runs inside the namespace: lo up (SIOCSIFFLAGS, IFF_UP | IFF_RUNNING), a listener for each byte, ends with us.
HOLDER = """
import fcntl, socket, struct, sys
peer = socket.socket(fileno=int(sys.argv[1]))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
peer.sendall(b"!")
while peer.recv(1):
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        socket.send_fds(peer, [b"+"], [listener.fileno()])
"""


class Network:
    """Either a namespace of its own (`isolated` is True) or the machine's loopback."""

    def __init__(self) -> None:
        self.isolated = False
        self._holder: subprocess.Popen[bytes] | None = None
        self._peer: socket.socket | None = None
        self._join: list[str] = []

    def __enter__(self) -> Network:
        if shutil.which("unshare") and shutil.which("nsenter"):
            # The superuser needs no user namespace; everybody else needs one to be allowed a network namespace.
            self.isolated = self._start([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def command(self, argv: list[str]) -> list[str]:
        """`argv` as it is to be started so that it runs in this network, without a process in between."""
        return [*self._join, *argv]

    def listener(self) -> socket.socket:
        """A socket listening on 127.0.0.1 inside this network; it is usable from outside it."""
        if self._peer is None:
            return socket.create_server(("127.0.0.1", 0), backlog=64)
        self._peer.sendall(b"?")
        _, descriptors, _, _ = socket.recv_fds(self._peer, 1, 1)
        return socket.socket(fileno=descriptors[0])

    def _start(self, user: list[str]) -> bool:
        ours, theirs = socket.socketpair()
        ours.settimeout(10)
        command = ["unshare", *user, "--net", sys.executable, "-I", "-S", "-c", HOLDER, str(theirs.fileno())]
        with theirs:
            # An environment without a test's own mark: the holder must not count as a process the product left.
            environment = {"PATH": os.environ["PATH"]}
            holder = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()], stderr=subprocess.DEVNULL)
        self._holder, self._peer = holder, ours
        try:
            ready = ours.recv(1) == b"!"
        except (TimeoutError, ConnectionError):
            ready = False
        join = ["nsenter", f"--target={holder.pid}", "--net"]
        self._join = [*join, "--user", "--preserve-credentials", "--"] if user else [*join, "--"]
        if not ready or subprocess.run(self.command(["true"]), stderr=subprocess.DEVNULL).returncode:
            self._stop()
            return False
        return True

    def _stop(self) -> None:
        if self._peer is not None:
            self._peer.close()
        if self._holder is not None:
            try:
                self._holder.wait(10)
            except subprocess.TimeoutExpired:
                self._holder.kill()
                self._holder.wait()
        self._holder, self._peer, self._join = None, None, []
