#!/usr/bin/env python3
"""Memory while training data of 10 GB goes by: the most that the process has resident after a minute over the most before.
Between two epochs there are two loaders for a moment, so that single moments differ by some megabytes. The file has no blocks
on the disk but its header. `--seconds 20` is a shorter look, in two halves; `--gigabytes 1` a smaller one."""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from peer.build import BUILD  # noqa: E402

SIDE = 256
LIMIT = 1.05


def write(path, samples):
    """NumPy's form, of bytes that are all 0."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({samples}, {SIDE}, {SIDE}, 3), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.truncate(file.tell() + samples * SIDE * SIDE * 3)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=120)
    words.add_argument("--gigabytes", type=float, default=10)
    words = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "large.npy"
        write(path, int(words.gigabytes * 1e9 / (SIDE * SIDE * 3)))
        command = [BUILD / "bench/data/memory_batches", path, str(len(os.sched_getaffinity(0))), str(words.seconds)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{command[0]} failed:\n{done.stderr}")
        report, size = json.loads(done.stdout), path.stat().st_size
    memory = report["memory"]
    border = min(60, words.seconds / 2)
    before = max(megabytes for seconds, megabytes in memory if seconds < border)
    after = max(megabytes for seconds, megabytes in memory if seconds >= border)
    print(f"{size / 1e9:.1f} GB gone through {report['rows'] / report['samples']:.1f} times in {memory[-1][0]:.0f} s: "
          f"{memory[0][1]:.0f} MB after a second, at most {before:.0f} MB in the first {border:.0f} s and {after:.0f} MB "
          f"after them, {memory[-1][1]:.0f} MB at the end")
    print(f"bar memory_of_a_large_source {after / before:.3f} {LIMIT} {'ok' if after <= LIMIT * before else 'short'}")


main()
