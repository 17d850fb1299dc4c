"""A headless Chromium, driven over its debugging pipe: no port, no driver, a profile of its own, ended by its pid."""
from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 30.0  # seconds for one answer
QUIET = (
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--password-store=basic",
)  # fmt: skip
# The browser takes its orders from descriptor 3 and answers on 4.
PLACED = """
import fcntl, os, sys
reading, writing = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def program() -> str:
    """The installed browser, "" when there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), "")


class Browser:
    """One process with one page at a time; use as a context manager."""

    def __init__(self, path: str, folder: Path) -> None:
        reading, self._write = os.pipe()
        self._read, writing = os.pipe()
        # Root may not use the sandbox; everybody else does.
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        argv = [path, *QUIET, *sandbox, f"--user-data-dir={folder / 'profile'}", "about:blank"]
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}
        placed = [sys.executable, "-I", "-S", "-c", PLACED, str(reading), str(writing), *argv]
        self._process = subprocess.Popen(
            placed, env=env, cwd=folder, pass_fds=(reading, writing), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(reading)
        os.close(writing)
        self._buffer = b""
        self._last = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        try:
            target = self.send("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.send(f"{domain}.enable")
        except (AssertionError, OSError):
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and all it started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One order and its answer; AssertionError when the browser refuses it or does not answer."""
        self._last += 1
        order: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._write, json.dumps(order).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            message = self._message(end)
            if message.get("id") == self._last:
                assert "error" not in message, (method, message["error"])
                answer: dict[str, Any] = message["result"]
                return answer
            self.events.append(message)

    def _message(self, end: float) -> dict[str, Any]:
        import select

        while b"\0" not in self._buffer:
            ready = select.select([self._read], [], [], max(0.0, end - time.monotonic()))[0]
            assert ready, f"the browser did not answer within {PATIENCE} s"
            piece = os.read(self._read, 1 << 20)
            assert piece, "the browser ended"
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def look(self, *, width: int = 1280, height: int = 900, dark: bool = False, printed: bool = False) -> None:
        """How the page is to be seen: window, colour scheme, on paper or not."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", media="print" if printed else "", features=scheme)

    def open(self, address: str) -> None:
        """Go there and wait until it has loaded."""
        self.events.clear()
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE
        while self.run("document.readyState") != "complete" or self.run("location.href") == "about:blank":
            assert time.monotonic() < end, f"{address} did not load"
            time.sleep(0.02)

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        told = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """One key, as a person presses it."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27}
        more: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": codes.get(key, 0)}
        if text:
            more["text"] = text
        self.send("Input.dispatchKeyEvent", type="keyDown", **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in more.items() if k != "text"})

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """A screenshot, of the whole page or of the window."""
        made = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(made["data"]))

    def asked(self) -> list[str]:
        """The addresses that the page has asked for since it was opened, refused ones too."""
        found = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]  # fmt: skip
        return [address for address in found if address != "about:blank"]

    def refused(self) -> list[str]:
        """What the page's policy has refused, in the browser's words."""
        entries = [event["params"]["entry"]["text"] for event in self.events if event.get("method") == "Log.entryAdded"]
        return [text for text in entries if "Content Security Policy" in text]
