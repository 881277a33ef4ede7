"""The errors that users see."""

from __future__ import annotations

import linecache
from typing import NamedTuple


class Site(NamedTuple):
    """Where in the user's program an operation comes from."""

    file: str
    line: int
    module: str  # path in the model, "layers.0.attn"; empty for the model itself
    kind: str  # class of that module
    operation: str  # what was called there, "linear"

    def text(self) -> str:
        """The source line, stripped; empty where it cannot be read."""
        return linecache.getline(self.file, self.line).strip()


class ExportError(Exception):
    """A model, or a part of it, cannot be exported.

    The message names the operation, the module it is in and the line of the user's
    program; `site` has them apart.
    """

    def __init__(self, message: str, site: Site | None = None) -> None:
        self.reason = message
        self.site = site
        super().__init__(message if site is None else _placed(message, site))


def _placed(message: str, site: Site) -> str:
    where = []
    if site.module or site.kind:
        where.append(f"in module '{site.module or '(model)'}' ({site.kind})")
    if site.operation:
        where.append(f"at '{site.operation}'")
    lines = [f"{site.file}:{site.line}: {message}"]
    if where:
        lines.append("  " + " ".join(where))
    if text := site.text():
        lines.append(f"    {text}")
    return "\n".join(lines)
