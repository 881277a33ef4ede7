"""Compiled packages, kept from one process to the next and from machine to machine.

A folder of files `<key>.ksp`; copying it to another machine's brings what was compiled
and tuned. A package holds machine code, so the folder must belong to its user.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from kernelskill import _folders


class CacheError(OSError):
    """The cache folder cannot be used."""


def folder() -> Path:
    """The folder of packages, made if it is not there; only its owner may write."""
    path = _folders.cache() / "packages"
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = path.stat()
    except OSError as error:
        raise CacheError(f"the cache folder cannot be made: {error}") from error
    if status.st_uid not in (os.getuid(), 0):
        raise CacheError(f"the cache folder {path} belongs to somebody else")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CacheError(
            f"others may write to the cache folder {path}, which holds code; "
            f"chmod go-w {path}"
        )
    return path


def place(key: str) -> Path:
    """Where the package of this key is, or belongs."""
    return folder() / f"{key}.ksp"
