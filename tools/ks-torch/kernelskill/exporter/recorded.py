"""Graphs that somebody else has captured: Dynamo, or aot_autograd after it.

Their nodes know where they come from. They run as they are, under the same modes as
a module.
"""

from __future__ import annotations

import re
from typing import Any

import torch

from kernelskill.errors import Site
from kernelskill.exporter.sources import Sites, is_users

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


def site_of_record(node: torch.fx.Node) -> Site | None:
    """The site of a node of a captured graph."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    users = [frame for frame in frames if is_users(frame[0])] or frames
    if not users:
        return None
    file, line = users[-1]
    modules = list((node.meta.get("nn_module_stack") or {}).values())
    path, kind = modules[-1][:2] if modules else ("", "")
    kind = kind.__name__ if isinstance(kind, type) else str(kind).rpartition(".")[2]
    path = re.sub(r"^L\['self'\]\.?|^L__self__[._]?", "", str(path))
    return Site(file, int(line), path, kind, "")


class Recorded(torch.fx.Interpreter):
    """Runs a captured graph, whose nodes know where they come from."""

    def __init__(self, graph: torch.fx.GraphModule, sites: Sites) -> None:
        super().__init__(graph)
        self._sites = sites

    def run_node(self, node: torch.fx.Node) -> Any:
        self._sites.known = site_of_record(node)
        if node.target is torch.ops.aten.view.default:
            # What eager mode lays out as this view needs it may lie otherwise here.
            args, kwargs = self.fetch_args_kwargs_from_env(node)
            return torch.ops.aten.reshape.default(*args, **kwargs)
        return super().run_node(node)
