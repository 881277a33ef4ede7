"""torch.compile(model, backend="kernelskill") answers as eager PyTorch does: values,
strides, mutations, aliases and gradients; what cannot be compiled runs eagerly and says
so."""

import copy
import glob
import os
import tempfile
import unittest
import warnings

import torch
import torch.utils._pytree as pytree

import kernelskill
from kernelskill import backend


def compiled(function, **options):
    return torch.compile(function, backend=backend.kernelskill, **options)


class BackendTest(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()
        torch.manual_seed(0)
        warnings.simplefilter("error", kernelskill.EagerWarning)

    def same(self, got, wanted):
        got, wanted = pytree.tree_leaves(got), pytree.tree_leaves(wanted)
        self.assertEqual(len(got), len(wanted))
        for a, b in zip(got, wanted):
            if not isinstance(b, torch.Tensor):
                self.assertEqual(a, b)
                continue
            self.assertEqual(a.stride(), b.stride())
            torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5)

    def agree(self, function, *args):
        with torch.no_grad():
            self.same(compiled(function)(*args), function(*args))


class Inference(BackendTest):
    def test_convolution_with_statistics(self):
        model = torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU()
        )
        self.agree(copy.deepcopy(model).eval(), torch.randn(2, 3, 8, 8))
        ours, eager = copy.deepcopy(model).train(), model.train()
        x = torch.randn(2, 3, 8, 8)
        with torch.no_grad():
            self.same(compiled(ours)(x), eager(x))
        self.same(list(ours.buffers()), list(eager.buffers()))

    def test_layout_of_channels_last(self):
        x = torch.randn(2, 3, 8, 8).to(memory_format=torch.channels_last)
        self.agree(torch.nn.Conv2d(3, 8, 3), x)

    def test_recurrent(self):
        x = torch.randn(7, 2, 4)
        self.agree(torch.nn.LSTM(4, 5, 2, bidirectional=True), x)
        self.agree(torch.nn.GRU(4, 5), x)

    def test_transformer(self):
        layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        model = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.agree(model.eval(), torch.randn(2, 5, 16))

    def test_results_of_every_kind(self):
        def function(x, i):
            zeros = torch.zeros(3, device=x.device)
            best = x[:, None].max(dim=-1)
            chosen = torch.where(i > 0, 1.0, 2.0)
            return best.values, best.indices, zeros, x.shape[0], x.to(torch.float16), chosen

        self.agree(function, torch.randn(3, 3), torch.tensor([1, -1]))

    def test_views_of_inputs(self):
        def function(x):
            return x.view(-1), x.t(), x

        x = torch.randn(3, 4)
        with torch.no_grad():
            results = compiled(function)(x)
        self.same(results, function(x))
        self.assertEqual({r.data_ptr() for r in results}, {x.data_ptr()})
        self.assertIs(results[2], x)

    def test_random_numbers(self):
        def function(x):
            return torch.nn.functional.dropout(x, 0.5, True) + torch.rand_like(x)

        x = torch.ones(64)
        run = compiled(function)
        torch.manual_seed(3)
        first, second = run(x), run(x)
        torch.manual_seed(3)
        self.same([first, second], [function(x), function(x)])

    def test_autocast(self):
        def function(x):
            with torch.autocast("cpu", torch.bfloat16):
                return x @ x

        self.agree(function, torch.randn(4, 4))

    def test_open_batch(self):
        model = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Softmax(-1))
        run = compiled(model, dynamic=True)
        with torch.no_grad():
            for batch in (3, 7, 3, 1):
                x = torch.randn(batch, 4)
                self.same(run(x), model(x))


class Mutation(BackendTest):
    @staticmethod
    def add_in_place(a, b):
        a.add_(1)
        return a + b

    def test_argument_is_written(self):
        run, a, b = compiled(self.add_in_place), torch.zeros(4), torch.ones(4)
        version = a._version
        with torch.no_grad():
            self.same(run(a, b), torch.full((4,), 2.0))
        self.same(a, torch.ones(4))
        self.assertGreater(a._version, version)

    def test_arguments_overlap(self):
        warnings.simplefilter("ignore", kernelskill.EagerWarning)
        ours, eager = torch.zeros(8), torch.zeros(8)
        run = compiled(self.add_in_place)
        with torch.no_grad():
            for begin in (4, 2):  # Apart first; Dynamo has no guard for this.
                got = run(ours[0:4], ours[begin : begin + 4])
                self.same(got, self.add_in_place(eager[0:4], eager[begin : begin + 4]))
                self.same(ours, eager)


class Training(BackendTest):
    def test_gradients(self):
        model = torch.nn.Sequential(
            torch.nn.Conv1d(3, 4, 3),
            torch.nn.BatchNorm1d(4),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
            torch.nn.Linear(24, 5),
        )
        ours, eager = copy.deepcopy(model), model
        x = torch.randn(2, 3, 8)
        run = compiled(ours)
        for _ in range(2):
            for m, f in ((ours, run), (eager, eager)):
                m.zero_grad()
                f(x).square().sum().backward()
            self.same([p.grad for p in ours.parameters()],
                      [p.grad for p in eager.parameters()])
        self.same(list(ours.buffers()), list(eager.buffers()))

    def test_refused_forward_runs_eagerly(self):
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(context, x):
                return x * 2

            @staticmethod
            def backward(context, gradient):
                return gradient * 3  # Not the derivative: nobody may guess it.

        x = torch.ones(3, requires_grad=True)
        warnings.simplefilter("ignore", kernelskill.EagerWarning)
        compiled(lambda x: Twice.apply(x).sin())(x).sum().backward()
        self.same(x.grad, 3 * torch.cos(torch.full((3,), 2.0)))


class Refusals(BackendTest):
    def test_data_dependent_shape(self):
        warnings.simplefilter("ignore", kernelskill.EagerWarning)
        self.agree(lambda x: x[x > 0], torch.randn(9))

    def test_warns_and_runs_eagerly(self):
        warnings.simplefilter("always", kernelskill.EagerWarning)
        with self.assertWarnsRegex(kernelskill.EagerWarning, "runs eagerly"):
            self.agree(lambda x: torch.linalg.svdvals(x), torch.randn(4, 4))

    def test_unknown_option(self):
        with self.assertRaisesRegex(Exception, "no option 'buget'"):
            compiled(torch.sin, options={"buget": 3})(torch.ones(2))

    def test_without_compiler_and_cache(self):
        saved = {k: os.environ.get(k) for k in ("KS_OPT", "KS_RUNTIME", "KS_CACHE")}
        library = str(kernelskill._find.runtime_library())
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.environ.update(KS_OPT=f"{folder}/none", KS_RUNTIME=library,
                                  KS_CACHE=folder)
                with self.assertWarnsRegex(kernelskill.EagerWarning, "KS_OPT"):
                    warnings.simplefilter("always", kernelskill.EagerWarning)
                    self.agree(lambda x: x * 3 + 1, torch.randn(5))
            finally:
                for name, value in saved.items():
                    os.environ.pop(name, None)
                    if value is not None:
                        os.environ[name] = value


class Cache(BackendTest):
    def test_hit_needs_neither_exporter_nor_compiler(self):
        def build():
            torch.manual_seed(5)
            return torch.nn.Sequential(torch.nn.Linear(6, 7), torch.nn.GELU()).eval()

        saved = os.environ.get("KS_CACHE"), os.environ.get("KS_OPT")
        library = str(kernelskill._find.runtime_library())
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.environ.update(KS_CACHE=folder, KS_RUNTIME=library)
                self.agree(build(), torch.randn(3, 6))
                self.assertEqual(len(glob.glob(f"{folder}/packages/*.ksp")), 1)
                os.environ["KS_OPT"] = f"{folder}/none"
                torch._dynamo.reset()
                self.agree(build(), torch.randn(3, 6))  # Warnings are errors here.
            finally:
                for name, value in zip(("KS_CACHE", "KS_OPT"), saved):
                    os.environ.pop(name, None)
                    if value is not None:
                        os.environ[name] = value
                os.environ.pop("KS_RUNTIME")


if __name__ == "__main__":
    unittest.main()
