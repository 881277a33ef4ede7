"""MLIR locations of the user's lines: `loc("layers.0.attn"("model.py":12:0))`.

The name is the module's path in the model, the file is the line in the user's program
that called the operation; ks-cut-kernels names kernels after it.
"""

from __future__ import annotations

import os
import re

from torch_mlir import ir

from kernelskill.errors import Site

_NAMED = re.compile(r'loc\("(?P<module>[^"]*)"\("(?P<file>[^"]*)":(?P<line>\d+):')
_SITES: dict[tuple[str, str, int], Site] = {}


def short(file: str) -> str:
    """A file's name as readers know it: from the working folder on, or from the
    folder of installed packages on; otherwise whole."""
    for marker in (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}"):
        if marker in file:
            return file.rsplit(marker, 1)[1]
    relative = os.path.relpath(file)
    return file if relative.startswith(os.pardir) else relative


def location(site: Site, context: ir.Context) -> ir.Location:
    """The location of what `site` made."""
    file = short(site.file)
    _SITES[site.module, file, site.line] = site
    line = ir.Location.file(file, site.line, 0, context=context)
    return ir.Location.name(site.module or "forward", line, context=context)


def site_of(text: str) -> Site | None:
    """The site of a location that `location` made, from how it prints."""
    found = _NAMED.search(text)
    if not found:
        return None
    module = "" if found["module"] == "forward" else found["module"]
    return _SITES.get((module, found["file"], int(found["line"])))
