#!/usr/bin/env python3
"""JPEG files to batches: random-resized-crop to 224, flip, normalize; Hearth's loader beside torchvision's ImageFolder,
transforms and DataLoader, on all cores. The files lie in the folder that HEARTH_JPEG or the argument names."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from peer import neighbours, python_torch  # noqa: E402
from peer.build import BUILD  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("HEARTH_JPEG", "../shared/datasets/jpeg"))
CORES = len(os.sched_getaffinity(0))
ROUNDS = 5
WORKERS = (0, 1, 2)  # that torch may choose from
LIMIT = 2.8


def run(command, folder, workers, epochs, environment=None):
    done = subprocess.run([*command, str(folder), str(workers), str(epochs)], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])["rate"]


def measure(python, folder):
    """A round: Hearth with a worker for every core but its own, then torch with each number of workers."""
    hearth = run([str(BUILD / "bench/data/jpeg_batches")], folder, CORES - 1, 20)
    torch = [run([python, str(HERE / "jpeg_torch.py")], folder, workers, 6, python_torch.environment(1)) for workers in WORKERS]
    return hearth, torch


def main():
    if not FOLDER.is_dir():
        print(f"skipped: there is no folder {FOLDER}; name one with JPEG files")
        return
    python = python_torch.interpreter()
    with tempfile.TemporaryDirectory() as name:
        os.symlink(FOLDER.resolve(), pathlib.Path(name) / "pictures")
        rounds, others, again = neighbours.quiet_rounds(lambda: measure(python, name), ROUNDS)
    ratios = [hearth / max(torch) for hearth, torch in rounds]
    print(f"Hearth {statistics.median(hearth for hearth, _ in rounds):.0f} images/s; ratio of rounds "
          f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}; {again} rounds run again, others used up to {others:.0%}")
    for workers, rates in zip(WORKERS, zip(*(torch for _, torch in rounds))):
        print(f"  torchvision with {workers} workers: {statistics.median(rates):.0f} ({', '.join(f'{rate:.0f}' for rate in rates)})")
    ratio = statistics.median(hearth for hearth, _ in rounds) / statistics.median(max(torch) for _, torch in rounds)
    print(f"bar jpeg_batches {ratio:.2f} {LIMIT} {'ok' if ratio >= LIMIT else 'short'}")


main()
