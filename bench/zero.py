#!/usr/bin/env python3
"""What `zero` leaves in each of several processes: optimizer state, peak of memory, and the time of a step."""
import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEARTH = os.environ.get("HEARTH", str(ROOT / "build/release/stage/bin/hearth"))
MODELS = {
    "mlp": "{mlp: {hidden: [2048, 2048]}}",
    "wide": "{mlp: {hidden: [4096, 4096]}}",
    "lenet": "lenet",
}


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def peaks_of(ranks, words, folder):
    """The largest resident memory of each process, in MB."""
    port = free_port()
    processes = [subprocess.Popen([HEARTH, "train", *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "RANK": str(rank), "WORLD_SIZE": str(ranks), "LOCAL_RANK": str(rank),
                                       "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)})
                 for rank in range(ranks)]
    peaks = []
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise SystemExit(f"a process ended with {status}")
        peaks.append(usage.ru_maxrss / 1e3)
    return peaks


def measured(model, ranks, zero, steps):
    """What the end of the history says, everybody's peaks and the time of a step."""
    with tempfile.TemporaryDirectory() as folder:
        words = [str(ROOT / "examples/digits.yaml"), f"model={MODELS[model]}", "optimizer={adam: {lr: 0.001}}", f"zero={zero}",
                 f"shards={ranks}", "threads=1", "data.eval=null", "data.batch_size=64", "train.traces=[]",
                 "train.checkpoint.every=1000ep", f"train.until={steps}st", "train.epochs=10", f"folder={folder}", "--quiet"]
        peaks = peaks_of(ranks, words, folder)
        run = next(pathlib.Path(folder).glob("*/log.jsonl")).parent
        end = next(line for line in lines_of(run / "history.jsonl") if line["event"] == "end")
        times = [line["time"] for line in lines_of(run / "log.jsonl") if line["event"] == "step"]
        gaps = [later - earlier for earlier, later in zip(times[3:], times[4:])]
        return end["details"]["optimizer_bytes"], peaks, statistics.median(gaps)


SHARE_LIMIT = 1.05  # of an even share


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=["mlp", "lenet"], choices=MODELS)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=20)
    words = parser.parse_args()
    for model in words.models:
        for zero in (0, 1, 2):
            held, peaks, seconds = measured(model, words.ranks, zero, words.steps)
            whole = held[0] if zero == 0 else whole
            print(f"{model}, {words.ranks} processes, zero {zero}: Adam's state {max(held) / 1e6:.2f} MB in the one that has most, "
                  f"{max(held) / whole:.4f} of all; peak of memory {peaks[0]:.0f} MB in the first, which gathers what is saved, "
                  f"{max(peaks[1:]):.0f} MB in others; step {seconds * 1e3:.1f} ms")
            if zero == 2:
                over = max(held) / whole * words.ranks
                print(f"bar zero_share_{model} {over:.3f} {SHARE_LIMIT} {'ok' if over <= SHARE_LIMIT else 'short'}")


if __name__ == "__main__":
    main()
