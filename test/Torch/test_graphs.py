"""Graphs that torch.compile and aot_autograd have captured."""

import unittest

import kernelskill
import torch
from harness import Case
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU())

    def forward(self, x):
        return self.body(x) * 2


class Gradients(Case):
    """Models that take derivatives themselves."""

    def test_functional(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.randn(4, 3))

            def forward(self, x, y):
                def loss(weight):
                    return torch.nn.functional.mse_loss(x @ weight, y)

                return self.weight - 0.1 * torch.func.grad(loss)(self.weight)

        self.check(Module(), (torch.randn(5, 4), torch.randn(5, 3)))

    def test_vjp(self):
        class Module(nn.Module):
            def forward(self, x, g):
                y, pull = torch.func.vjp(lambda a: a.softmax(-1), x)
                return y, pull(g)[0]

        self.check(Module(), (torch.randn(3, 4), torch.randn(3, 4)))

    def test_autograd(self):
        class Module(nn.Module):
            def forward(self, x):
                with torch.enable_grad():
                    x = x.detach().requires_grad_()
                    y = (x.sin() * x).sum()
                    return torch.autograd.grad(y, x)[0]

        self.check(Module(), (torch.randn(3, 4),))


def captured(module, *args, gradients=False):
    """Every graph that a backend is given, with its inputs."""
    graphs = []

    def part(graph, inputs):
        graphs.append((graph, inputs))
        return graph.forward

    def backend(graph, inputs):
        if not gradients:
            return part(graph, inputs)
        from functorch.compile import make_boxed_func
        from torch._dynamo.backends.common import aot_autograd

        def boxed(graph, inputs):
            return make_boxed_func(part(graph, inputs))

        return aot_autograd(fw_compiler=boxed, bw_compiler=boxed)(graph, inputs)

    torch._dynamo.reset()
    result = torch.compile(module, backend=backend)(*args)
    if gradients:
        result.sum().backward()
    return graphs


class Graphs(Case):
    def test_inference(self):
        with torch.no_grad():
            ((graph, inputs),) = captured(Small(), torch.randn(3, 4))
        exported = self.check(graph, tuple(x.detach() for x in inputs))
        self.assertIn("test_graphs.py", exported.mlir)
        self.assertIn('loc("body.0"', exported.mlir)

    def test_training(self):
        graphs = captured(Small(), torch.randn(3, 4), gradients=True)
        self.assertEqual(len(graphs), 2)
        for graph, inputs in graphs:
            exported = kernelskill.export(graph, tuple(inputs))
            self.assertIn("test_graphs.py", exported.mlir)
            real = [torch.randn(x.shape).to(x.dtype) for x in inputs]
            self.check(graph, tuple(real), exported=exported)

    def test_while_somebody_traces(self):
        """A backend exports inside of Dynamo's own tracing context."""
        texts = []

        def backend(graph, inputs):
            texts.append(kernelskill.export(graph, tuple(inputs)).mlir)
            return graph.forward

        torch._dynamo.reset()
        with torch.no_grad():
            torch.compile(Small(), backend=backend)(torch.randn(3, 4))
        self.assertIn("func.func @main", texts[0])


if __name__ == "__main__":
    unittest.main()
