#!/usr/bin/env python3
"""Samples a second through one epoch of Fashion-MNIST, data loading included: hearth train beside PyTorch."""
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from peer import python_torch

BUILD = pathlib.Path(os.environ.get("HEARTH_BUILD", "build/release")).resolve()
HEARTH = str(BUILD / "stage/bin/hearth")
PACKAGE = "dataset-fashion-mnist"
MODELS = {"mlp": "{mlp: {hidden: [128]}}", "lenet": "lenet"}
# How many times PyTorch's samples a second, at least.
LIMITS = {"mlp": 8, "lenet": 2}
WORKERS = (0, 2)
ROUNDS = 3
CONFIG = """\
name: fashion_{network}
folder: {folder}
data:
  train: {{idx: {{images: {data}/train-images-idx3-ubyte.gz, labels: {data}/train-labels-idx1-ubyte.gz}}}}
  eval: {{idx: {{images: {data}/t10k-images-idx3-ubyte.gz, labels: {data}/t10k-labels-idx1-ubyte.gz}}}}
  batch_size: 128
  ops:
    - normalize: {{key: image, mean: 0.2860, std: 0.3530}}
model: {model}
loss: cross_entropy
optimizer: {{adam: {{lr: 0.001}}}}
metrics: [accuracy]
train:
  epochs: 1
  log_every: 1
  traces: [{{progress: {{seconds: 0.1}}}}]
"""


def data_folder():
    listed = subprocess.run(["dpkg", "-L", PACKAGE], capture_output=True, text=True).stdout.split()
    found = [pathlib.Path(path).parent for path in listed if path.endswith("train-images-idx3-ubyte.gz")]
    return found[0] if found else sys.exit(f"The data is not here; install {PACKAGE}.")


def unpack(data, folder):
    """The files where torchvision.datasets.FashionMNIST looks for them."""
    raw = folder / "FashionMNIST/raw"
    raw.mkdir(parents=True)
    for packed in data.glob("*-ubyte.gz"):
        (raw / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))


def events(path, kind):
    return [event for line in path.read_text().splitlines() if (event := json.loads(line))["event"] == kind]


def train_hearth(network, data, folder):
    """From the run's begin to the end of its epoch, by the run's own clock: process start is not in it."""
    runs = pathlib.Path(tempfile.mkdtemp(dir=folder))
    config = runs / "fashion.yaml"
    config.write_text(CONFIG.format(network=network, folder=runs, data=data, model=MODELS[network]))
    with open(runs / "progress.txt", "w") as progress:
        subprocess.run([HEARTH, "train", str(config)], check=True, stdout=progress, stderr=progress)
    run = next(runs.glob("fashion_*/"))
    seconds = events(run / "log.jsonl", "epoch")[0]["time"] - events(run / "history.jsonl", "begin")[0]["time"]
    steps = events(run / "log.jsonl", "step")
    assert len(steps) == 469, f"{len(steps)} steps in the log"
    return {"rate": 60000 / seconds, "accuracy": events(run / "log.jsonl", "eval")[0]["accuracy"]}


def train_torch(network, python, workers, folder):
    command = [python, str(python_torch.HERE / "fashion_torch.py"), network, str(workers), str(folder)]
    done = subprocess.run(command, env=python_torch.environment(), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    report = json.loads(done.stdout.splitlines()[-1])
    return {"rate": report["samples"] / report["seconds"], "accuracy": report["accuracy"], "workers": workers}


def measure(network, python, data, folder):
    """Rounds of (hearth, the faster of torch's numbers of workers), in turns."""
    rounds = []
    for _ in range(ROUNDS):
        hearth = train_hearth(network, data, folder)
        torch = max((train_torch(network, python, count, folder) for count in WORKERS), key=lambda run: run["rate"])
        rounds.append((hearth, torch))
    return rounds


def main():
    python, data, bars = python_torch.interpreter(), data_folder(), []
    print(f"Fashion-MNIST, one epoch of 60000 in batches of 128, Adam, accuracy and a log line a step, {os.cpu_count()} "
          f"cores. Load of the machine at the start: {os.getloadavg()[0]:.2f}.", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        unpack(data, folder)
        for network in MODELS:
            rounds = measure(network, python, data, folder)
            hearth, torch = (statistics.median(run["rate"] for run in side) for side in zip(*rounds))
            ratios = [first["rate"] / second["rate"] for first, second in rounds]
            print(f"{network}: Hearth {hearth:.0f}, PyTorch {torch:.0f} samples/s (its best of {WORKERS} workers: "
                  f"{', '.join(str(run['workers']) for _, run in rounds)}); ratio of rounds {min(ratios):.1f} to "
                  f"{max(ratios):.1f}; held-out accuracy {statistics.median(run['accuracy'] for run, _ in rounds):.4f} and "
                  f"{statistics.median(run['accuracy'] for _, run in rounds):.4f}", flush=True)
            bars.append((f"fashion_{network}", hearth / torch, LIMITS[network]))
    for name, ratio, limit in bars:
        print(f"bar {name} {ratio:.2f} {limit} {'ok' if ratio >= limit else 'short'}")


main()
