#!/usr/bin/env python3
"""The digits example on a busy machine: alone, and beside two busy processes for every core; and whether looking out
for them costs anything while there are none."""
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from peer import neighbours
from peer.build import HEARTH

DIGITS = str(pathlib.Path(__file__).resolve().parent.parent / "examples/digits.yaml")
ROUNDS = 5
ALONE_A_ROUND = 3  # runs of each kind: they are short, and what is told apart is small
BUSY_PROCESSES = 2 * os.cpu_count()
LONGEST = 300  # seconds a busy process lives when nobody ends it
# Wall time, at most: beside busy processes over alone, medians; alone over always spinning, as OpenMP does by itself.
LIMIT_BUSY = 4.0
LIMIT_ALONE = 1.05


@contextlib.contextmanager
def busy_processes(count):
    loops = [subprocess.Popen(["timeout", str(LONGEST), "sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.terminate()
        for loop in loops:
            loop.wait()


def train(waiting=None):
    """Seconds from exec to exit, and the digest of what was learnt."""
    environment = {name: value for name, value in os.environ.items() if name != "HEARTH_WAITING"}
    with tempfile.TemporaryDirectory() as folder:
        began = time.time()
        done = subprocess.run([HEARTH, "train", DIGITS, "--json"], cwd=folder, capture_output=True, text=True,
                              env=environment | ({"HEARTH_WAITING": waiting} if waiting else {}))
        seconds = time.time() - began
    if done.returncode != 0:
        sys.exit(f"hearth train failed:\n{done.stderr}")
    return seconds, json.loads(done.stdout.splitlines()[-1])["state_sha256"]


def measure():
    """The runs of each kind, those without busy processes in turns."""
    turns = [(train(), train("spin")) for _ in range(ALONE_A_ROUND)]
    with busy_processes(BUSY_PROCESSES):
        busy = train()
    return {"alone": [alone for alone, _ in turns], "spinning": [spinning for _, spinning in turns], "busy": [busy]}


def faster_half(seconds):
    """Their mean. A run has one of two speeds, by how the cores of a virtual machine lie: a median would be one or
    the other by chance."""
    return statistics.mean(sorted(seconds)[:(len(seconds) + 1) // 2])


def main():
    found, others, again = neighbours.quiet_rounds(measure, ROUNDS)
    runs = {side: [run for results in found for run in results[side]] for side in found[0]}
    seconds = {side: [time for time, _ in runs[side]] for side in runs}
    median = {side: statistics.median(seconds[side]) for side in seconds}
    for side, name in (("alone", "alone"), ("spinning", "alone, always spinning"),
                       ("busy", f"beside {BUSY_PROCESSES} busy processes")):
        times = ", ".join(f"{time:.2f}" for time in seconds[side])
        print(f"digits {name}, {os.cpu_count()} cores: {median[side]:.2f} s (runs {times})")
    if again or others > neighbours.TOLERATED:
        print(f"{again} rounds were run again because others used the machine; in those that count they used up to {others:.0%}")
    if len({digest for side in runs.values() for _, digest in side}) != 1:
        sys.exit("the weights differ")
    alone = faster_half(seconds["alone"]) / faster_half(seconds["spinning"])
    for name, ratio, limit in (("busy", median["busy"] / median["alone"], LIMIT_BUSY), ("busy_alone", alone, LIMIT_ALONE)):
        print(f"bar {name} {ratio:.2f} {limit} {'ok' if ratio <= limit else 'short'}")


main()
