"""From a functional graph to torch-mlir's torch dialect.

torch-mlir's importer with three additions: locations name the module and the user's
line; small constants are written into the IR; and what is to stay a function of its
own (a scan's loop, attention) becomes a call of a function that is declared here.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import fx_importer

from kernelskill.errors import ExportError
from kernelskill.exporter import operators
from kernelskill.exporter.constants import dense
from kernelskill.exporter.decompositions import attention, table
from kernelskill.exporter.graph import forget_devices
from kernelskill.exporter.locations import location
from kernelskill.exporter.sources import site_of


@dataclasses.dataclass
class Loop:
    """A scan: `name` is declared and called, `body` is the function of one step."""

    name: str
    body: str
    carried: int
    scanned: int
    # Of each stacked result: dimension -> (operand, its dimension) of the same size,
    # for those that are open.
    sizes: list[dict[int, tuple[int, int]]]
    operation: str  # what the body is a step of; empty for a scan of the user's


# What names of functions say of the layer that a loop is.
_LAYERS = {"lstm": "lstm", "gru": "gru", "rnn_tanh": "rnn", "rnn_relu": "rnn"}


def _sizes(result: torch.Tensor, operands: list[torch.Tensor]) -> dict[int, Any]:
    """Where an open size of `result` can be read."""
    found: dict[int, tuple[int, int]] = {}
    for dim, size in enumerate(result.shape):
        if isinstance(size, int):
            continue
        for i, operand in enumerate(operands):
            same = [d for d, s in enumerate(operand.shape) if str(s) == str(size)]
            if same:
                found[dim] = i, same[0]
                break
        else:
            raise ExportError("a scan whose results have a size of their own")
    return found


@dataclasses.dataclass
class Attention:
    """A function that computes scaled dot-product attention of q, k, v and, if it has
    a fourth argument, a mask."""

    name: str
    scale: float
    causal: bool


class _Cache(fx_importer.ContextCache):
    """Types, and locations in our form. Notes which node is being imported."""

    current: torch.fx.Node | None = None

    def get_node_location(self, node: torch.fx.Node) -> ir.Location | None:
        if node.op == "call_function":
            self.current = node
        site = site_of(node)
        return None if site is None else location(site, self._c)


class _Hooks(fx_importer.FxImporterHooks):
    def resolve_literal(self, importer: Any, literal: Any, info: Any) -> Any:
        if not isinstance(literal, torch.Tensor):
            return None
        return ir.Operation.create(
            "torch.vtensor.literal",
            results=[importer._cc.tensor_to_vtensor_type(literal)],
            attributes={"value": dense(literal)},
        ).result


class _Nodes(fx_importer.GraphNodeImporter):
    """Nodes of a graph, with handlers for what becomes a call."""

    def _call(
        self,
        loc: ir.Location,
        node: torch.fx.Node,
        name: str,
        operands: list[torch.fx.Node],
        results: list[torch.Tensor],
    ) -> None:
        """Binds `node` to the results of a call."""
        types = [self._cc.value_info_to_type(value) for value in results]
        values = [self._import_argument(loc, operand) for operand in operands]
        call = ir.Operation.create(
            "func.call",
            attributes={"callee": ir.FlatSymbolRefAttr.get(name)},
            results=types,
            operands=values,
            loc=loc,
        )
        if isinstance(node.meta["val"], (list, tuple)):
            self._multi_result_nodes.add(node)
        for i, value in enumerate(call.results):
            self.bind_node_value(node, value, i)

    def _import_torch_op_overload(self, loc, node, concrete_target=None):
        if node.target is operators.attention:
            name = self.fx_importer.outline_attention(node)
            operands = [n for n in node.args[:4] if n is not None]
            self._call(loc, node, name, operands, [node.meta["val"]])
        else:
            super()._import_torch_op_overload(loc, node, concrete_target)

    def _import_hop_scan(self, loc: ir.Location, node: torch.fx.Node, hop: Any) -> None:
        body, inits, xs, rest = node.args
        operands = [*inits, *xs, *rest]
        module = getattr(node.graph.owning_module, body.target)
        name = self.fx_importer.declare_loop(loc, node, module, len(inits), len(xs))
        self._call(loc, node, name, operands, list(node.meta["val"]))


class Importer(fx_importer.FxImporter):
    """Imports a graph as @main, and the loops that it calls as functions beside it."""

    def __init__(self, context: ir.Context) -> None:
        super().__init__(
            context=context, hooks=_Hooks(), graph_node_importer_cls=_Nodes
        )
        self._cc = _Cache(context, py_attr_tracker=self._py_attr_tracker)
        self.loops: list[Loop] = []
        self.attentions: dict[tuple[Any, ...], Attention] = {}

    def import_main(self, graph: torch.fx.Graph) -> None:
        """Raises ExportError at the node that cannot be imported."""
        try:
            operation = self.import_stateless_graph(graph, func_name="main")
        except ExportError:
            raise
        except Exception as error:
            node = self._cc.current
            what = f"{node.target}: " if node is not None else ""
            text = str(error).split("\n")[0]
            raise ExportError(
                f"cannot be imported: {what}{text}", site_of(node)
            ) from error
        # Sizes that are equal by PyTorch's rules are equal: no run-time broadcasts.
        operation.attributes["torch.assume_strict_symbolic_shapes"] = ir.UnitAttr.get(
            self._c
        )

    def declare_loop(
        self,
        loc: ir.Location,
        node: torch.fx.Node,
        body: torch.fx.GraphModule,
        carried: int,
        scanned: int,
    ) -> str:
        """Declares the function of a scan, and imports its body as a public function,
        which torch-mlir lowers and does not inline."""
        name = f"scan_{len(self.loops)}"
        _, inits, xs, rest = node.args
        operands = [n.meta["val"] for n in (*inits, *xs, *rest)]
        sizes = [_sizes(stack, operands) for stack in node.meta["val"][carried:]]
        site = site_of(node)
        layer = _LAYERS.get(site.operation, "") if site else ""
        self.loops.append(Loop(name, f"{name}_body", carried, scanned, sizes, layer))
        inputs = [self._cc.node_val_to_type(n) for n in (*inits, *xs, *rest)]
        outputs = [self._cc.value_info_to_type(value) for value in node.meta["val"]]
        function_type = ir.FunctionType.get(inputs, outputs, context=self._c)
        with loc:
            func.FuncOp(name, function_type, visibility="private", ip=self._m_ip)
        self.import_stateless_graph(body.graph, func_name=f"{name}_body")
        return name

    def outline_attention(self, node: torch.fx.Node) -> str:
        """The name of the function that computes `node`."""
        tensors = node.args[:4]
        scale, causal = node.args[4:]
        values = [None if n is None else n.meta["val"] for n in tensors]
        types = [
            None if n is None else str(self._cc.node_val_to_type(n)) for n in tensors
        ]
        key = *types, scale, causal
        if key not in self.attentions:
            name = f"attention_{len(self.attentions)}"
            self.attentions[key] = Attention(name, scale, causal)
            graph = attention_graph(values, scale, causal)
            for inner in graph.nodes:
                if inner.op == "call_function":
                    inner.meta["custom"] = dict(node.meta.get("custom", {}))
            self.import_stateless_graph(graph, func_name=name)
        return self.attentions[key].name


def attention_graph(values: list[Any], scale: float, causal: bool) -> torch.fx.Graph:
    """The graph of the body of attention for fake tensors q, k, v and mask."""
    given = [v for v in values if v is not None]
    masked = values[3] is not None

    def function(*tensors: torch.Tensor) -> torch.Tensor:
        q, k, v, *rest = tensors
        return attention.body(q, k, v, rest[0] if masked else None, scale, causal)

    with given[0].fake_mode, torch.no_grad():
        module = make_fx(
            function,
            decomposition_table=table(),
            tracing_mode="symbolic" if given[0].fake_mode.shape_env else "real",
        )(*given)
    forget_devices(module)
    module.graph.eliminate_dead_code()
    return module.graph


def new_context() -> ir.Context:
    context = ir.Context()
    torch_dialect.register_dialect(context)
    return context
