"""LSTM, GRU and RNN layers as counted loops.

What does not depend on the step before, the product of the whole sequence with the
input weights, is one product before the loop. The loop is PyTorch's scan operator:
it stays a loop in the IR. Both directions of a bidirectional layer run in one loop,
stacked, so that a step is one batched product and not two.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch._higher_order_ops.scan import scan_op

from kernelskill.errors import ExportError
from kernelskill.exporter.decompositions.statistics import wide
from kernelskill.exporter.replacing import replaces

# (gates from the input, held values, recurrent weights) -> held values of this step.
# The first held value is the output.
Step = Callable[[Tensor, list[Tensor], list[Tensor]], list[Tensor]]


@dataclasses.dataclass
class _Weights:
    """The parameters of one direction of one layer."""

    input: Tensor
    hidden: Tensor
    input_bias: Tensor | None
    hidden_bias: Tensor | None
    projection: Tensor | None


def _weights(
    params: Sequence[Tensor], has_biases: bool, projected: bool
) -> list[_Weights]:
    each = 2 + 2 * has_biases + projected
    found = []
    for i in range(0, len(params), each):
        part = list(params[i : i + each])
        projection = part.pop() if projected else None
        biases = part[2:] if has_biases else (None, None)
        found.append(_Weights(part[0], part[1], *biases, projection))
    return found


def _product(h: Tensor, weight: Tensor) -> Tensor:
    """h · weightᵀ, of one direction or of a stack of directions, summed wide."""
    return torch.matmul(wide(h), wide(weight.transpose(-1, -2)))


def gates_of(x: Tensor, weight: Tensor, *biases: Tensor | None) -> Tensor:
    gates = _product(x, weight)
    for bias in biases:
        gates = gates if bias is None else gates + wide(bias)
    return gates


def lstm_step(gates: Tensor, held: list[Tensor], weights: list[Tensor]) -> list[Tensor]:
    h, c = held
    gates = gates + _product(h, weights[0])
    i, f, g, o = gates.chunk(4, -1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    new = o.sigmoid() * c.tanh()
    if len(weights) > 1:
        new = _product(new.to(h.dtype), weights[1])
    return [new.to(h.dtype), c]


def gru_step(gates: Tensor, held: list[Tensor], weights: list[Tensor]) -> list[Tensor]:
    (h,) = held
    recurrent = _product(h, weights[0])
    if len(weights) > 1:
        recurrent = recurrent + wide(weights[1])
    ir, iz, inew = gates.chunk(3, -1)
    hr, hz, hnew = recurrent.chunk(3, -1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (inew + r * hnew).tanh()
    return [(n + z * (wide(h) - n)).to(h.dtype)]


def rnn_step(activation: Callable[[Tensor], Tensor]) -> Step:
    def step(gates: Tensor, held: list[Tensor], weights: list[Tensor]) -> list[Tensor]:
        (h,) = held
        return [activation(gates + _product(h, weights[0])).to(h.dtype)]

    return step


def _loop(
    step: Step, gates: Tensor, held: list[Tensor], weights: list[Tensor]
) -> tuple[Tensor, list[Tensor]]:
    """The outputs of all steps, stacked, and what is held in the end."""
    if gates.shape[0] == 1:
        held = step(gates[0], held, weights)
        return held[0].unsqueeze(0), held

    def body(*values: Tensor) -> list[Tensor]:
        count = len(held)
        new = step(values[count], list(values[:count]), list(values[count + 1 :]))
        return [*new, new[0].clone()]

    *last, outputs = scan_op(body, held, [gates], tuple(weights))
    return outputs, list(last)


def _stacked(values: Sequence[Tensor | None]) -> Tensor | None:
    """The values of both directions in one tensor; the one value of one direction."""
    if values[0] is None or len(values) == 1:
        return values[0]
    return torch.stack([v for v in values if v is not None])


def _layer(
    step: Step,
    x: Tensor,
    held: list[Tensor],
    directions: list[_Weights],
    bias_in_loop: bool,
) -> tuple[Tensor, list[Tensor]]:
    """One layer on `x` of (steps, batch, features). `held` are of (directions, batch,
    features)."""
    gates = []
    for weights in directions:
        # One flat product: as a batched one it would be as many as there are steps.
        before = None if bias_in_loop else weights.hidden_bias
        flat = x.reshape(-1, x.shape[-1])
        gate = gates_of(flat, weights.input, weights.input_bias, before)
        gates.append(gate.reshape([*x.shape[:-1], gate.shape[-1]]))
    both = len(directions) == 2
    if both:
        all_gates = torch.stack([gates[0], gates[1].flip(0)], 1)
    else:
        all_gates = gates[0]
        held = [h.squeeze(0) for h in held]
    recurrent = [_stacked([w.hidden for w in directions])]
    if bias_in_loop:
        bias = _stacked([w.hidden_bias for w in directions])
        recurrent.append(bias.unsqueeze(1) if both and bias is not None else bias)
    recurrent.append(_stacked([w.projection for w in directions]))
    kept = [w for w in recurrent if w is not None]
    outputs, held = _loop(step, all_gates, held, kept)
    if both:
        outputs = torch.cat([outputs[:, 0], outputs[:, 1].flip(0)], -1)
    else:
        held = [h.unsqueeze(0) for h in held]
    return outputs, held


def _network(
    step: Step,
    x: Tensor,
    start: list[Tensor],
    weights: list[_Weights],
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
    bias_in_loop: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    """All layers; `start` and what is held in the end are of (layers · directions,
    batch, features)."""
    directions = 2 if bidirectional else 1
    if batch_first:
        x = x.transpose(0, 1)
    if not isinstance(x.shape[0], int):
        raise ExportError("a recurrent layer over a dynamic number of steps")
    ends: list[list[Tensor]] = []
    for layer in range(num_layers):
        part = slice(layer * directions, (layer + 1) * directions)
        held = [s[part] for s in start]
        x, held = _layer(step, x, held, weights[part], bias_in_loop)
        ends.append(held)
        if dropout and train and layer < num_layers - 1:
            x = torch.nn.functional.dropout(x, dropout, training=True)
    if batch_first:
        x = x.transpose(0, 1)
    return x, [torch.cat(values) for values in zip(*ends)]


@replaces(torch._pack_padded_sequence)
def pack_padded_sequence(*args, **options):
    raise ExportError(
        "packed sequences are not supported, for their sizes are data: give the layer "
        "the padded tensor"
    )


@replaces(torch.lstm, autocast="lower")
def lstm(
    input, hx, params, has_biases, num_layers, dropout, train, bidirectional, *rest
):
    batch_first = bool(rest and rest[0])
    h, c = hx
    projected = h.shape[-1] != c.shape[-1]
    weights = _weights(params, has_biases, projected)
    x, (h, last) = _network(
        lstm_step,
        input,
        [h, wide(c)],
        weights,
        num_layers,
        dropout,
        train,
        bidirectional,
        batch_first,
    )
    return x, h, last.to(c.dtype)


def _one_state(step: Step, bias_in_loop: bool) -> Callable[..., tuple[Tensor, Tensor]]:
    """A layer that holds nothing but its output."""

    def layer(
        input, hx, params, has_biases, num_layers, dropout, train, bidirectional, *rest
    ):
        weights = _weights(params, has_biases, False)
        x, (h,) = _network(
            step,
            input,
            [hx],
            weights,
            num_layers,
            dropout,
            train,
            bidirectional,
            bool(rest and rest[0]),
            bias_in_loop and has_biases,
        )
        return x, h

    return layer


replaces(torch.gru, autocast="lower")(_one_state(gru_step, bias_in_loop=True))
replaces(torch.rnn_tanh, autocast="lower")(
    _one_state(rnn_step(torch.tanh), bias_in_loop=False)
)
replaces(torch.rnn_relu, autocast="lower")(
    _one_state(rnn_step(torch.relu), bias_in_loop=False)
)
