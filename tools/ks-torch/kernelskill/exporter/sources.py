"""Where in the user's program each operation comes from.

While a model runs, `Sites` sees every call of a torch function and walks the stack
once: the innermost frame that is not PyTorch's is the user's line, the innermost
method of one of the model's modules names the module. The site travels in the
metadata of the graph's nodes, through decompositions, to MLIR's locations and to
error messages. What a function runs as in an export, `replacing` says.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

import torch
import torch.fx.traceback as fx_traceback
from torch.overrides import TorchFunctionMode

from kernelskill.errors import ExportError, Site
from kernelskill.exporter import replacing

_KEY = "kernelskill_site"  # in the "custom" metadata of a node

_TORCH = os.path.dirname(torch.__file__) + os.sep
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

# Outside of this file's frame is who called for an export, not the model.
_CALLER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace.py")


def is_users(file: str) -> bool:
    """Whether `file` is neither PyTorch's, nor ours, nor made up."""
    return not file.startswith((_TORCH, _OURS, "<"))


def _owner(frame: Any) -> Any:
    """The first argument of the function that runs in `frame`."""
    code = frame.f_code
    if not code.co_argcount:
        return None
    return frame.f_locals.get(code.co_varnames[0])


class Names:
    """The paths of a model's modules."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._paths = {id(m): path for path, m in model.named_modules()}

    def of(self, owner: object) -> str | None:
        if isinstance(owner, torch.nn.Module):
            return self._paths.get(id(owner))
        return None

    def site(self, frames: Iterator[Any], operation: str) -> Site | None:
        """The site of the stack `frames`, from the inside out."""
        line: tuple[str, int] | None = None
        torchs: tuple[str, int] | None = None
        path, kind = None, ""
        for frame in frames:
            file = frame.f_code.co_filename
            if file == _CALLER:
                break
            if line is None and is_users(file):
                line = file, frame.f_lineno
            elif torchs is None and f"{os.sep}nn{os.sep}modules" in file:
                torchs = file, frame.f_lineno
            if path is None:
                owner = _owner(frame)
                path = self.of(owner)
                kind = type(owner).__name__ if path is not None else ""
            if line is not None and path is not None:
                break
        line = line or torchs
        if line is None:
            return None
        return Site(*line, path or "", kind, operation)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _name(function: Any) -> str:
    return getattr(function, "__name__", None) or str(function)


def site_of(node: torch.fx.Node | None) -> Site | None:
    """Where a node of a traced graph comes from."""
    return node.meta.get("custom", {}).get(_KEY) if node is not None else None


def _is_foreign(x: Any) -> bool:
    """Whether a tensor is none of the trace's own."""
    plain = type(x) in (torch.Tensor, torch.nn.Parameter)
    return plain and not torch._C._functorch.is_functorch_wrapped_tensor(x)


_IN_PLACE = {"__setitem__"} | {
    f"__i{name}__"
    for name in (
        *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow"),
        *("and", "or", "xor", "lshift", "rshift"),
    )
}


def _writes(name: str) -> bool:
    """Whether a function of this name changes its first argument."""
    if name == "requires_grad_":
        return False
    return name in _IN_PLACE or name.endswith("_") and not name.startswith("__")


@contextlib.contextmanager
def at(site: Site | None) -> Iterator[None]:
    """Nodes that are made in this context come from `site`."""
    if site is None:
        yield
        return
    with fx_traceback.annotate({_KEY: site}):
        yield


class Sites(TorchFunctionMode):
    """Gives nodes their sites, and runs the replacements of functions."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names
        self.known: Site | None = None  # instead of what the stack says

    def _site(self, name: str) -> Site | None:
        if self.known is not None:
            return self.known._replace(operation=name)
        return self._names.site(_outwards(sys._getframe(2)), name)

    def __torch_function__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        name = _name(func)
        kwargs = kwargs or {}
        if name in ("__get__", "size", "dim"):
            return func(*args, **kwargs)
        site = self._site(name)
        if _writes(name) and args and _is_foreign(args[0]):
            raise ExportError(
                "forward writes to a tensor that the model does not hold and that it "
                "was not given",
                site,
            )
        with at(site):
            return replacing.run(func, args, kwargs)
