"""Packages on tensors: `kernelskill.optimize`, `load` and `library_op`; what a call
checks, what it shares, threads, and on a GPU streams and CUDA graphs."""

import os
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import torch

import kernelskill

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
warnings.filterwarnings("ignore")


class Block(torch.nn.Module):
    """Mutates a buffer, returns a view of its input, a scalar and None."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(16, 32)
        self.norm = torch.nn.LayerNorm(32)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x, scale=2.0):
        y = self.norm(torch.relu(self.linear(x))) * scale
        self.calls += 1
        return y, {"sum": y.sum(), "flat": x.view(-1)}, None


class Stateful(torch.nn.Module):
    """Sets an attribute that is no buffer."""

    def __init__(self):
        super().__init__()
        self.hidden = torch.zeros(4)

    def forward(self, x):
        self.hidden = torch.tanh(self.hidden + x)
        return self.hidden * 2


class Gather(torch.nn.Module):
    def forward(self, table, index):
        return torch.nn.functional.embedding(index, table)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name="model.ksp"):
        return Path(self.folder.name) / name

    def optimized(self, model, *args, **options):
        options = {"budget": 0, "package": self.path(), **options}
        return kernelskill.optimize(model, args, **options)


class Optimized(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = Block().eval().to(DEVICE)
        self.x = torch.randn(5, 16, device=DEVICE)
        self.run_ = self.optimized(self.model, self.x)

    def test_results_and_state(self):
        with torch.no_grad():
            wanted = self.model(self.x)  # calls is 1 now
        got = self.run_(self.x)
        self.assertEqual(self.model.calls.item(), 2)
        torch.testing.assert_close(got[0], wanted[0])
        torch.testing.assert_close(got[1]["sum"], wanted[1]["sum"], rtol=1e-4, atol=1e-4)
        self.assertEqual(got[1]["flat"].data_ptr(), self.x.data_ptr())
        self.assertIsNone(got[2])

    def test_parameters_stay_the_models(self):
        before = self.run_(self.x)[0]
        with torch.no_grad():
            self.model.norm.weight.mul_(2)  # In place,
        self.model.norm.bias = torch.nn.Parameter(torch.ones(32, device=DEVICE))  # anew.
        torch.testing.assert_close(self.run_(self.x)[0], before * 2 + 2)

    def test_another_call_is_an_error(self):
        with self.assertRaisesRegex(kernelskill.GuardError, "put together otherwise"):
            self.run_(self.x, scale=3.0)
        run = kernelskill.optimize(self.model, (self.x, 3.0), budget=0)
        with self.assertRaisesRegex(kernelskill.GuardError, "'scale' was 3.0"):
            run(self.x, 4.0)

    def test_another_mode_is_an_error(self):
        self.model.train()
        with self.assertRaisesRegex(kernelskill.GuardError, "in evaluation mode"):
            self.run_(self.x)
        self.run_.eval()  # As any module, it passes its mode on.
        self.run_(self.x)

    def test_tensors_that_do_not_fit(self):
        for tensor, kind, text in (
            (self.x.double(), TypeError, "'x': expected Float.*got Double"),
            (self.x[:4], ValueError, r"'x': expected Float\[5, 16\].*got Float\[4, 16\]"),
            (self.x.t().contiguous().t(), ValueError, "'x': is not contiguous"),
            (self.x.to_sparse(), TypeError, "layout"),
            (self.x.to("meta"), ValueError, "on meta"),
            (3, TypeError, "expected a torch.Tensor, got int"),
        ):
            with self.assertRaisesRegex(kind, text):
                self.run_(tensor)

    def test_lazy_values_are_refused(self):
        with self.assertRaisesRegex(ValueError, "lazy conjugate or negative"):
            self.run_(torch._neg_view(self.x))

    def test_attribute_as_state(self):
        model, eager = Stateful().to(DEVICE), Stateful().to(DEVICE)
        model.hidden = eager.hidden = torch.zeros(4, device=DEVICE)
        x = torch.randn(4, device=DEVICE)
        run = self.optimized(model, x, package=self.path("state.ksp"))
        for _ in range(3):
            torch.testing.assert_close(run(x), eager(x))
        torch.testing.assert_close(model.hidden, eager.hidden)

    def test_constants_are_those_of_the_model(self):
        class Fixed(torch.nn.Module):
            def __init__(self, values):
                super().__init__()
                self.values = (values,)  # in a tuple, where no state is looked for

            def forward(self, x):
                return x + self.values[0]

        x = torch.zeros(2000, device=DEVICE)
        for start in (0.0, 5.0):  # One program, two tables.
            values = torch.arange(2000.0, device=DEVICE) + start
            got = kernelskill.optimize(Fixed(values), (x,), budget=0)(x)
            torch.testing.assert_close(got, values)

    def test_random_numbers_of_an_open_size(self):
        model = torch.nn.Dropout(0.5).to(DEVICE)
        x = torch.ones(4, 8, device=DEVICE)
        run = kernelskill.optimize(model, (x,), dynamic={"input": {0: "batch"}}, budget=0)
        for batch in (4, 7):
            x = torch.ones(batch, 8, device=DEVICE)
            torch.manual_seed(3)
            got = run(x)
            torch.manual_seed(3)
            torch.testing.assert_close(got, model(x))

    def test_report_and_cache(self):
        run = kernelskill.optimize(self.model, (self.x,), budget=1, device=(
            "cuda" if DEVICE.type == "cuda" else "host"))
        self.assertGreater(len(run.report["kernels"]), 0)
        stamp = os.stat(run.package).st_mtime_ns
        again = kernelskill.optimize(self.model, (self.x,), budget=1)
        self.assertEqual(os.stat(again.package).st_mtime_ns, stamp)
        self.assertEqual(again.report, run.report)


class Loaded(ProgramTest):
    def setUp(self):
        super().setUp()
        self.table = torch.randn(7, 4, device=DEVICE)
        self.index = torch.tensor([3, 0, 6], device=DEVICE)
        self.optimized(Gather(), self.table, self.index)
        self.program = kernelskill.load(self.path(), DEVICE)

    def test_runs(self):
        (got,) = self.program(self.table, self.index)
        torch.testing.assert_close(got, self.table[self.index])

    def test_one_tensor_twice(self):
        class Sum(torch.nn.Module):
            def forward(self, a, b):
                return a + 2 * b

        a = torch.randn(6, device=DEVICE)
        self.optimized(Sum(), a, a.clone(), package=self.path("sum.ksp"))
        (got,) = kernelskill.load(self.path("sum.ksp"), DEVICE)(a, a)
        torch.testing.assert_close(got, 3 * a)

    def test_failed_check_is_told(self):
        bad = torch.tensor([3, 0, 7], device=DEVICE)
        with self.assertRaisesRegex(RuntimeError, "check failed.*index"):
            self.program(self.table, bad)
            if DEVICE.type == "cuda":  # Told later: a call does not wait.
                torch.cuda.synchronize()
                self.program.check()
        (got,) = self.program(self.table, self.index)  # And once only.
        torch.testing.assert_close(got, self.table[self.index])

    def test_wrong_files(self):
        with self.assertRaisesRegex(OSError, "none.ksp"):
            kernelskill.load(self.path("none.ksp"))
        whole = self.path().read_bytes()
        self.path("cut.ksp").write_bytes(whole[: len(whole) // 2])
        with self.assertRaisesRegex(OSError, "cut.ksp"):
            kernelskill.load(self.path("cut.ksp"))

    def test_threads(self):
        failures = []

        def work(number):
            for i in range(100):
                table = self.table + number * 100 + i
                (got,) = self.program(table, self.index)
                if not torch.equal(got, table[self.index]):
                    failures.append((number, i))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_operator(self):
        operator = kernelskill.library_op("kernelskill_test::gather", self.path())
        torch.testing.assert_close(
            operator(self.table, self.index), self.table[self.index]
        )
        run = torch.compile(
            lambda t, i: operator(t, i) * 2, backend="eager", fullgraph=True
        )
        torch.testing.assert_close(
            run(self.table, self.index), self.table[self.index] * 2
        )
        torch.library.opcheck(operator.default, (self.table, self.index))
        with self.assertRaisesRegex(ValueError, "namespace::operator"):
            kernelskill.library_op("gather", self.path())


@unittest.skipUnless(DEVICE.type == "cuda", "no GPU")
class OnGpu(ProgramTest):
    def test_graph_capture(self):
        x = torch.randn(64, 16, device=DEVICE)
        run = self.optimized(Block().eval().to(DEVICE), x)
        static = torch.zeros_like(x)
        run(static)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = run(static)[0]
        static.copy_(x)
        graph.replay()
        torch.testing.assert_close(result, run(x)[0])

    def test_first_call_can_be_captured(self):
        x = torch.randn(64, 16, device=DEVICE)
        run = self.optimized(Block().eval().to(DEVICE), x)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = run(x)[0]
        graph.replay()
        torch.testing.assert_close(result, run(x)[0])

    def test_current_stream(self):
        x = torch.randn(1 << 20, 16, device=DEVICE)
        run = self.optimized(Block().eval().to(DEVICE), x)
        wanted = run(x)[0]
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(50_000_000)
            late = x + 0  # Written on this stream, behind the sleep.
            got = run(late)[0]
        self.assertFalse(stream.query())  # The call did not wait.
        stream.synchronize()
        torch.testing.assert_close(got, wanted)


if __name__ == "__main__":
    unittest.main()
