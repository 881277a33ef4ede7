"""Graphs of training, forward and backward, as aot_autograd gives them to a backend."""

import unittest

import kernelskill
import torch
import torch.nn.functional as F
from harness import Case
from test_graphs import captured
from torch import nn


class With(nn.Module):
    """A function of a layer and the inputs."""

    def __init__(self, function, layer):
        super().__init__()
        self.function, self.layer = function, layer

    def forward(self, *args):
        return self.function(self.layer, *args)


def chain(*layers):
    return nn.Sequential(*layers)


def activations():
    return (
        *(nn.GELU(), nn.GELU(approximate="tanh"), nn.Softplus(), nn.ELU(), nn.SiLU()),
        *(nn.Hardswish(), nn.LeakyReLU(), nn.Mish(), nn.Sigmoid(), nn.Tanh()),
    )


IMAGE = torch.randn(2, 3, 6, 6)
ROWS = torch.randn(4, 8)


def conv():
    return nn.Conv2d(3, 4, 3)


CASES = {
    "conv": (
        chain(nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 4, 3, 2, groups=2)),
        IMAGE,
    ),
    "conv_1d": (nn.Conv1d(3, 4, 3, padding=1, dilation=2), torch.randn(2, 3, 8)),
    "conv_3d": (nn.Conv3d(3, 4, 2), torch.randn(2, 3, 4, 4, 4)),
    "depthwise": (nn.Conv2d(3, 6, 3, 2, 1, groups=3), IMAGE),
    "transposed": (nn.ConvTranspose2d(3, 4, 3, 2, 1, 1), IMAGE),
    "batch_norm": (chain(conv(), nn.BatchNorm2d(4), nn.ReLU()), IMAGE),
    "max_pool": (chain(conv(), nn.MaxPool2d(2)), IMAGE),
    "avg_pool": (
        chain(conv(), nn.AvgPool2d(2, 1, 1), nn.AdaptiveAvgPool2d(1)),
        IMAGE,
    ),
    "avg_pool_edges": (
        chain(conv(), nn.AvgPool2d(3, 2, 1, True, count_include_pad=False)),
        IMAGE,
    ),
    "group_norm": (chain(conv(), nn.GroupNorm(2, 4)), IMAGE),
    "instance_norm": (chain(conv(), nn.InstanceNorm2d(4, affine=True)), IMAGE),
    "layer_norm": (chain(nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 3)), ROWS),
    "activations": (chain(nn.Linear(8, 8), *activations()), ROWS),
    "dropout": (chain(nn.Linear(8, 8), nn.Dropout(0.3)), ROWS),
    "embedding": (
        With(lambda e, i: e(i).sum(1), nn.Embedding(7, 4)),
        torch.randint(0, 7, (3, 2)),
    ),
    "cross_entropy": (
        With(lambda l, x, y: F.cross_entropy(l(x), y), nn.Linear(8, 5)),
        ROWS,
        torch.randint(0, 5, (4,)),
    ),
    "softmax": (
        With(lambda l, x: l(x).softmax(1).log_softmax(0), nn.Linear(8, 8)),
        ROWS,
    ),
    "norms": (With(lambda l, x: F.normalize(l(x)).var(1), nn.Linear(8, 8)), ROWS),
    "transformer": (
        nn.TransformerEncoderLayer(8, 2, 16, batch_first=True),
        torch.randn(2, 5, 8),
    ),
    "attention": (
        With(
            lambda l, x: F.scaled_dot_product_attention(l(x), l(x), x, is_causal=True),
            nn.Linear(8, 8),
        ),
        torch.randn(2, 2, 5, 8),
    ),
    "half": (chain(nn.Linear(8, 8), nn.LayerNorm(8)).half(), ROWS.half()),
    "brain": (chain(conv(), nn.BatchNorm2d(4)).bfloat16(), IMAGE.bfloat16()),
}

# Their backward graphs hold zeros of a type: no float64 for them.
FLOAT32 = {
    "index": (
        With(lambda l, x: l(x)[torch.tensor([0, 2])].amax(1), nn.Linear(8, 8)),
        ROWS,
    ),
    "cumsum": (With(lambda l, x: l(x).cumsum(1).max(1)[0], nn.Linear(8, 8)), ROWS),
    "interpolate": (
        With(
            lambda l, x: F.interpolate(l(x), scale_factor=2, mode="bilinear"),
            nn.Conv2d(3, 3, 1),
        ),
        torch.randn(1, 3, 4, 4),
    ),
}


class Training(Case):
    def each(self, cases, double):
        for name, (module, *args) in cases.items():
            graphs = captured(module.train(), *args, gradients=True)
            self.assertEqual(len(graphs), 2, name)
            for part, (graph, inputs) in zip(("forward", "backward"), graphs):
                with self.subTest(name, part=part):
                    exported = kernelskill.export(graph, tuple(inputs))
                    real = tuple(map(self.values, inputs))
                    self.check(graph, real, exported=exported, double=double)

    @staticmethod
    def values(x):
        """Numbers that do for roots and for indices."""
        if x.is_floating_point():
            return (torch.randn(x.shape).abs() + 0.1).to(x.dtype)
        return torch.zeros(x.shape, dtype=x.dtype)

    def test_all(self):
        self.each(CASES, True)

    def test_float32(self):
        self.each(FLOAT32, False)


if __name__ == "__main__":
    unittest.main()
