"""Single operations, values against PyTorch: those that need more than a map."""

import unittest

import torch
import torch.nn.functional as F
from harness import Case
from torch import nn


class Of(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


X = torch.randn(5, 6)
INDICES = torch.tensor([3, 0, 4, 0])


def put(x, i, value, accumulate):
    return x.clone().index_put_((i,), value, accumulate=accumulate)


def filled(x):
    x = x.clone()
    x[1:4, ::2] = 0
    x[:, 1] = x[:, 0] + 1
    x[x > 1.5] = 1.5
    return x


def masked_rows(x):
    x = x.clone()
    x[torch.tensor([True, False, True, False, False])] = x[3:] * 2
    x[:, x[0] > 0] = 1.0
    return x


INDEX = {
    "index": (
        lambda x, i: (x[i], x[:, i[:2]], x[i, i], x[i][:, None, ::2]),
        X,
        INDICES,
    ),
    "index_select": (lambda x, i: (x.index_select(1, i), x.take(i)), X, INDICES),
    "index_put": (put, X, INDICES[:3], torch.randn(3, 6), False),
    "index_put_sum": (put, X, INDICES, torch.randn(4, 6), True),
    "slices": (filled, X),
    "mask": (masked_rows, X),
    "gather": (lambda x: x.gather(1, x.argsort(1)[:, :3]), X),
    "scatter": (
        lambda x, i: x.scatter(0, i[:3].expand(2, 3), 7.0),
        X,
        INDICES[[0, 1, 2]],
    ),
    "scatter_add": (
        lambda x, i: x.scatter_add(0, i[:, None].expand(4, 6), x[:4] * 2),
        X,
        INDICES,
    ),
    "scatter_reduce": (
        lambda x, i: x.scatter_reduce(0, i[:, None].expand(4, 6), x[:4], "amax"),
        X,
        INDICES,
    ),
    "index_add": (lambda x, i: x.index_add(0, i, x[:4], alpha=2), X, INDICES),
    "index_copy": (lambda x, i: x.index_copy(0, i[:3], x[1:4]), X, INDICES[:3]),
    "masked": (lambda x: (x.masked_fill(x > 0, 2.0), torch.where(x > 0, x, -x)), X),
    "one_hot": (lambda i: F.one_hot(i, 6), INDICES),
    "embedding": (lambda w, i: F.embedding(i.reshape(2, 2), w), X, INDICES),
    "embedding_bag": (
        lambda w, i: F.embedding_bag(i.reshape(2, 2), w, mode="sum"),
        X,
        INDICES,
    ),
    "triangles": (lambda x: (x.tril(1), x.triu(-1), torch.tril_indices(3, 3)), X),
}

ORDER = {
    "sort": (lambda x: x.sort(1), X),
    "sort_down": (lambda x: x.sort(0, descending=True), X),
    "topk": (lambda x: x.topk(3, 1), X),
    "bottomk": (lambda x: x.topk(2, 0, largest=False), X),
    "argmax": (lambda x: (x.argmax(1), x.argmin(), x.max(0), x.min(1)), X),
    "extremes": (lambda x: (x.amax(1), x.amin(0), x.aminmax(dim=1)), X),
    "median": (lambda x: (x.median(1), x.median(), x.quantile(0.3, dim=1)), X),
    "searchsorted": (
        lambda x: (
            torch.searchsorted(x.sort(1).values, x, right=True),
            torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0])),
        ),
        X,
    ),
    "kthvalue": (lambda x: x.kthvalue(2, 1), X),
    "cummax": (lambda x: (x.cummax(1), x.cummin(0)), X),
    "logcumsumexp": (lambda x: x.logcumsumexp(1), X),
    "any": (lambda x: ((x > 2).any(1), (x > -2).all(), (x > 0).sum(0)), X),
    "unfold": (lambda x: x.unfold(1, 3, 2), X),
    "roll": (lambda x: (x.roll(2, 1), x.roll((1, -1), (0, 1)), x.flip(0, 1)), X),
    "repeat": (lambda x: (x.repeat(2, 1), x.repeat_interleave(2, 1), x.tile(2)), X),
    "diagonals": (lambda x: (x.diagonal(), torch.diag(x[0]), x.trace()), X),
    "cat": (lambda x: (torch.cat([x, x * 2], 1), torch.stack([x, -x], 1)), X),
}

IMAGE = torch.randn(2, 3, 6, 5)
IMAGES = {
    "pools": (
        lambda x: (
            F.max_pool2d(x, 2),
            F.avg_pool2d(x, 3, 1, 1),
            F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
            F.adaptive_avg_pool2d(x, (3, 5)),
            F.adaptive_avg_pool2d(x, 1),
            F.adaptive_max_pool2d(x, 1),
            F.max_pool2d(x, 3, 2, 1, ceil_mode=True),
        ),
        IMAGE,
    ),
    "pool_indices": (lambda x: F.max_pool2d(x, 2, return_indices=True), IMAGE),
    "lp_pool": (lambda x: F.lp_pool2d(x.abs(), 2.0, 2), IMAGE),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2), IMAGE),
    "bilinear": (
        lambda x: (
            F.interpolate(x, (11, 13), mode="bilinear"),
            F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=True),
        ),
        IMAGE,
    ),
    "bicubic": (lambda x: F.interpolate(x, (7, 8), mode="bicubic"), IMAGE),
    "pads": (
        lambda x: (
            F.pad(x, (1, 2, 0, 1)),
            F.pad(x, (1, 1, 2, 2), mode="reflect"),
            F.pad(x, (1, 1, 1, 1), mode="replicate"),
            F.pad(x, (1, 2, 2, 1), mode="circular"),
            F.pad(x, (-1, 1), value=3.0),
        ),
        IMAGE,
    ),
    "shuffle": (
        lambda x: (F.pixel_shuffle(x.repeat(1, 4, 1, 1), 2), F.channel_shuffle(x, 3)),
        IMAGE,
    ),
    "grid_sample": (
        lambda x, g: F.grid_sample(x, g.tanh(), align_corners=False),
        IMAGE,
        torch.randn(2, 4, 4, 2),
    ),
    "unfold": (lambda x: F.unfold(x, 3, padding=1), IMAGE),
    "fold": (lambda x: F.fold(x, (4, 4), 2, stride=2), torch.randn(2, 12, 4)),
}

LOSSES = {
    "cross_entropy": (
        lambda x, i: F.cross_entropy(x, i, label_smoothing=0.1),
        X,
        torch.tensor([1, 0, 5, 2, 2]),
    ),
    "nll": (
        lambda x, i: F.nll_loss(x.log_softmax(1), i, ignore_index=2),
        X,
        torch.tensor([1, 0, 5, 2, 2]),
    ),
    "regression": (
        lambda x, y: (
            F.mse_loss(x, y),
            F.l1_loss(x, y, reduction="sum"),
            F.smooth_l1_loss(x, y),
            F.huber_loss(x, y, delta=0.5),
            F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean"),
            F.binary_cross_entropy_with_logits(x, y.sigmoid()),
            F.cosine_similarity(x, y),
            F.triplet_margin_loss(x, y, -x),
        ),
        X,
        torch.randn(5, 6),
    ),
}

MATRICES = {
    "einsum": (
        lambda a, b: (
            torch.einsum("bij,bjk->bik", a, b),
            torch.einsum("bij,bjk->k", a, b),
            torch.einsum("bij,bij->b", a, a),
        ),
        torch.randn(2, 3, 4),
        torch.randn(2, 4, 5),
    ),
    "matmuls": (
        lambda a, b, v: (a @ b[0], b.mT @ v[0], v @ b[0], torch.dot(v[0], v[1])),
        torch.randn(2, 3, 4),
        torch.randn(2, 4, 5),
        torch.randn(2, 4),
    ),
    "norms": (
        lambda x: (
            x.norm(),
            x.norm(p=1, dim=1),
            torch.linalg.vector_norm(x, 3, 0),
            torch.linalg.norm(x, float("inf"), 1),
            F.normalize(x, dim=1),
        ),
        X,
    ),
    "cdist": (lambda x, y: torch.cdist(x, y), X, torch.randn(3, 6)),
    "outer": (lambda x: (torch.outer(x[0], x[1]), torch.kron(x[:2], x[:1])), X),
    "powers": (
        lambda x: (x**2, x**3, x.abs() ** 0.5, 2**x, (x.abs() + 1) ** -1, x**4),
        X,
    ),
    "integers": (
        lambda i: (i // 2, i % 3, -i // 2, i.float() / 2, i**2, i & 1, i << 1, 8 | i),
        INDICES,
    ),
    "activations": (
        lambda x: (
            F.gelu(x),
            F.gelu(x, approximate="tanh"),
            F.silu(x),
            F.mish(x),
            F.softplus(x),
            F.elu(x),
            F.selu(x),
            F.celu(x),
            F.leaky_relu(x),
            F.hardtanh(x),
            F.hardswish(x),
            F.hardsigmoid(x),
            F.relu6(x),
            F.logsigmoid(x),
            F.tanhshrink(x),
            F.softshrink(x),
            F.hardshrink(x),
            F.threshold(x, 0.1, 2),
            F.glu(x),
            F.softmin(x, 1),
            F.prelu(x, torch.full((1,), 0.2, dtype=x.dtype)),
        ),
        X,
    ),
    "functions": (
        lambda x: (
            *(x.atan2(x + 1), x.tan(), x.sinh(), x.asinh(), x.erf(), x.expm1()),
            *(torch.hypot(x, x + 1), x.round(), x.frac(), x.sign(), x.remainder(0.75)),
            *(x.fmod(0.75), x.fmod(x + 3)),
        ),
        X,
    ),
    "complex": (
        lambda x: (torch.complex(x, x * 2).abs(), torch.polar(x.abs(), x).real),
        X,
    ),
}


class Operations(Case):
    def each(self, group):
        for name, (function, *args) in group.items():
            with self.subTest(name):
                self.check(Of(function), tuple(args))

    def test_index(self):
        self.each(INDEX)

    def test_order(self):
        self.each(ORDER)

    def test_images(self):
        self.each(IMAGES)

    def test_losses(self):
        self.each(LOSSES)

    def test_matrices(self):
        self.each(MATRICES)


if __name__ == "__main__":
    unittest.main()
