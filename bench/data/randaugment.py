#!/usr/bin/env python3
"""Images a second through RandAugment on one thread: Hearth's rand_augment beside torchvision's, both with defaults
and on bytes in memory, in turns."""
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from peer import neighbours, python_torch
from peer.build import BUILD

SIDES = [32, 224]
LIMIT = 4  # times torchvision's images a second, at least
ROUNDS = 5
SECONDS = 2


def number_from(command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return float(done.stdout.splitlines()[-1])


def measure(python, side):
    """A round: hearth, then torchvision."""
    environment = python_torch.environment(1)
    ours = number_from([str(BUILD / "bench/data/op_rate"), "rand_augment", str(side), str(SECONDS)], environment)
    peer = number_from([python, str(python_torch.HERE / "randaugment_torch.py"), str(side), str(SECONDS)], environment)
    return ours, peer


def tell(side, rounds, others, again):
    """Prints every number; returns the ratio of the medians."""
    ours, peer = ([pair[k] for pair in rounds] for k in (0, 1))
    ratios = [first / second for first, second in rounds]
    spread = 50 * (max(ratios) - min(ratios)) / statistics.median(ratios)
    print(f"{side} x {side} x 3: Hearth {statistics.median(ours):.0f} images/s, torchvision "
          f"{statistics.median(peer):.0f}; ratio of rounds {', '.join(f'{ratio:.1f}' for ratio in ratios)}; {again} "
          f"rounds run again, others used up to {others:.0%} of the machine in those that count", flush=True)
    if spread > neighbours.TELLABLE:
        print(f"{side} x {side}: noisy: the ratio of rounds spreads ±{spread:.0f} %", flush=True)
    return statistics.median(ours) / statistics.median(peer)


def main():
    python = python_torch.interpreter()
    bars = []
    for side in SIDES:
        found = neighbours.quiet_rounds(lambda: measure(python, side), ROUNDS)
        bars.append((f"randaugment_{side}", tell(side, *found)))
    for name, ratio in bars:
        print(f"bar {name} {ratio:.2f} {LIMIT} {'ok' if ratio >= LIMIT else 'short'}")


main()
