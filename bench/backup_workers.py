"""Steps with one slow process, with and without one to spare: how long a step takes, by the times in the run's log.

    HEARTH=build/release/stage/bin/hearth python3 bench/backup_workers.py

Three processes train the digits; the last of them runs for 20 ms and stands for 80 ms, over and over. Times are those from one
step's line in the log to the next within an epoch, in milliseconds: half of them are below p50, one in a hundred above p99.
"""
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
HEARTH = os.environ.get("HEARTH", str(HERE / "build" / "release" / "stage" / "bin" / "hearth"))
EPOCHS = int(os.environ.get("HEARTH_BENCH_EPOCHS", "12"))
RUNS, STANDS = 0.02, 0.08
LIMIT = 0.5


def ranks_of(launcher):
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"\nPPid:\t{launcher}\n" in (folder / "status").read_text():
                variables = dict(pair.split("=", 1) for pair in (folder / "environ").read_text().split("\0") if "=" in pair)
                found[int(variables["HEARTH_RANK"])] = int(folder.name)
        except (OSError, KeyError):
            continue
    return found


def throttle(pid, ends):
    try:
        while not ends.is_set():
            os.kill(pid, signal.SIGSTOP)
            time.sleep(STANDS)
            os.kill(pid, signal.SIGCONT)
            time.sleep(RUNS)
    except ProcessLookupError:
        pass


def step_times(log):
    steps = [event for event in map(json.loads, log.read_text().splitlines()) if event["event"] == "step"]
    times = [1000 * (after["time"] - before["time"]) for before, after in zip(steps, steps[1:]) if after["epoch"] == before["epoch"]]
    return sorted(times[len(times) // 10:])  # without the first, before the slow one is slow


def measure(words, is_slow):
    with tempfile.TemporaryDirectory() as folder:
        launch = subprocess.Popen([HEARTH, "launch", "-n", "3", "train", str(HERE / "examples" / "digits.yaml"),
                                   f"train.epochs={EPOCHS}", "train.checkpoint.every=100ep", "train.traces=[]", "data.batch_size=192",
                                   *words, "--json"],
                                  cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ends, slow = threading.Event(), None
        while not list(pathlib.Path(folder).glob("runs/*/log.jsonl")) and launch.poll() is None:
            time.sleep(0.02)
        if is_slow:
            slow = threading.Thread(target=throttle, args=(ranks_of(launch.pid)[2], ends))
            slow.start()
        output, _ = launch.communicate()
        ends.set()
        if slow:
            slow.join()
        report = json.loads(output.strip().splitlines()[-1])
        times = step_times(next(pathlib.Path(folder).glob("runs/*/log.jsonl")))
        return times, report


def main():
    spare = "sync_replicas={aggregate: 2, total: 3}"
    print("| processes | p50 ms | p99 ms | seconds | eval accuracy |\n|---|---|---|---|---|")
    p99 = {}
    for name, words, is_slow in (("3, all waited for", ["shards=3"], False), ("3, one of them spare", [spare], False),
                                 ("3, one slow, all waited for", ["shards=3"], True), ("3, one slow, one spare", [spare], True)):
        times, report = measure(words, is_slow)
        p99[name] = times[int(0.99 * len(times))]
        print(f"| {name} | {statistics.median(times):.1f} | {p99[name]:.1f} | {report['seconds']:.1f} "
              f"| {report['metrics']['eval/accuracy']:.4f} |", flush=True)
    ratio = p99["3, one slow, one spare"] / p99["3, one slow, all waited for"]
    print(f"bar spare_process_p99 {ratio:.2f} {LIMIT} {'ok' if ratio <= LIMIT else 'short'}")


if __name__ == "__main__":
    sys.exit(main())
