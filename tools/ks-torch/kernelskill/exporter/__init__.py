"""Exports PyTorch modules as MLIR: linalg on tensors, as ks-opt reads it.

    exported = kernelskill.export(module, (x,))
    exported.save("model.mlir")

The road: `arguments` (what the model reads) → `trace` (a functional graph) → `graph`
(constants and random numbers) → `importer` and `lowering` (torch-mlir) → `finish`
(loops, signature). docs/PyTorch.md says what can be exported and what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from kernelskill.errors import ExportError
from kernelskill.exporter.program import Exported

__all__ = ["ExportError", "Exported", "export"]


def export(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
) -> Exported:
    """Exports `module` as it answers `module(*args, **kwargs)`.

    args, kwargs  an example: the shapes and types of its tensors are those of the
                  program, its numbers, strings and flags are facts (guards). Values
                  of tensors do not count, and fake tensors will do.
    dynamic       names of dimensions that may have other sizes when the program is
                  called: {"x": {0: "batch"}}

    Raises ExportError, which names the module and the line, for what cannot be
    exported. `module` is left as it was.
    """
    from kernelskill.exporter.pipeline import export_module

    return export_module(module, args, kwargs or {}, dynamic or {})
