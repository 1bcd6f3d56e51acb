#!/usr/bin/env python3
"""Samples a second through an epoch of Fashion-MNIST, data loading included: hearth train beside PyTorch.

fashion.py [NETWORK ...]; the median of a run's epochs; evaluation is not in it. Accuracies are those after the first epoch."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from peer import fashion_data, neighbours, python_torch
from peer.build import HEARTH

MODELS = {"mlp": "{mlp: {hidden: [128]}}", "lenet": "lenet"}
# How many times PyTorch's samples a second, at least.
LIMITS = {"mlp": 15, "lenet": 2}
EPOCHS = {"mlp": 3, "lenet": 2}
# (threads, loader workers) that PyTorch may choose from. Its own default can be fewer threads than there are cores,
# Hearth's is all of them; and with workers beside it, fewer threads may be faster.
CORES = len(os.sched_getaffinity(0))
SETTINGS = [(threads, workers) for threads in sorted({1, CORES}) for workers in (0, 2)]
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
  epochs: {epochs}
  log_every: 1
  traces: [{{progress: {{seconds: 0.1}}}}]
"""


def events(path, kind):
    return [event for line in path.read_text().splitlines() if (event := json.loads(line))["event"] == kind]


def epoch_seconds(run):
    """From the end of the evaluation before, or the run's begin, to the last step, by the run's own clock."""
    steps = events(run / "log.jsonl", "step")
    begins = [event["time"] for event in events(run / "history.jsonl", "begin") + events(run / "log.jsonl", "eval")]
    ends = [max(step["time"] for step in steps if step["epoch"] == epoch) for epoch in {step["epoch"] for step in steps}]
    return [end - begin for begin, end in zip(begins, sorted(ends))], len(steps)


def train_hearth(network, data, folder):
    runs = pathlib.Path(tempfile.mkdtemp(dir=folder))
    config = runs / "fashion.yaml"
    config.write_text(CONFIG.format(network=network, folder=runs, data=data, model=MODELS[network], epochs=EPOCHS[network]))
    with open(runs / "progress.txt", "w") as progress:
        subprocess.run([HEARTH, "train", str(config)], check=True, stdout=progress, stderr=progress)
    run = next(runs.glob("fashion_*/"))
    seconds, steps = epoch_seconds(run)
    assert steps == 469 * EPOCHS[network], f"{steps} steps in the log"
    return {"rate": 60000 / statistics.median(seconds),
            "accuracy": events(run / "log.jsonl", "eval")[0]["values"]["accuracy"]}


def train_torch(network, python, setting, folder):
    threads, workers = setting
    command = [python, str(python_torch.HERE / "fashion_torch.py"), network, str(threads), str(workers), str(folder),
               str(EPOCHS[network])]
    done = subprocess.run(command, env=python_torch.environment(threads), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["threads"] == threads, f"PyTorch has {report['threads']} threads instead of {threads}"
    return {"rate": report["samples"] / report["seconds"], "accuracy": report["accuracy"]}


def measure(network, python, data, folder):
    """A round: hearth, then torch with each of its settings."""
    return train_hearth(network, data, folder), [train_torch(network, python, setting, folder) for setting in SETTINGS]


def rates(runs):
    return ", ".join(f"{run['rate']:.0f}" for run in runs)


def tell(network, rounds, others, again):
    """Prints every number; returns the ratio of the medians, against the fastest of torch's settings in each round."""
    hearth = [first for first, _ in rounds]
    torch = [max(runs, key=lambda run: run["rate"]) for _, runs in rounds]
    ratios = [first["rate"] / second["rate"] for first, second in zip(hearth, torch)]
    median = {key: [statistics.median(run[key] for run in side) for side in (hearth, torch)] for key in ("rate", "accuracy")}
    spread = 50 * (max(ratios) - min(ratios)) / statistics.median(ratios)
    print(f"\n{network}: Hearth {median['rate'][0]:.0f} samples/s ({rates(hearth)}), PyTorch {median['rate'][1]:.0f} "
          f"({rates(torch)}); held-out accuracy {median['accuracy'][0]:.4f} and {median['accuracy'][1]:.4f}")
    for (threads, workers), runs in zip(SETTINGS, zip(*(runs for _, runs in rounds))):
        print(f"  PyTorch with {threads} threads and {workers} workers: {rates(runs)}")
    print(f"  ratio of rounds {', '.join(f'{ratio:.2f}' for ratio in ratios)}; {again} rounds run again, others used up to "
          f"{others:.0%} of the machine in those that count", flush=True)
    if spread > neighbours.TELLABLE:
        print(f"{network}: noisy: the ratio of rounds spreads ±{spread:.0f} %", flush=True)
    return median["rate"][0] / median["rate"][1]


def main():
    python, data, bars = python_torch.interpreter(), fashion_data.data_folder(), []
    print(f"Fashion-MNIST, epochs of 60000 in batches of 128, Adam, accuracy and a log line a step, {CORES} "
          f"cores. Load of the machine at the start: {os.getloadavg()[0]:.2f}.", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fashion_data.unpack(folder)
        for network in sys.argv[1:] or MODELS:
            found = neighbours.quiet_rounds(lambda: measure(network, python, data, folder), ROUNDS)
            bars.append((f"fashion_{network}", tell(network, *found), LIMITS[network]))
    for name, ratio, limit in bars:
        print(f"bar {name} {ratio:.2f} {limit} {'ok' if ratio >= limit else 'short'}")


main()
