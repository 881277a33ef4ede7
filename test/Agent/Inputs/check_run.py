"""check_run.py OUT_DIR TRIALS [OTHER_OUT_DIR]: events.jsonl and report.json of the
one run in OUT_DIR are whole and agree; with another run, both drew the same first
candidates and inputs."""

import json
import pathlib
import sys


def load(folder):
    (run,) = pathlib.Path(folder).iterdir()
    events = [json.loads(line) for line in (run / "events.jsonl").open()]
    return run, events


run, events = load(sys.argv[1])
trials = [e for e in events if e["event"] == "trial"]
assert len(trials) == int(sys.argv[2]), len(trials)
assert [e["seq"] for e in events] == list(range(len(events)))
assert events[0]["event"] == "run" and events[-1]["event"] == "end"
assert events[0]["label"] == "checked: host, timed: estimate"
for trial in trials:
    assert trial["outcome"] in ("passed", "better", "not better", "inconclusive")
    laws = [check["law"] for check in trial["checks"]]
    assert trial["reason"] or laws == ["normal", "wide", "uniform", "ones", "normal"]
    assert (run / trial["files"] / "kernel.mlir").is_file()
    assert trial["resources"][0]["registers"] > 0
commits = [e for e in events if e["event"] == "commit"]
report = json.loads((run / "report.json").read_text())
(kernel,) = report["kernels"]
assert kernel["verified"] and report["finished"]
assert kernel["committed"]["knobs"] == commits[-1]["knobs"]
assert len(kernel["trials"]) == len(trials)
if len(sys.argv) > 3:
    _, others = load(sys.argv[3])
    theirs = [e for e in others if e["event"] == "trial"]
    for a, b in list(zip(trials, theirs))[:2]:
        assert a["knobs"] == b["knobs"] and a["fingerprint"] == b["fingerprint"]
        assert a["code"] == b["code"] and a["checks"] == b["checks"]
