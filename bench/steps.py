#!/usr/bin/env python3
"""The time of one training step of known networks: Hearth beside PyTorch, in turns and in fresh processes."""
import argparse
import os
import statistics
import sys
import time

from peer import neighbours, python_torch, steps
from peer.build import STEP_OF

# Hearth's time over PyTorch's, at most, with two threads: over the median of its rounds, and over its best round.
LIMITS = {"mlp": 0.42, "lenet": 0.58, "resnet20": 0.72, "resnet18": 0.72, "gpt": 0.58,
          "mobilenet": 0.6, "vit": 0.6, "lstm": 0.8, "unet": 0.7, "bert": 0.6, "convnext": 0.7}
ROUNDS = {2: 5, 1: 3}
# Times as many: a step this short takes up to twice as long while a hypervisor keeps the two cores far apart.
MORE_ROUNDS = {"mlp": 3}
SECONDS = 1.8
SIDES = ("python", "fast", "plain")
HEADS = ("network", "threads", "PyTorch", "its best", "C++ plain", "Hearth", "ratio", "to best", "GFLOP",
         "PyTorch", "plain", "Hearth", "PyTorch", "plain", "Hearth")
LINE = "{:9} {:>7} {:>10} {:>10} {:>10} {:>9} {:>12} {:>7} {:>7}  {:>7} {:>7} {:>7}  {:>7} {:>6} {:>6}"


def commands(network, threads, python, seconds):
    peer = str(python_torch.HERE / "step_of_torch.py")
    return {"python": [python, peer, network, str(threads), str(seconds)],
            "fast": [STEP_OF, network, str(threads), "fast", str(seconds)],
            "plain": [STEP_OF, network, str(threads), "plain", str(seconds)]}


def measure(network, threads, rounds, python, options):
    """The rounds' results by side. The sides take turns, so that a noisy neighbour hits all of them."""
    sides = commands(network, threads, python, options.seconds)
    found, others, again = neighbours.quiet_rounds(
        lambda: {side: steps.run(command, threads, options.at_most) for side, command in sides.items()}, rounds)
    counts = {result["parameters"] for result in found[0].values()}
    if len(counts) != 1:
        sys.exit(f"{network}: not the same network on every side: {counts} parameters")
    return {side: [results[side] for results in found] for side in SIDES} | {"others": others, "again": again}


def summary(results):
    median = {side: statistics.median(run["median"] for run in results[side]) for side in SIDES}
    ratios = [fast["median"] / python["median"] for fast, python in zip(results["fast"], results["python"])]
    best = min(run["median"] for run in results["python"])
    memory = {side: statistics.median(run["memory_mb"] for run in results[side]) for side in SIDES}
    return {"ms": median, "best": best, "ratio": median["fast"] / median["python"], "to_best": median["fast"] / best,
            "spread": steps.spread(ratios), "ratios": ratios,
            "gigaflop": results["fast"][0]["gigaflop"], "memory": memory, "others": results["others"], "again": results["again"]}


def row(network, threads, found, peak):
    ms, memory = found["ms"], found["memory"]
    share = {side: f"{found['gigaflop'] / (ms[side] * 1e-3) / peak:.0%}" if peak else "?" for side in SIDES}
    return LINE.format(network, threads, f"{ms['python']:.3f}", f"{found['best']:.3f}", f"{ms['plain']:.3f}", f"{ms['fast']:.3f}",
                       f"{found['ratio']:.2f} ±{found['spread']:.0f} %", f"{found['to_best']:.2f}", f"{found['gigaflop']:.2f}",
                       share["python"], share["plain"], share["fast"],
                       *(f"{memory[side]:.0f}" for side in ("python", "plain", "fast")))


def table(threads, rounds, python, options):
    peak = steps.run([STEP_OF, "peak", str(threads)], threads)["gigaflops"]
    more = ", ".join(f"{rounds * times} for {network}" for network, times in MORE_ROUNDS.items())
    print(f"\n{threads} threads, {rounds} rounds ({more}); the processor multiplies and adds at {peak:.0f} GFLOP/s at most. "
          "ms a step (median of the rounds' medians, and of PyTorch's best round), Hearth over PyTorch, share of that peak, peak memory in MB:")
    print(LINE.format(*HEADS), flush=True)
    found = {}
    for network in options.networks:
        found[network] = summary(measure(network, threads, rounds * MORE_ROUNDS.get(network, 1), python, options))
        print(row(network, threads, found[network], peak), flush=True)
    for network, result in found.items():
        if result["again"] or result["others"] > neighbours.TOLERATED:
            print(f"{network}: {result['again']} rounds were run again because others used the machine; in those that "
                  f"count they used up to {result['others']:.0%} of it")
        if result["spread"] > neighbours.TELLABLE:
            print(f"{network}: noisy: the ratio of rounds spreads ±{result['spread']:.0f} % "
                  f"({', '.join(f'{ratio:.2f}' for ratio in result['ratios'])})")
    return found


def setting(python, seconds):
    sides = commands("mlp", 2, python, 0.1)
    blas = {side: steps.run(sides[side], 2)["blas"] for side in ("python", "fast")}
    print(f"PyTorch: {python} with {blas['python']}; Hearth and plain: {blas['fast']}. {seconds} s a run after 0.7 s of "
          f"warm-up. Load of the machine at the start: {os.getloadavg()[0]:.2f}. 'C++ plain' is Hearth with LibTorch's "
          "own kernels and memory. GFLOP counts convolutions as direct ones; Winograd's, which Hearth may choose, need fewer, "
          "so that its share of the peak is of work saved as well as of work done.")
    if os.path.realpath(blas["python"]) != os.path.realpath(blas["fast"]):
        print("note: the two do not use the same BLAS")


def bar_lines(found, at_most):
    """Each network against its limit, the same one whatever the processor has."""
    suffix = f"_at_most_{at_most}" if at_most else ""
    for network, result in found.items():
        for name, ratio in ((network, result["ratio"]), (f"{network}_to_best", result["to_best"])):
            yield f"bar {name}{suffix} {ratio:.2f} {LIMITS[network]} {'ok' if ratio <= LIMITS[network] else 'short'}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 1])
    parser.add_argument("--rounds", type=int,
                        help="for every number of threads; left out, 5 with 2 threads, else 3; three times as many for mlp")
    parser.add_argument("--networks", nargs="+", default=list(LIMITS), choices=list(LIMITS))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--at-most", choices=list(steps.AT_MOST), help="tell the libraries of all sides to use no newer instructions")
    return parser.parse_args()


def main():
    options = arguments()
    python = python_torch.interpreter()
    setting(python, options.seconds)
    if options.at_most is not None:
        print(f"All sides use instructions up to {options.at_most}.")
    bars = {}
    began = time.time()
    for threads in options.threads:
        rounds = options.rounds or ROUNDS.get(threads, 3)
        found = table(threads, rounds, python, options)
        if threads == 2:
            bars = found
    print(f"\n{time.time() - began:.0f} s in all; load at the end: {os.getloadavg()[0]:.2f}")
    print("\n".join(bar_lines(bars, options.at_most)))


if __name__ == "__main__":
    main()
