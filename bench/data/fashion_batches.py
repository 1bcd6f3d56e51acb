#!/usr/bin/env python3
"""Fashion-MNIST in batches of 128, shifted by up to two points, flipped and normalized: images a second of Hearth's
pipeline beside torchvision with torch's DataLoader and beside LibTorch's own DataLoader in C++, each with its best number
of workers, in turns."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from peer import fashion_data, neighbours, python_torch  # noqa: E402
from peer.build import BUILD  # noqa: E402

CORES = len(os.sched_getaffinity(0))
ROUNDS = 3
WORKERS = tuple(range(CORES + 1))  # that each side may choose from
LIMITS = {"torch": 25, "libtorch": 4}
EPOCHS = {"hearth": 10, "torch": 1, "libtorch": 2}


def run(command, workers, epochs):
    done = subprocess.run([*map(str, command), str(workers), str(epochs)], env=python_torch.environment(1),
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["images"] == 60000 * epochs, report
    return report["rate"]


def measure(commands):
    """A round: each side with each number of workers."""
    return {side: [run(command, workers, EPOCHS[side]) for workers in WORKERS] for side, command in commands.items()}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        raw = fashion_data.unpack(folder)
        commands = {"hearth": [BUILD / "bench/data/fashion_batches", raw],
                    "torch": [python_torch.interpreter(), python_torch.HERE / "fashion_batches_torch.py", folder],
                    "libtorch": [BUILD / "bench/data/fashion_libtorch", raw]}
        rounds, others, again = neighbours.quiet_rounds(lambda: measure(commands), ROUNDS)
    print(f"Fashion-MNIST, batches of 128, {CORES} cores; {again} rounds run again, others used up to {others:.0%}")
    best = {}
    for side in commands:
        for index, workers in enumerate(WORKERS):
            rates = [found[side][index] for found in rounds]
            print(f"  {side} with {workers} workers: {statistics.median(rates):.0f} images/s "
                  f"({', '.join(f'{rate:.0f}' for rate in rates)})")
        best[side] = [max(found[side]) for found in rounds]
    for side, limit in LIMITS.items():
        ratios = [ours / theirs for ours, theirs in zip(best["hearth"], best[side])]
        ratio = statistics.median(best["hearth"]) / statistics.median(best[side])
        print(f"over {side}: ratio of rounds {', '.join(f'{each:.1f}' for each in ratios)}")
        print(f"bar fashion_batches_over_{side} {ratio:.2f} {limit} {'ok' if ratio >= limit else 'short'}")


main()
