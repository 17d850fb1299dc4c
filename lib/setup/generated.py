"""Files of the checkout that code gives: the example, the plugin form, pages of docs/. Tests compare, this writes.

usage: python -m lib.setup.generated        in the checkout's root, after a table was changed
"""

from __future__ import annotations

import os
from pathlib import Path

from lib.host import registration
from lib.setup import pages, plugin_form

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def texts(root: str = ROOT) -> dict[str, str]:
    """Place in the checkout -> what must stand there."""
    return {
        "settings.example.json": registration.example(),
        "docs/settings.md": pages.settings_page(),
        "docs/troubleshooting.md": pages.troubles_page(),
        **plugin_form.files(root),
    }


def main() -> int:
    for place, text in texts().items():
        path = Path(ROOT, place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
