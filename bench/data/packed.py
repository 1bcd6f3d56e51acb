#!/usr/bin/env python3
"""Packed pictures of 256x256 bytes over the same pictures as JPEG files: samples/s of random_resized_crop, flip and
normalize, by `hearth data bench`. Interleaved, medians. HEARTH_JPEG names a folder of JPEG files."""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from peer.build import HEARTH  # noqa: E402

JPEG = pathlib.Path(os.environ.get("HEARTH_JPEG", "../shared/datasets/jpeg")).resolve()
ROUNDS = 5
CONFIG = """
name: packed
data:
  train: {SOURCE}
  batch_size: 64
  ops: [BEFORE{random_resized_crop: {size: 224}}, flip, {normalize: {mean: 0.45, std: 0.22}}]
model: lenet
loss: cross_entropy
optimizer: adamw
"""
FILES = "{image_folder: {folder: pictures}}"
DECODED = "decode, {resize: {size: [256, 256]}}, "


def hearth(folder, *words):
    done = subprocess.run([HEARTH, *words, "--json"], cwd=folder, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def rate(folder, name):
    """Of the best number of workers."""
    return max(row["samples_per_second"] for row in hearth(folder, "data", "bench", name, "--seconds", "3")["rates"])


def write(folder, name, source, before):
    text = CONFIG.replace("{SOURCE}", source).replace("BEFORE", before)
    (folder / name).write_text(text)


def main():
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        shutil.copytree(JPEG, folder / "pictures" / "all")
        write(folder, "jpeg.yaml", FILES, "decode, ")
        write(folder, "to_pack.yaml", FILES, DECODED)
        write(folder, "packed.yaml", "{packed: {folder: packed}}", "")
        packed = hearth(folder, "data", "pack", "to_pack.yaml", "-o", "packed")
        rates = {name: [] for name in ("jpeg.yaml", "packed.yaml")}
        for _ in range(ROUNDS):
            for name, found in rates.items():
                found.append(rate(folder, name))
    median = {name: statistics.median(found) for name, found in rates.items()}
    print(f"{packed['samples']} pictures, {packed['bytes'] / 1e6:.0f} MB packed in {packed['seconds']:.1f} s")
    for name, value in median.items():
        print(f"{name:12} {value:8.0f} samples/s")
    ratio = median["packed.yaml"] / median["jpeg.yaml"]
    print(f"bar packed_over_jpeg {ratio:.2f} 3 {'ok' if ratio >= 3 else 'short'}")


main()
