"""Where in the user's program an exception was raised."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

import torch

from kernelskill.errors import Site
from kernelskill.exporter.recorded import Recorded, site_of_record
from kernelskill.exporter.sources import Names


class _Raised:
    """A frame of a traceback: its line is that of the raise, not of the frame now."""

    def __init__(self, trace: TracebackType) -> None:
        self.f_code = trace.tb_frame.f_code
        self.f_lineno = trace.tb_lineno
        self.f_locals = trace.tb_frame.f_locals


def _operation(frames: Sequence[_Raised]) -> str:
    """The ATen operation that was being dispatched."""
    for frame in frames:
        called = frame.f_locals.get("func")
        if isinstance(called, torch._ops.OpOverload):
            return str(called)
    return ""


def site_of_error(error: BaseException, names: Names) -> Site | None:
    """The user's line, module and operation that `error` comes from."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append(_Raised(trace))
        trace = trace.tb_next
    frames.reverse()
    operation = _operation(frames)
    for frame in frames:
        node = frame.f_locals.get("node")
        if isinstance(frame.f_locals.get("self"), Recorded) and node is not None:
            site = site_of_record(node)
            return site._replace(operation=operation) if site else None
    return names.site(iter(frames), operation)
