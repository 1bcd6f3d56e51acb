#!/usr/bin/env python3
"""A CSV file of 1 M rows x 20 columns: from opening it to the first batch, and rows a second of an epoch; Hearth
beside pandas.read_csv and torch's DataLoader, in turns."""
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

# In the place of this file's folder, whose csv.py is not the one that others import.
sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])
from peer import python_torch  # noqa: E402
from peer.build import BUILD  # noqa: E402

ROWS, COLUMNS, ROUNDS = 1_000_000, 20, 3
WORKERS = (0, 2)


def write(path):
    """19 columns of numbers and a target; one number in 50 is missing. A tenth of the rows, ten times."""
    numbers = random.Random(5)

    def row():
        cells = ["" if numbers.random() < 0.02 else f"{numbers.gauss(0, 100):.4f}" for _ in range(COLUMNS - 1)]
        return ",".join([*cells, f"{numbers.gauss(0, 100):.4f}"])

    rows = "\n".join(row() for _ in range(ROWS // 10)) + "\n"
    with open(path, "w") as file:
        file.write(",".join([f"x{i}" for i in range(COLUMNS - 1)] + ["label"]) + "\n")
        for _ in range(10):
            file.write(rows)


def run(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["rows"] == ROWS, report
    return report


def best(reports):
    return {"first": min(report["first"] for report in reports), "rate": max(report["rate"] for report in reports)}


def main():
    program = BUILD / "bench/data/csv_batches"
    rounds = {"hearth": [], "pandas": []}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "table.csv"
        write(path)
        print(f"{ROWS} rows x {COLUMNS} columns, {path.stat().st_size / 1e6:.0f} MB, batches of 256, shuffled; "
              f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.2f}", flush=True)
        for _ in range(ROUNDS):
            rounds["hearth"].append(best([run([program, path, str(workers)]) for workers in WORKERS]))
            peer = [python_torch.interpreter(), python_torch.HERE / "csv_pandas.py", path]
            rounds["pandas"].append(best([run([*peer, str(workers)], python_torch.environment()) for workers in WORKERS]))
            for side, found in rounds.items():
                print(f"  {side}: first batch after {found[-1]['first']:.2f} s, {found[-1]['rate']:.0f} rows/s", flush=True)
    median = {side: {key: statistics.median(report[key] for report in found) for key in ("first", "rate")}
              for side, found in rounds.items()}
    first = median["pandas"]["first"] / median["hearth"]["first"]
    rate = median["hearth"]["rate"] / median["pandas"]["rate"]
    for name, ratio in (("csv_first_batch", first), ("csv_rows", rate)):
        print(f"bar {name} {ratio:.2f} 1 {'ok' if ratio >= 1 else 'short'}")


if __name__ == "__main__":
    main()
