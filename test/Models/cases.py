"""Small models with odd sizes, one for each thing that must come out right.

A case is a module, its inputs and, where that matters, the type of its weights.
export.py writes each as cases/NAME.mlir with PyTorch's answers beside it.
"""

import torch
from torch import nn
from torch.nn import functional as F


class Case(nn.Module):
    """A case without weights: forward is all it has."""


class Softmax(Case):
    def forward(self, x):
        return torch.softmax(x, dim=1)


class LayerNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(65)

    def forward(self, x):
        return self.norm(x)


class LinearGelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(33, 29)

    def forward(self, x):
        return F.gelu(self.linear(x), approximate="tanh")


class ConvBatchNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 7, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(7)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class MaxPool(Case):
    def forward(self, x):
        return F.max_pool2d(x, 3, stride=2, padding=1)


class ConvTranspose(nn.Module):
    """Strides with a tap less in some phases, a dilation, and neither."""

    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(
            4, 6, 3, stride=(2, 3), padding=1, output_padding=1, groups=2
        )
        self.dilated = nn.ConvTranspose1d(
            6, 3, 3, stride=3, padding=2, dilation=2, bias=False
        )
        self.plain = nn.ConvTranspose3d(3, 2, (2, 3, 1), stride=(1, 1, 2))

    def forward(self, x):
        up = torch.relu(self.up(x))
        dilated = self.dilated(up.flatten(2)[:, :, :12])
        return up, dilated, self.plain(dilated.unflatten(2, (2, 17, 1)))


class Rearrange(Case):
    """What only moves elements, by indices that are affine."""

    def forward(self, x):
        steps = torch.arange(1, 11, 3)
        return (
            x.flip(0, 2) + 1.0,
            x.roll((2, -1), (1, 2)),
            x[:, 3, 2:9:2] * x[:, -1, torch.arange(6, 2, -1)],
            x.index_select(2, steps).flip(2).sum(2),
            F.interpolate(x, scale_factor=2.0, mode="nearest"),
        )


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(19, 11)

    def forward(self, index):
        return self.table(index)


class Argmax(Case):
    def forward(self, x):
        return torch.argmax(x, dim=1)


class Cumsum(Case):
    def forward(self, x):
        return torch.cumsum(x, dim=1)


class TopK(Case):
    def forward(self, x):
        return torch.topk(x, 5, dim=1)


class ScatterAdd(Case):
    def forward(self, x, index, values):
        return x.scatter_add(0, index, values)


class LongLines(Case):
    """Few long lines, and many rows that meet: what threads do in parts."""

    def forward(self, x, index):
        long = x.repeat(1, 90)
        positions = torch.arange(4500)
        sums = torch.cumsum(long, 1)
        many = x.new_zeros(3, 2).index_add(0, index.repeat(100), long.reshape(-1, 2))
        top = torch.topk(x.repeat(8, 90) + positions * 0.25, 4400, 1)[0]
        return (
            sums[:, ::89],
            torch.cumsum(positions, 0)[::89],
            torch.cumprod(1.0 + long / 64.0, 1)[:, ::89],
            many,
            x.new_zeros(7).scatter(0, positions % 5, (positions * 0.5).to(x.dtype)),
            top[:, ::489],
        )


class Where(Case):
    def forward(self, mask, x, y):
        both = mask & (x > y)
        return torch.where(both, x, y), both


class RmsNormBf16(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(37))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


class Integers(Case):
    def forward(self, a, b):
        quotient = torch.div(a, b, rounding_mode="floor")
        return quotient, torch.remainder(a, b), (a << 3) ^ b, a.sum(1)


class Float64(Case):
    def forward(self, x):
        return torch.logsumexp(x, dim=0), (x - x.mean()).square().mean()


class ZeroSize(Case):
    def forward(self, x, y):
        return torch.cat([x, y], dim=1), x.sum(1), x * 2.0


class Complex(Case):
    def forward(self, x, y):
        return x * y, torch.view_as_real(x.t() * y.t()), torch.imag(y)


def values(*shape, dtype=torch.float32):
    return torch.randn(*shape, dtype=torch.float64).to(dtype)


def integers(low, high, *shape):
    return torch.randint(low, high, shape)


# name: (module, inputs, type of the weights)
def cases():
    f16, bf16, f64 = torch.float16, torch.bfloat16, torch.float64
    divisors = torch.tensor([[-7, -3, -1, 1, 2, 5, 11]]).expand(5, 7).contiguous()
    distinct = torch.randperm(7 * 23).reshape(7, 23).to(torch.float32)
    return {
        "softmax_f32": (Softmax, (values(5, 37),), None),
        "layer_norm_f32": (LayerNorm, (values(3, 7, 65),), None),
        "linear_gelu_f16": (LinearGelu, (values(17, 33, dtype=f16),), f16),
        "conv_batch_norm_f32": (ConvBatchNorm, (values(2, 3, 13, 9),), None),
        "max_pool_f32": (MaxPool, (values(2, 3, 11, 13) - 5.0,), None),
        "conv_transpose_f32": (ConvTranspose, (values(2, 4, 3, 5),), None),
        "rearrange_f32": (Rearrange, (values(3, 5, 11),), None),
        "embedding_i64": (Embedding, (integers(0, 19, 3, 5),), None),
        "argmax_f32": (Argmax, (values(5, 31),), None),
        "cumsum_f32": (Cumsum, (values(3, 41),), None),
        "topk_f32": (TopK, (distinct,), None),
        "scatter_add_f32": (
            ScatterAdd,
            (values(6, 9), integers(0, 6, 13, 9), values(13, 9)),
            None,
        ),
        "long_lines_f32": (
            LongLines,
            (values(2, 50), integers(0, 3, 45)),
            None,
        ),
        "where_i1": (Where, (integers(0, 2, 7, 9) > 0, values(7, 9), values(7, 1)), None),
        "rms_norm_bf16": (RmsNormBf16, (values(6, 37, dtype=bf16),), bf16),
        "integers_i64": (Integers, (integers(-1000, 1000, 5, 7), divisors), None),
        "float64_f64": (Float64, (values(19, 3, dtype=f64),), None),
        "zero_size_f32": (ZeroSize, (values(4, 0), values(4, 3)), None),
        "complex_c64": (
            Complex,
            (values(3, 5, dtype=torch.complex64), values(3, 5, dtype=torch.complex64)),
            None,
        ),
    }
