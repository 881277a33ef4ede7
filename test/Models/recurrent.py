#!/usr/bin/env python3
"""Writes recurrent layers as MLIR, with PyTorch's answers beside them.

    python3 recurrent.py [NAME...]

Like export.py, but through kernelskill.export (tools/ks-torch), which keeps the loop
over time. Sizes are odd, and so are the numbers of steps of most.
"""

import os
import re
import sys
import warnings

import numpy as np
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "ks-torch"))

import kernelskill  # noqa: E402
from export import relative, wide  # noqa: E402


class Stacked(nn.Module):
    """Two layers in both directions: flips, and a loop that reads another's rows."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 5, num_layers=2, bidirectional=True, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return y, h, c


class FromState(nn.Module):
    """A state that the caller gives; the last output alone is read."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 7)
        self.out = nn.Linear(7, 2)

    def forward(self, x, h):
        y, h = self.gru(x, h)
        return self.out(y[-1]), h


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 5, nonlinearity="relu")

    def forward(self, x):
        return self.rnn(x)[0]


CASES = {
    "lstm_f32": (Stacked, [(2, 5, 3)], torch.float32),
    "gru_f16": (FromState, [(6, 3, 4), (1, 3, 7)], torch.float16),
    "rnn_f64": (Plain, [(7, 1, 3)], torch.float64),
}


def export(name):
    make, shapes, dtype = CASES[name]
    torch.manual_seed(1)
    module = make().eval().to(dtype)
    inputs = [torch.randn(shape).to(dtype) for shape in shapes]
    exported = kernelskill.export(module, inputs)
    path = os.path.join(HERE, "cases", name)
    text = re.sub(r'"[^"]*/(kernelskill|torch)/', r'"\1/', relative(exported.mlir))
    with open(path + ".mlir", "w") as file:
        file.write(text)
    arrays = {f"arg{i}": x for i, x in enumerate(exported.bind(inputs))}
    with torch.no_grad():
        answers = make().eval().double()
        answers.load_state_dict(module.state_dict())
        out = answers(*map(wide, inputs))
    out = out if isinstance(out, tuple) else (out,)
    arrays |= {f"out{i}": x for i, x in enumerate(out)}
    np.savez_compressed(
        path + ".npz", **{k: x.detach().contiguous().numpy() for k, x in arrays.items()}
    )


def loop_forms():
    """The answers of cases/loop_forms.mlir."""
    rng = np.random.default_rng(1)
    args = [
        rng.standard_normal(shape).astype(np.float32) for shape in ((7, 3), 3, 3, ())
    ]
    xs, p, q, total = (x.astype(np.float64) for x in args)
    h, kept, a, b, fib = p, q, 0, 1, []
    rows, differences = np.ones((9, 3)), np.empty((4, 1, 3))
    for t in range(7):
        h = np.tanh(xs[t] * t + h)
        total, p, q = total + h[0], q, p
        rows[t] = h
        fib.append(a)
        a, b = b, a + b
    for t in range(4):
        h = rows[t] - h
        differences[t] = h
    out = [np.int64(a), total, p, q, kept, rows, np.int64(fib), h, differences]
    arrays = {f"arg{i}": x for i, x in enumerate(args)}
    arrays |= {f"out{i}": x for i, x in enumerate(out)}
    np.savez_compressed(os.path.join(HERE, "cases", "loop_forms.npz"), **arrays)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    for case in sys.argv[1:] or [*CASES, "loop_forms"]:
        loop_forms() if case == "loop_forms" else export(case)
        print(case)
