"""The namespace is worth its name: what runs inside reaches the API and nothing else."""
from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from tests.support.netns import Network

PROBE = """
import socket, sys
def reaches(port):
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return False
    return True
print([reaches(int(port)) for port in sys.argv[1:]], [name for _, name in socket.if_nameindex()])
"""


def test_inside_only_the_own_loopback_is_reached() -> None:
    with Network() as network, network.listener() as inside, socket.create_server(("127.0.0.1", 0)) as outside:
        if not network.isolated:
            pytest.skip("this machine gives no network namespace; the client then runs on the plain loopback")
        ports = [str(end.getsockname()[1]) for end in (inside, outside)]
        command = network.command([sys.executable, "-I", "-S", "-c", PROBE, *ports])
        seen = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert seen.stdout == "[True, False] ['lo']\n", seen.stderr


def test_without_namespaces_the_plain_loopback_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with Network() as network, network.listener() as listener:
        assert not network.isolated
        assert network.command(["true"]) == ["true"]
        socket.create_connection(listener.getsockname(), 5).close()


def test_nothing_is_left_of_the_namespace() -> None:
    with Network() as network:
        holder = network._holder
    assert holder is None or holder.returncode == 0
