"""What a model writes, returns and draws: mutations, state, aliases, random numbers."""

import json
import unittest

import kernelskill
import torch
import torch.nn.functional as F
from harness import Case
from torch import nn


class Counter(nn.Module):
    """Writes a buffer and an input in place, and returns views."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total += x.sum(0)
        x.mul_(2)
        return x[1:], x, self.total, x.t()


class Hidden(nn.Module):
    """Keeps a tensor between calls, as KernelBench 3/33 does."""

    def __init__(self):
        super().__init__()
        self.hidden = torch.randn(3, 4)
        self.cache = [torch.zeros(3, 4)]
        self.linear = nn.Linear(8, 4)

    def forward(self, x):
        self.hidden = self.linear(torch.cat((x, self.hidden), 1)).tanh()
        self.cache[0] = self.hidden * 2
        return self.hidden + 1


class State(Case):
    def test_mutations_and_views(self):
        exported = self.check(Counter(), (torch.randn(3, 4),))
        names = [exported.arguments[i][0] for i in exported.mutations]
        self.assertEqual(names, ["x", "total"])
        self.assertEqual([p.of for p in exported.results], ["argument"] * 4)
        view = exported.results[0].view
        self.assertEqual((view.sizes, view.strides, view.offset), ((2, 4), (4, 1), 4))
        self.assertEqual(exported.results[3].view.strides, (1, 4))

    def test_attributes(self):
        module = Hidden()
        held = module.hidden
        exported = self.check(module, (torch.randn(3, 4),))
        self.assertIs(module.hidden, held)
        state = [s["attribute"] for s in exported.signature["state"]]
        self.assertEqual(state, ["hidden", "cache.0"])
        kinds = dict(exported.arguments)
        self.assertEqual(kinds["hidden"], "constant")

    def test_buffer_is_set_anew(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", torch.zeros(4))

            def forward(self, x):
                self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
                return x - self.mean

        exported = self.check(Module(), (torch.randn(3, 4),))
        self.assertEqual(exported.signature["state"][0]["attribute"], "mean")
        self.assertEqual(exported.mutations, [])

    def test_counters_are_refused(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = 0

            def forward(self, x):
                self.calls += 1
                return x * self.calls

        module = Module()
        with self.assertRaisesRegex(kernelskill.ExportError, "'calls' from 0 to 1"):
            kernelskill.export(module, (torch.randn(3),))
        self.assertEqual(module.calls, 0)


class Results(Case):
    def test_shared_storage(self):
        class Module(nn.Module):
            def forward(self, x):
                y = x * 2
                return y, y[1:], {"same": y, "turned": y.t()}, None, 7

        exported = self.check(Module(), (torch.randn(3, 4),))
        places = exported.results
        self.assertEqual([p.index for p in places], [0, 0, 0, 0])
        self.assertIsNone(places[2].view)
        self.assertEqual(places[1].view.offset, 4)
        values = [r.get("value") for r in exported.signature["results"]["leaves"]]
        self.assertEqual(values[4:], [None, 7])

    def test_parts_of_one_storage(self):
        class Module(nn.Module):
            def forward(self, x):
                return (x * 2).chunk(2)

        exported = self.check(Module(), (torch.randn(4, 4),))
        self.assertEqual([p.view.offset for p in exported.results], [0, 8])

    def test_arguments_come_back(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.randn(4))

            def forward(self, x, y):
                return x, self.weight, y.detach(), x.reshape(-1), x.contiguous()

        exported = self.check(Module(), (torch.randn(3, 4), torch.randn(2)))
        self.assertEqual([p.index for p in exported.results], [0, 2, 1, 0, 0])

    def test_expanded_is_its_own(self):
        class Module(nn.Module):
            def forward(self, x):
                return x.sum().expand(3), (x + 1).to(torch.int32)

        self.check(Module(), (torch.randn(3),))


class Arguments(Case):
    def test_keywords_and_trees(self):
        class Module(nn.Module):
            def forward(self, x, pair, *rest, scale=1.0, flag=False, extra=None):
                y = x * scale + pair[0] - pair[1]["b"] + rest[0]
                return y if flag else -y

        args = (torch.randn(3), (torch.randn(3), {"b": torch.randn(3)}), torch.randn(3))
        exported = self.check(Module(), args, {"scale": 2.5, "flag": True})
        names = [name for name, _ in exported.arguments]
        self.assertEqual(names, ["x", "pair.0", "pair.1.b", "rest.0"])
        leaves = {e["name"]: e for e in exported.signature["call"]["leaves"]}
        self.assertEqual(leaves["scale"]["value"], 2.5)
        self.assertIs(leaves["flag"]["value"], True)

    def test_tied(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.encode = nn.Linear(4, 4, bias=False)
                self.decode = nn.Linear(4, 4, bias=False)
                self.decode.weight = self.encode.weight

            def forward(self, x):
                return self.decode(self.encode(x))

        exported = self.check(Module(), (torch.randn(3, 4),))
        self.assertEqual(
            exported.arguments, [("x", "input"), ("encode.weight", "parameter")]
        )

    def test_parametrized(self):
        """Weights that are computed from parameters."""
        made = nn.utils.parametrizations
        self.check(made.weight_norm(nn.Linear(4, 3)), (torch.randn(2, 4),))
        self.check(made.spectral_norm(nn.Linear(4, 3)).eval(), (torch.randn(2, 4),))

    def test_same_tensor_twice(self):
        class Module(nn.Module):
            def forward(self, x, y):
                return x + y

        x = torch.randn(3)
        exported = self.check(Module(), (x, x))
        self.assertEqual(len(exported.arguments), 2)

    def test_same_tensor_twice_and_written(self):
        class Module(nn.Module):
            def forward(self, x, y):
                x.add_(1)
                return x + y

        x = torch.randn(3)
        exported = kernelskill.export(Module(), (x, x))
        self.assertEqual(len(exported.arguments), 1)
        leaves = exported.signature["call"]["leaves"]
        self.assertEqual(leaves[0]["argument"], 0)
        self.assertEqual(leaves[1], {"name": "y", "same_as": 0})

    def test_constants(self):
        table = torch.randn(3000)

        class Module(nn.Module):
            def forward(self, x):
                small = torch.tensor([1.5, 2.5, -3.5])
                return x * small + table[:3]

        exported = self.check(Module(), (torch.randn(3),))
        self.assertEqual(exported.arguments[1], ("constant.0", "constant"))


class Random(Case):
    def test_dropout(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.dropout = nn.Dropout(0.3)

            def forward(self, x):
                y = self.dropout(x) + torch.rand(4)
                return y, F.dropout2d(x[None, :, :, None], 0.5), torch.randn_like(x)

        exported = self.check(Module().train(), (torch.randn(3, 4),))
        laws = [entry["law"] for entry in exported.signature["random"]]
        self.assertEqual(laws, ["bernoulli", "rand", "bernoulli", "randn"])
        exported = self.check(nn.Dropout(0.3).eval(), (torch.randn(3, 4),))
        self.assertEqual(exported.signature["random"], [])

    def test_others(self):
        class Module(nn.Module):
            def forward(self, x):
                return (
                    torch.bernoulli(x.sigmoid()).sum() * 0,
                    torch.empty(5).uniform_(-1, 2),
                    torch.normal(x, 2.0),
                    torch.randint(0, 9, (7,)),
                    torch.randperm(6),
                    torch.bernoulli(torch.full((3,), 0.5), 0.25),
                    torch.empty(4).exponential_(2.0),
                )

        self.check(Module(), (torch.randn(3, 4),))

    def test_unread_draws_count(self):
        class Module(nn.Module):
            def forward(self, x):
                torch.rand(4)
                return x + torch.rand(3)

        exported = self.check(Module(), (torch.randn(3),))
        self.assertEqual(len(exported.signature["random"]), 2)

    def test_argument_named_as_an_attribute(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.h0 = torch.randn(3)

            def forward(self, x, h0):
                return x + h0 * 2 + self.h0

        exported = self.check(Module(), (torch.randn(3), torch.randn(3)))
        names = [name for name, _ in exported.arguments]
        self.assertEqual(names, ["x", "h0.input", "h0"])

    def test_json(self):
        exported = kernelskill.export(Counter(), (torch.randn(3, 4),))
        json.dumps(exported.signature)


if __name__ == "__main__":
    unittest.main()
