"""What the key of a captured graph depends on, and what not."""

import unittest

import torch
from torch.fx import symbolic_trace

from kernelskill.graph_key import UncacheableError, graph_key


class Plus(torch.nn.Module):
    def __init__(self, values):
        super().__init__()
        self.register_buffer("values", values)

    def forward(self, x):
        return x + self.values


def key(function, *inputs, salt=()):
    return graph_key(symbolic_trace(function), inputs, salt)


class GraphKey(unittest.TestCase):
    x = torch.zeros(3, 4)

    def test_names_values_and_devices_do_not_count(self):
        def one(x):
            return torch.relu(x) + torch.zeros_like(x, device=torch.device("cpu"))

        def other(image):
            softened = torch.relu(image)
            return softened + torch.zeros_like(
                image, device=torch.device("cuda")
            )

        self.assertEqual(key(one, self.x), key(other, torch.ones(3, 4)))

    def test_what_counts(self):
        keys = {
            key(lambda x: x + 1, self.x),
            key(lambda x: x + 1.0, self.x),
            key(lambda x: x + True, self.x),
            key(lambda x: 1 + x, self.x),
            key(lambda x: x - 1, self.x),
            key(lambda x: (x + 1, x), self.x),
            key(lambda x: x + 1, torch.zeros(4, 3)),
            key(lambda x: x + 1, torch.zeros(4, 3).t()),
            key(lambda x: x + 1, self.x.double()),
            key(lambda x: x.sum(0), self.x),
            key(lambda x: x.sum(dim=0), self.x),
            key(lambda x: x + 1, self.x, salt=("another version",)),
        }
        self.assertEqual(len(keys), 12)

    def test_constants_count_with_their_values(self):
        zeros, ones = torch.zeros(4), torch.ones(4)
        self.assertNotEqual(key(Plus(zeros), self.x), key(Plus(ones), self.x))
        self.assertEqual(key(Plus(ones), self.x), key(Plus(ones.clone()), self.x))

    def test_modes_count(self):
        plain = key(lambda x: x.sin(), self.x)
        with torch.autocast("cpu", torch.bfloat16):
            self.assertNotEqual(key(lambda x: x.sin(), self.x), plain)
        before = torch.get_float32_matmul_precision()
        try:
            torch.set_float32_matmul_precision("medium")
            self.assertNotEqual(key(lambda x: x.sin(), self.x), plain)
        finally:
            torch.set_float32_matmul_precision(before)

    def test_unknown_functions_are_refused(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        graph.output(graph.call_function(lambda value: value, (x,)))
        module = torch.fx.GraphModule(torch.nn.Module(), graph)
        with self.assertRaises(UncacheableError):
            graph_key(module, (self.x,))


if __name__ == "__main__":
    unittest.main()
