"""PyTorch models to GPU kernels.

What is here is imported when it is first asked for: `import kernelskill` costs
milliseconds, and what runs a package does not load what exports a model.
"""

from __future__ import annotations

import importlib

# The name that users see, and where it is.
_PLACES = {
    "CompileError": "kernelskill.compiling",
    "CompileOptions": "kernelskill.compiling",
    "CompiledModel": "kernelskill.optimizing",
    "EagerWarning": "kernelskill.backend",
    "GuardError": "kernelskill.calling",
    "Package": "kernelskill.program",
    "Program": "kernelskill.program",
    "export": "kernelskill.exporter",
    "Exported": "kernelskill.exporter",
    "ExportError": "kernelskill.errors",
    "library_op": "kernelskill.program",
    "load": "kernelskill.program",
    "optimize": "kernelskill.optimizing",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'kernelskill' has no attribute '{name}'")
    value = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_PLACES))
