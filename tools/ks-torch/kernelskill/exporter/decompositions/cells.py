"""One step of a recurrent layer. On a GPU PyTorch's own are fused operations that
torch-mlir does not know."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from kernelskill.exporter.decompositions.recurrent import (
    gates_of,
    gru_step,
    lstm_step,
    rnn_step,
)
from kernelskill.exporter.decompositions.statistics import wide
from kernelskill.exporter.replacing import replaces


@replaces(torch.lstm_cell, autocast="lower")
def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    gates = gates_of(input, w_ih, b_ih, b_hh)
    h, c = lstm_step(gates, [hx[0], wide(hx[1])], [w_hh])
    return h, c.to(hx[1].dtype)


@replaces(torch.gru_cell, autocast="lower")
def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    weights = [w for w in (w_hh, b_hh) if w is not None]
    return gru_step(gates_of(input, w_ih, b_ih), [hx], weights)[0]


def _rnn_cell(activation: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    def cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
        gates = gates_of(input, w_ih, b_ih, b_hh)
        return rnn_step(activation)(gates, [hx], [w_hh])[0]

    return cell


replaces(torch.rnn_tanh_cell, autocast="lower")(_rnn_cell(torch.tanh))
replaces(torch.rnn_relu_cell, autocast="lower")(_rnn_cell(torch.relu))
