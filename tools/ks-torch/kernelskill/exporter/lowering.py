"""From the torch dialect to linalg on tensors, by torch-mlir's passes.

The list is torch-mlir's own (torchdynamo-export-to-torch-backend-pipeline, then
torch-backend-to-linalg-on-tensors-backend-pipeline) without two of its passes: the
inliner, which would take apart what is outlined on purpose, and the verifier of the
result, which refuses calls. What it would find is found here.
"""

from __future__ import annotations

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

from kernelskill.errors import ExportError
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


class _Collector:
    """Errors that passes emit, in order."""

    def __init__(self) -> None:
        self.errors: list[tuple[str, str]] = []  # message, location

    def __call__(self, diagnostic: ir.Diagnostic) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            self.errors.append((str(diagnostic), str(diagnostic.location)))
        return True


def lower(module: ir.Module) -> None:
    """Lowers in place; raises ExportError at the operation that stays."""
    collector = _Collector()
    context = module.context
    handler = context.attach_diagnostic_handler(collector)
    try:
        with context:
            PassManager.parse(PIPELINE).run(module.operation)
        _check(module)
    except ExportError:
        raise
    except Exception as error:
        raise _explain(collector.errors, error) from error
    finally:
        handler.detach()


def _explain(errors: list[tuple[str, str]], error: Exception) -> ExportError:
    for message, where in errors:
        site = site_of(where)
        if site is not None:
            return ExportError(f"cannot be lowered: {message}", site)
    said = errors[0][0] if errors else str(error).split("\n")[0]
    return ExportError(f"cannot be lowered: {said}")


def _check(module: ir.Module) -> None:
    """No operation of the torch dialect is left."""

    def visit(operation: ir.Operation) -> ir.WalkResult:
        name = operation.name
        if name.startswith(("torch.", "torch_c.")):
            site = site_of(str(operation.location))
            raise ExportError(f"cannot be lowered: {name}", site)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
