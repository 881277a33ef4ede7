"""Recurrent layers and scans: loops, values against PyTorch."""

import unittest

import kernelskill
import torch
from harness import Case
from torch import nn
from torch._higher_order_ops.scan import scan


class Recurrent(Case):
    """Every layer in every variant; the loops stay loops."""

    def layer(self, kind, batch_first=True, state=None, **options):
        torch.manual_seed(3)
        module = kind(6, 5, batch_first=batch_first, **options)
        shape = (4, 7, 6) if batch_first else (7, 4, 6)
        args = (torch.randn(shape),)
        if state is not None:
            args += (state,)
        exported = self.check(module, args)
        layers = options.get("num_layers", 1)
        self.assertEqual(exported.mlir.count("scf.for"), layers)
        name = f'ks.op = "{kind.__name__.lower()}"'
        self.assertEqual(exported.mlir.count(name), layers)
        return exported

    def test_plain(self):
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            with self.subTest(kind.__name__):
                self.layer(kind)

    def test_layers_bidirectional(self):
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            with self.subTest(kind.__name__):
                self.layer(kind, num_layers=2, bidirectional=True, batch_first=False)

    def test_no_bias(self):
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            with self.subTest(kind.__name__):
                self.layer(kind, bias=False)

    def test_relu(self):
        self.layer(nn.RNN, nonlinearity="relu")

    def test_projection(self):
        self.layer(nn.LSTM, proj_size=3, num_layers=2)
        self.layer(nn.LSTM, proj_size=3, bidirectional=True)

    def test_initial_state(self):
        self.layer(nn.GRU, state=torch.randn(1, 4, 5))
        state = torch.randn(2, 4, 5), torch.randn(2, 4, 5)
        self.layer(nn.LSTM, state=state, bidirectional=True)

    def test_unbatched(self):
        self.check(nn.LSTM(6, 5), (torch.randn(7, 6),))

    def test_one_step_is_no_loop(self):
        exported = self.check(nn.LSTM(6, 5), (torch.randn(1, 4, 6),))
        self.assertNotIn("scf.for", exported.mlir)

    def test_half(self):
        self.check(nn.GRU(6, 5).half(), (torch.randn(7, 4, 6).half(),))

    def test_cells(self):
        for kind in (nn.LSTMCell, nn.GRUCell, nn.RNNCell):
            with self.subTest(kind.__name__):
                self.check(kind(6, 5), (torch.randn(4, 6),))

    def test_dropout_between_layers(self):
        module = nn.LSTM(6, 5, 3, dropout=0.4).train()
        exported = kernelskill.export(module, (torch.randn(7, 4, 6),))
        laws = [law["law"] for law in exported.signature["random"]]
        self.assertEqual(laws, ["bernoulli", "bernoulli"])

    def test_input_product_is_hoisted(self):
        exported = kernelskill.export(nn.LSTM(6, 5), (torch.randn(300, 4, 6),))
        main, body = exported.mlir.split("@scan_0_body(", 1)
        self.assertIn("1200x20xf32", main)  # 300 steps of 4 rows in one product
        self.assertEqual(exported.mlir.count("linalg.matmul"), 2)
        self.assertLess(len(exported.mlir), 40000)

    def test_packed_is_refused(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm = nn.LSTM(6, 5)

            def forward(self, x):
                packed = nn.utils.rnn.pack_padded_sequence(x, [7, 5, 3, 2])
                return self.lstm(packed)[0].data

        with self.assertRaisesRegex(kernelskill.ExportError, "packed sequences"):
            kernelskill.export(Module(), (torch.randn(7, 4, 6),))


class Scan(Case):
    def test_scan(self):
        class Module(nn.Module):
            def forward(self, x):
                def step(carry, x):
                    new = carry * 0.5 + x
                    return new, (new + 1).tanh()

                return scan(step, x[0] * 0, x)

        self.check(Module(), (torch.randn(6, 4),))

    def test_scan_reverse_two_inputs(self):
        class Module(nn.Module):
            def forward(self, x, y):
                def step(carry, xs):
                    a, b = carry
                    new = a * xs[0] + b, b + xs[1]
                    return new, new[0] * 2

                start = x[:, 0] * 0 + 1, x[:, 0] * 0
                return scan(step, start, (x, y), dim=1, reverse=True)

        self.check(Module(), (torch.rand(3, 5), torch.randn(3, 5)))

    def test_scan_with_weights(self):
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(4, 4)

            def forward(self, x):
                def step(carry, x):
                    new = self.linear(carry + x).tanh()
                    return new, new.clone()

                return scan(step, x[0] * 0, x)[0]

        exported = self.check(Module(), (torch.randn(5, 2, 4),))
        self.assertIn("scf.for", exported.mlir)

    def test_cumulative(self):
        class Module(nn.Module):
            def forward(self, x):
                return x.cumsum(1), x.cumprod(0), x.flip(0).cumsum(0).flip(0)

        self.check(Module(), (torch.randn(4, 5),))


if __name__ == "__main__":
    unittest.main()
