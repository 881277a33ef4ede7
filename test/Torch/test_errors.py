"""Errors name the module, the line and the operation; models are left as they were."""

import re
import unittest

import kernelskill
import torch
from harness import Case
from torch import nn


class Inner(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.function = function

    def forward(self, x):
        return self.function(self.linear(x))


def model(function):
    return nn.Sequential(nn.ReLU(), Inner(function))


def data_dependent(x):
    if x.sum() > 0:
        return x
    return -x


class Errors(Case):
    def refused(self, function, *texts, args=None):
        module = function if isinstance(function, nn.Module) else model(function)
        before = {k: id(v) for k, v in module.state_dict(keep_vars=True).items()}
        with self.assertRaises(kernelskill.ExportError) as raised:
            kernelskill.export(module, args or (torch.randn(4, 4),))
        for text in texts:
            self.assertRegex(str(raised.exception), text)
        after = {k: id(v) for k, v in module.state_dict(keep_vars=True).items()}
        self.assertEqual(before, after)
        return raised.exception

    def test_values(self):
        error = self.refused(
            data_dependent,
            r"test_errors.py:\d+: a Python value is taken from a tensor's data",
            r"in module '1' \(Inner\)",
            r"if x.sum\(\) > 0:",
        )
        self.assertEqual(error.site.module, "1")
        self.refused(lambda x: x * x.max().item(), "a Python value is taken")

    def test_sizes(self):
        self.refused(
            lambda x: x[x > 0].sum(), "the size of a result depends on a tensor's data"
        )
        self.refused(lambda x: torch.where(x > 0)[0], "the size of a result depends")

    def test_not_lowered(self):
        self.refused(
            lambda x: torch.linalg.svd(x)[1],
            r"test_errors.py:\d+: cannot be lowered: torch.aten._linalg_svd",
            r"in module '1' \(Inner\)",
        )
        self.refused(lambda x: torch.fft.rfft(x).abs(), "torch.aten._fft_r2c")

    def test_forward_raises(self):
        self.refused(
            lambda x: x.view(7), "forward raised RuntimeError: shape '\\[7\\]' is inv"
        )

    def test_control_flow(self):
        self.refused(
            lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)),
            r"control flow operators \(torch.cond",
        )

    def test_metadata(self):
        class Module(nn.Module):
            def forward(self, x):
                x.t_()
                return x + 1

        self.refused(Module(), "changes the shape or the storage")

    def test_foreign_tensors(self):
        counter = torch.zeros(4)

        def function(x):
            counter.add_(1)
            return x + counter

        self.refused(function, "writes to a tensor that the model does not hold")
        self.assertEqual(counter.sum(), 0)

    def test_shared_memory(self):
        class Module(nn.Module):
            def forward(self, x, y):
                x.add_(1)
                return x + y

        whole = torch.randn(8)
        self.refused(
            Module(),
            "'x', which shares its memory with 'y'",
            args=(whole[:4], whole[4:]),
        )

    def test_arguments(self):
        self.refused(nn.ReLU(), "argument 'input' is of type object", args=(object(),))
        self.refused(
            nn.ReLU(), "'input' is sparse", args=(torch.randn(2, 2).to_sparse(),)
        )

    def test_results(self):
        class Module(nn.Module):
            def forward(self, x):
                return x, {1, 2}

        self.refused(Module(), "the result holds a set")

    def test_random_in_loops(self):
        from torch._higher_order_ops.scan import scan

        class Module(nn.Module):
            def forward(self, x):
                def step(carry, x):
                    new = carry + x * torch.rand(4)
                    return new, new.clone()

                return scan(step, x[0] * 0, x)[1]

        self.refused(Module(), "random numbers in the body of a scan")

    def test_captured_graphs(self):
        from test_graphs import captured

        def function(x):
            return torch.linalg.svd(x)[1]

        with torch.no_grad():
            ((graph, inputs),) = captured(model(function), torch.randn(4, 4))
        inputs = tuple(x.detach() for x in inputs)
        self.refused(
            graph, r"test_errors.py:\d+: cannot be lowered: .*svd", args=inputs
        )

    def test_message_has_one_site(self):
        error = self.refused(data_dependent)
        self.assertEqual(len(re.findall(r"test_errors.py:\d+", str(error))), 1)


if __name__ == "__main__":
    unittest.main()
