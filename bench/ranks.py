#!/usr/bin/env python3
"""A training step of two processes with one thread each: over PyTorch's DistributedDataParallel with gloo, and over one process
of Hearth with two threads."""
import argparse
import json
import os
import socket
import statistics
import subprocess
import sys

from peer import neighbours, python_torch, steps
from peer.build import STEP_OF

NETWORKS = ("mlp", "lenet", "resnet18", "gpt")
OVER_DDP = 0.55
OVER_THREADS = 1.15
LINE = "{:9} {:>9} {:>9} {:>9}   {:>14} {:>14}"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run_ranks(command):
    """What the first of two ranks prints."""
    place = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    processes = [subprocess.Popen(command, env=python_torch.environment(1) | place | {"RANK": str(rank), "LOCAL_RANK": str(rank)},
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for rank in range(2)]
    done = [process.communicate() for process in processes]
    for process, (_, said) in zip(processes, done):
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)} failed:\n{said}")
    return json.loads(done[0][0].splitlines()[-1])


def sides(network, seconds, python):
    ddp = [python, str(python_torch.HERE / "step_of_ddp.py"), network, "1", str(seconds)]
    return {"ranks": lambda: run_ranks([STEP_OF, network, "1", "fast", str(seconds)]),
            "ddp": lambda: run_ranks(ddp),
            "threads": lambda: steps.run([STEP_OF, network, "2", "fast", str(seconds)], 2)}


def measure(network, rounds, seconds, python):
    found, others, _ = neighbours.quiet_rounds(
        lambda: {side: work() for side, work in sides(network, seconds, python).items()}, rounds)
    if len({result["parameters"] for result in found[0].values()}) != 1:
        sys.exit(f"{network}: not the same network on every side")
    median = {side: statistics.median(results[side]["median"] for results in found) for side in found[0]}
    spread = {side: steps.spread([results["ranks"]["median"] / results[side]["median"] for results in found])
              for side in ("ddp", "threads")}
    ratio = {side: median["ranks"] / median[side] for side in ("ddp", "threads")}
    print(LINE.format(network, *(f"{median[side]:.3f}" for side in ("ranks", "ddp", "threads")),
                      *(f"{ratio[side]:.2f} ±{spread[side]:.0f} %" for side in ("ddp", "threads"))) +
          (f"   others used up to {others:.0%} of the machine" if others > neighbours.TOLERATED else ""), flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.8)
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=NETWORKS)
    options = parser.parse_args()
    python = python_torch.interpreter()
    print(f"ms a step, medians of {options.rounds} rounds; load of the machine at the start: {os.getloadavg()[0]:.2f}")
    print(LINE.format("network", "2 ranks", "DDP", "2 threads", "over DDP", "over threads"), flush=True)
    found = {network: measure(network, options.rounds, options.seconds, python) for network in options.networks}
    for network, ratio in found.items():
        for side, limit in (("ddp", OVER_DDP), ("threads", OVER_THREADS)):
            print(f"bar ranks_{network}_over_{side} {ratio[side]:.2f} {limit} {'ok' if ratio[side] <= limit else 'short'}")


main()
