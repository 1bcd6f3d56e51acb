#!/usr/bin/env python3
"""Steps that `hearth plan` predicts against steps that were measured: local ranks, and two hosts over a throttled link.
With --overlap: what it brings there that gradients travel in buckets while the backward pass runs, or are fewer bytes.

The hosts are network namespaces with a token bucket between them (ip, tc; needs root), the ranks are started by the
variables that torchrun leaves."""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEARTH = os.environ.get("HEARTH", str(ROOT / "build/release/stage/bin/hearth"))
CONFIGS = {
    "mlp": ["model={mlp: {hidden: [2048, 2048]}}", "data.batch_size=256"],
    "lenet": ["model=lenet", "data.batch_size=256"],
}
# Over the throttled link: one reduce after the backward pass, then what is better.
EXCHANGES = {
    "one reduce after backward": "{exact: {overlap: false, bucket: 1GiB}}",
    "buckets, overlapped": "exact",
    "bfloat16": "bfloat16",
    "power_sgd, rank 4": "{power_sgd: {rank: 4}}",
}
# What overlap must bring where communication is half of the step.
LEAST_GAIN = 1.15
COMMON = [str(ROOT / "examples/digits.yaml"), "train.traces=[]", "data.eval=null", "train.checkpoint.every=1000ep",
          "train.warm_up=false"]


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, text=True, capture_output=True, **more).stdout


def last_json(text):
    return json.loads([line for line in text.splitlines() if line.startswith("{")][-1])


def predicted(words, *flags):
    """Seconds of a step by the number of ranks."""
    rows = last_json(run(HEARTH, "plan", *COMMON, *words, *flags, "--json"))["rows"]
    return {row["ranks"]: row["step_seconds"] for row in rows}


def of_log(run_folder):
    """The median time between two logged steps, without the first ones."""
    lines = [json.loads(line) for line in (run_folder / "log.jsonl").read_text().splitlines()]
    times = [line["time"] for line in lines if line["event"] == "step"]
    gaps = [later - earlier for earlier, later in zip(times[10:], times[11:])]
    return statistics.median(gaps)


def measured_local(words, ranks, epochs):
    with tempfile.TemporaryDirectory() as folder:
        launch = [HEARTH, "launch", "-n", ranks] if ranks > 1 else [HEARTH]
        run(*launch, "train", *COMMON, *words, "threads=1", "shards=4", f"train.epochs={epochs}", f"folder={folder}",
            "--quiet", cwd=folder)
        return of_log(next(pathlib.Path(folder).glob("*/log.jsonl")).parent)


@contextlib.contextmanager
def two_hosts(rate):
    """Two namespaces, a link of this rate between them."""
    names = ["hearth-a", "hearth-b"]
    try:
        for name in names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", "hearth-va", "type", "veth", "peer", "name", "hearth-vb")
        for name, end, address in [("hearth-a", "hearth-va", "10.77.0.1/24"), ("hearth-b", "hearth-vb", "10.77.0.2/24")]:
            run("ip", "link", "set", end, "netns", name)
            inside = ["ip", "netns", "exec", name]
            run(*inside, "ip", "addr", "add", address, "dev", end)
            run(*inside, "ip", "link", "set", end, "up")
            run(*inside, "ip", "link", "set", "lo", "up")
            run(*inside, "tc", "qdisc", "add", "dev", end, "root", "tbf", "rate", rate, "burst", "64kb", "latency", "50ms")
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def measured_hosts(words, rate, epochs):
    with two_hosts(rate) as names, tempfile.TemporaryDirectory() as folder:
        ranks = []
        for rank, name in enumerate(names):
            environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "1",
                           "MASTER_ADDR": "10.77.0.1", "MASTER_PORT": "29511", "TORCHELASTIC_RUN_ID": "scale",
                           "GLOO_SOCKET_IFNAME": "hearth-va" if rank == 0 else "hearth-vb",
                           "HEARTH_SECRET": "scale-bench"}
            ranks.append(subprocess.Popen(
                ["ip", "netns", "exec", name, HEARTH, "train", *COMMON, *words, "threads=1", "shards=2",
                 f"train.epochs={epochs}", f"folder={folder}", "--quiet"],
                cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
        for process in ranks:
            _, said = process.communicate(timeout=600)
            if process.returncode:
                raise SystemExit(f"a rank ended with {process.returncode}: {said}")
        return of_log(next(pathlib.Path(folder).glob("*/log.jsonl")).parent)


def show(name, what, prediction, measurement):
    print(f"{name:6} {what:28} predicted {prediction * 1e3:8.1f} ms  measured {measurement * 1e3:8.1f} ms  "
          f"{prediction / measurement:5.2f}", flush=True)


def overlap(name, words, rates, epochs):
    """Steps by the way gradients travel. Where the link takes about half of a step is found by trying rates."""
    alone = measured_local(words, 1, epochs)
    gains = []
    for rate in rates:
        steps = {what: measured_hosts([*words, f"exchange={exchange}"], rate, epochs) for what, exchange in EXCHANGES.items()}
        plain, overlapped = steps["one reduce after backward"], steps["buckets, overlapped"]
        share = max(0.0, 1 - alone / 2 / plain)
        for what, seconds in steps.items():
            print(f"{name:6} {rate:9} {what:28} {seconds * 1e3:8.1f} ms  {plain / seconds:5.2f} x", flush=True)
        print(f"{name:6} {rate:9} the link has about {share:.0%} of a step with one reduce", flush=True)
        if 0.35 <= share <= 0.65:
            gains.append(plain / overlapped)
    if gains:
        print(f"bar overlap_{name} {max(gains):.2f} {LEAST_GAIN} {'ok' if max(gains) >= LEAST_GAIN else 'short'}")
    else:
        print(f"{name:6} at none of these rates the link has half of a step: try others")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configs", nargs="+", default=list(CONFIGS), choices=CONFIGS)
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--rate", default="100mbit", help="of the link, as tc says it; none for local ranks alone")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--overlap", nargs="+", metavar="RATE",
                        help="compare ways for gradients to travel over links of these rates instead, such as 100mbit 400mbit 1gbit")
    options = parser.parse_args()
    for name in options.configs if options.overlap else []:
        overlap(name, CONFIGS[name], options.overlap, options.epochs)
    for name in options.configs if not options.overlap else []:
        words = CONFIGS[name]
        for ranks in options.ranks:
            rows = predicted([*words, "threads=1"], "--hosts", 1, "--ranks-per-host", ranks, "--latency", "100us")
            show(name, f"{ranks} local ranks", rows[ranks], measured_local(words, ranks, options.epochs))
        if options.rate != "none":
            rate = options.rate.replace("mbit", "Mb").replace("gbit", "Gb")
            measurement = measured_hosts(words, options.rate, options.epochs)
            for flags in ([], ["--no-overlap"]):
                rows = predicted([*words, "threads=1"], "--hosts", 2, "--network", rate, "--latency", "100us", *flags)
                show(name, " ".join(["2 hosts", options.rate, *flags]), rows[2], measurement)


if __name__ == "__main__":
    main()
