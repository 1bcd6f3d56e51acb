#!/usr/bin/env python3
"""Held-out accuracy and training time of the default digits example, over several seeds."""
import json
import pathlib
import statistics
import subprocess
import tempfile

from peer.build import HEARTH

DIGITS = str(pathlib.Path(__file__).resolve().parent.parent / "examples/digits.yaml")


def train(seed, cwd):
    done = subprocess.run([HEARTH, "train", DIGITS, f"seed={seed}", "--json"], cwd=cwd,
                          check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    with tempfile.TemporaryDirectory() as cwd:
        reports = [train(seed, cwd) for seed in range(3)]
    accuracies = [report["metrics"]["eval/accuracy"] for report in reports]
    seconds = statistics.median(report["seconds"] for report in reports)
    print(f"accuracy of seeds 0, 1, 2: {', '.join(f'{a:.4f}' for a in accuracies)}; median {seconds:.2f} s of training")
    print(f"bar digits_accuracy {accuracies[0]:.4f} 0.975 {'ok' if accuracies[0] >= 0.975 else 'short'}")
    print(f"bar digits_seconds {seconds:.2f} 10 {'ok' if seconds <= 10 else 'short'}")


main()
