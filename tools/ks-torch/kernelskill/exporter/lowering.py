"""From the torch dialect to linalg on tensors, by torch-mlir's passes.

The list is torch-mlir's own (torchdynamo-export-to-torch-backend-pipeline, then
torch-backend-to-linalg-on-tensors-backend-pipeline) without two of its passes: the
inliner, which would take apart what is outlined on purpose, and the verifier of the
result, which refuses calls. What it would find is found here.
"""

from __future__ import annotations

import re

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

from kernelskill.errors import ExportError, Site
from kernelskill.exporter.locations import site_of

_FUNCTION_PASSES = """
torch-match-quantized-custom-ops torch-reduce-op-variants canonicalize
torch-decompose-complex-ops torch-recompose-complex-ops canonicalize
torch-restructure-non-constant-axes torch-fuse-quantized-ops
convert-torch-to-tmtensor canonicalize convert-torch-to-linalg canonicalize
convert-torch-to-scf convert-torch-to-arith convert-torch-to-tensor
""".split()
_FINAL_PASSES = """
memref-expand canonicalize resolve-shaped-type-result-dims cse
""".split()


def _function(passes: list[str]) -> str:
    return ",".join(f"func.func({name})" for name in passes)


PIPELINE = (
    f"builtin.module({_function(_FUNCTION_PASSES)},"
    f"convert-torch-conversion-to-mlprogram,{_function(_FINAL_PASSES)},"
    "torch-func-backend-type-conversion,func.func(canonicalize),"
    "func.func(torch-finalizing-backend-type-conversion))"
)


class NotLoweredError(ExportError):
    """Operations of the torch dialect stayed; `operations` are their names."""

    def __init__(self, operations: list[str], site: Site | None) -> None:
        super().__init__(f"cannot be lowered: {operations[0]}", site)
        self.operations = operations


# Operands of other operations: they stay because those do.
_OPERANDS = ("torch.constant.", "torch.prim.", "torch.vtensor.literal", "torch_c.")
_NAMED = re.compile(r"failed to legalize operation '(torch\.[\w.]+)'")
_UNKNOWN = re.compile(r'<\{name = "(torch\.[\w.]+)"\}>')  # of a torch.operator


def lower(module: ir.Module) -> None:
    """Lowers in place; raises ExportError at the operation that stays."""
    try:
        with module.context:
            PassManager.parse(PIPELINE).run(module.operation)
    except ir.MLIRError as error:
        raise _explained(error, module) from error
    _check(module)


def _site(where: ir.Location) -> Site | None:
    """Line and module. Which function of PyTorch was called there, when there are
    several on a line, is not in the location: the operation is named anyway."""
    site = site_of(str(where))
    return site._replace(operation="") if site else None


def _explained(error: ir.MLIRError, module: ir.Module) -> ExportError:
    for diagnostic in error.error_diagnostics:
        site = _site(diagnostic.location)
        found = _NAMED.search(diagnostic.message)
        if found and found[1] == "torch.operator":
            found = _UNKNOWN.search(diagnostic.message)
        if not found:
            return ExportError(f"cannot be lowered: {diagnostic.message}", site)
        if not found[1].startswith(_OPERANDS):
            return NotLoweredError([found[1]], site)
        _check(module)  # raises, if it is there that something stays
        return ExportError(f"cannot be lowered: {diagnostic.message}", site)
    return ExportError(f"cannot be lowered: {error}")


def _check(module: ir.Module) -> None:
    """No operation of the torch dialect is left."""
    left: list[tuple[str, Site | None]] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        name = operation.name
        if name == "torch.operator":
            name = ir.StringAttr(operation.attributes["name"]).value
        if name.startswith("torch.") and not name.startswith(_OPERANDS):
            left.append((name, _site(operation.location)))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    if left:
        raise NotLoweredError([name for name, _ in left], left[0][1])
