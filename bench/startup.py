#!/usr/bin/env python3
"""How long from exec to an answer, beside what loading LibTorch takes by itself. Interleaved, medians."""
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

from peer.build import BUILD, HEARTH

DIGITS = str(pathlib.Path(__file__).resolve().parent.parent / "examples/digits.yaml")
ROUNDS = 9


def seconds(*command, cwd):
    began = time.time()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.time() - began


def first_step(cwd):
    """From exec to the first step in the run log, whose time stamps are the wall clock's."""
    began = time.time()
    done = subprocess.run([HEARTH, "train", DIGITS, "train.epochs=1", "--json"], cwd=cwd, check=True,
                          capture_output=True, text=True)
    run = json.loads(done.stdout.splitlines()[-1])["run"]
    first = json.loads((pathlib.Path(cwd) / run / "log.jsonl").read_text().splitlines()[0])
    assert first["event"] == "step" and first["step"] == 1
    return first["time"] - began


def main():
    times = {name: [] for name in ("load", "help", "list", "docs", "check", "first_step")}
    with tempfile.TemporaryDirectory() as cwd:
        for _ in range(ROUNDS):
            times["load"].append(seconds(str(BUILD / "bench/load_torch"), cwd=cwd))
            times["help"].append(seconds(HEARTH, "--help", cwd=cwd))
            times["list"].append(seconds(HEARTH, "list", "layer", cwd=cwd))
            times["docs"].append(seconds(HEARTH, "docs", "adamw", cwd=cwd))
            times["check"].append(seconds(HEARTH, "check", DIGITS, cwd=cwd))
            times["first_step"].append(first_step(cwd))
    median = {name: statistics.median(values) for name, values in times.items()}
    for name, value in median.items():
        print(f"{name:12} {value:.3f} s (of {ROUNDS}: {min(times[name]):.3f} to {max(times[name]):.3f})")
    bars = [("startup_help", median["help"], 0.15), ("startup_list", median["list"], 0.15),
            ("startup_docs", median["docs"], 0.15),
            ("startup_check_over_load", median["check"] - median["load"], 0.4),
            ("startup_first_step_over_load", median["first_step"] - median["load"], 0.8)]
    for name, value, limit in bars:
        print(f"bar {name} {value:.3f} {limit} {'ok' if value <= limit else 'short'}")


main()
