"""Exported models as packages on disk, with what belongs to them beside them.

`<name>.ksp` is the package, `<name>.json` says how it was made and holds the report,
`<name>.constants.pt` holds large tensors that are part of the graph and of no model.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from kernelskill.compiling import CompileOptions, compile_package

if TYPE_CHECKING:
    from kernelskill.exporter import Exported


def _notes(package: Path) -> Path:
    return package.with_suffix(".json")


def _constants(package: Path) -> Path:
    return package.with_suffix(".constants.pt")


def make(
    exported: Exported,
    package: Path,
    options: CompileOptions,
    constants: Mapping[str, torch.Tensor],
    sizes: Mapping[str, int] | None = None,
) -> None:
    """Compiles `exported` to the file `package`. The package comes last: a reader that
    finds it finds the rest too."""
    with tempfile.TemporaryDirectory(dir=package.parent) as scratch:
        folder = Path(scratch)
        exported.save(folder / "model.mlir", weights=False)
        made = folder / "model.ksp"
        report = compile_package(folder / "model.mlir", made, options, sizes)
        notes = {"budget": options.budget, "host": options.host, "report": report}
        (folder / "notes").write_text(json.dumps(notes))
        if constants:
            values = {k: t.detach().cpu().contiguous() for k, t in constants.items()}
            torch.save(values, folder / "constants")
            os.replace(folder / "constants", _constants(package))
        os.replace(folder / "notes", _notes(package))
        os.replace(made, package)


def report_of(package: Path, options: CompileOptions) -> dict[str, Any] | None:
    """The report of a package that was made with at least these options; None if there
    is no such package."""
    try:
        notes = json.loads(_notes(package).read_text())
    except (OSError, ValueError):
        return None
    enough = notes["budget"] >= options.budget and notes["host"] >= options.host
    return notes["report"] if enough and package.is_file() else None


def constants_of(package: Path, device: torch.device) -> dict[str, torch.Tensor]:
    """The tensors that were kept with a package, on `device`."""
    path = _constants(package)
    if not path.is_file():
        return {}
    return torch.load(path, map_location=device, weights_only=True)
