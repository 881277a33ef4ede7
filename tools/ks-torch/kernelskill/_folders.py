"""The folders that kernelskill keeps files in."""

from __future__ import annotations

import os
from pathlib import Path


def cache() -> Path:
    """$KS_CACHE, or `kernelskill` in the user's cache folder. It may not exist."""
    if folder := os.environ.get("KS_CACHE"):
        return Path(folder).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "kernelskill"
