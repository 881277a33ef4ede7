"""Half-precision operations: as exact as PyTorch's kernels, which compute in float32
and round once. Compared with float64 of the same inputs."""

import unittest

import kernelskill
import torch
import torch.nn.functional as F
from harness import Case
from test_operations import Of

HALVES = {
    "sums": lambda x: (x.sum(), x.sum(1), x.mean((0, 1)), x.prod(1), x.cumsum(1)),
    "norms": lambda x: (x.norm(dim=1), torch.linalg.vector_norm(x, 3), x.var(1)),
    "numbers": lambda x: (x * 0.1 + 0.3, 1.7 - x, x / 3, x.add(x, alpha=0.3)),
    "softmax": lambda x: (x.softmax(1), x.log_softmax(0), x.logsumexp(1)),
    "activations": lambda x: (
        F.silu(x),
        F.gelu(x),
        F.gelu(x, approximate="tanh"),
        F.softplus(x),
        F.elu(x, 0.7),
        F.mish(x),
        F.hardswish(x),
        x.sigmoid(),
        F.leaky_relu(x, 0.1),
        F.logsigmoid(x),
    ),
    "pools": lambda x: (F.avg_pool1d(x, 3), F.adaptive_avg_pool1d(x, 5)),
    "powers": lambda x: (x**2, x.abs() ** 1.5, 2**x),
    "mixed": lambda x: (x + x.float(), x.float() * 2, x.sum(dtype=torch.float32)),
}


class Halves(Case):
    def test_each(self):
        for dtype in (torch.float16, torch.bfloat16):
            x = torch.randn(6, 300).to(dtype)
            for name, function in HALVES.items():
                with self.subTest(name, dtype=dtype):
                    self.check(Of(function), (x,))

    def test_long_sum(self):
        x = torch.full((70000,), 1.0, dtype=torch.float16)
        exported = self.check(Of(lambda x: x.mean()), (x,))
        self.assertNotRegex(exported.mlir, r"arith.addf .* : f16")

    def test_exact_numbers_stay_narrow(self):
        exported = kernelskill.export(
            Of(lambda x: x * 0.5 + 2.0), (torch.randn(4, dtype=torch.float16),)
        )
        self.assertNotIn("f32", exported.mlir)


if __name__ == "__main__":
    unittest.main()
