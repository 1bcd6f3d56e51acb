#!/usr/bin/env python3
"""What two processes send in a step, and what they learn, by the way in which gradients travel: digits, over seeds."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEARTH = os.environ.get("HEARTH", str(ROOT / "build/release/stage/bin/hearth"))
EXCHANGES = {
    "exact": "exact",
    "bfloat16": "bfloat16",
    "top_k, a tenth": "{top_k: {share: 0.1, exact_steps: 50}}",
    "top_k, a hundredth": "{top_k: {share: 0.01, exact_steps: 50}}",
    "power_sgd, rank 4": "{power_sgd: {rank: 4, exact_steps: 50}}",
    "power_sgd, rank 1": "{power_sgd: {rank: 1, exact_steps: 50}}",
    "local_sgd, 4 steps": "{local_sgd: {steps: 4, exact_steps: 50}}",
    "local_sgd, 16 steps": "{local_sgd: {steps: 16, exact_steps: 50}}",
}
MODELS = {
    "lenet": [],
    "mlp": ["model={mlp: {hidden: [512, 512]}}", "optimizer={sgd: {lr: 0.05, momentum: 0.9}}"],
}
# How far the mean accuracy may be below exact's.
LIMIT = 0.01
EPOCHS_SHOWN = (5, 10, 20)


def epoch_values(run):
    """Losses of training and accuracies of evaluation, epoch by epoch."""
    events = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return ([event["values"]["loss"] for event in events if event["event"] == "epoch"],
            [event["values"]["accuracy"] for event in events if event["event"] == "eval"])


def train(exchange, words, seed):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [HEARTH, "launch", "-n", "2", "train", str(ROOT / "examples/digits.yaml"), "train.traces=[]", *words, "threads=1",
             f"seed={seed}", f"exchange={exchange}", "--json"], cwd=folder, check=True, capture_output=True, text=True)
        report = json.loads(done.stdout.splitlines()[-1])
        losses, accuracies = epoch_values(pathlib.Path(folder) / report["run"])
        return {"bytes": report["sent_bytes"] / report["steps"], "losses": losses, "accuracies": accuracies,
                "seconds": report["seconds"]}


def mean(runs, values, epoch):
    return statistics.mean(run[values][min(epoch, len(run[values])) - 1] for run in runs)


def row(name, runs, exact):
    last = len(runs[0]["losses"])
    sent = statistics.mean(run["bytes"] for run in runs)
    share = sent / statistics.mean(run["bytes"] for run in exact)
    accuracies = [run["accuracies"][-1] for run in runs]
    losses = "  ".join(f"{mean(runs, 'losses', epoch):8.4f}" for epoch in (*EPOCHS_SHOWN, last))
    print(f"{name:20} {sent / 1000:9.1f} kB {share:7.3f}   {losses}   {statistics.mean(accuracies):.4f} "
          f"({min(accuracies):.4f} to {max(accuracies):.4f})   {statistics.median(run['seconds'] for run in runs):6.1f} s", flush=True)
    return statistics.mean(accuracies)


def table(model, seeds):
    runs = {name: [train(exchange, MODELS[model], seed) for seed in range(seeds)] for name, exchange in EXCHANGES.items()}
    epochs = "  ".join(f"epoch {epoch:2}" for epoch in (*EPOCHS_SHOWN, len(runs["exact"][0]["losses"])))
    print(f"\n{model}, means of {seeds} seeds\n{'exchange':20} {'sent a step':>12} {'share':>7}   {epochs}   accuracy")
    return {name: row(name, found, runs["exact"]) for name, found in runs.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    options = parser.parse_args()
    print("digits, 2 processes with a thread each; all that the first one sends, over all steps; losses of training:")
    for model in options.models:
        found = table(model, options.seeds)
        for name, accuracy in found.items():
            lost = found["exact"] - accuracy
            if name != "exact":
                print(f"bar {model}_{name.replace(',', '').replace(' ', '_')} {lost:.4f} {LIMIT} {'ok' if lost <= LIMIT else 'short'}")


main()
