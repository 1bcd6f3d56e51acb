#!/usr/bin/env python3
"""The time of one forward pass of networks that have learnt: Hearth beside PyTorch, in turns and in fresh processes."""
import argparse
import statistics
import sys

from peer import neighbours, python_torch, steps
from peer.build import INFERENCE_OF

LIMIT = 0.7  # Hearth's time over PyTorch's, at most
NETWORKS = ("resnet18", "mobilenet")
SIDES = ("python", "fast", "plain")
LINE = "{:10} {:>5} {:>12} {:>12} {:>12} {:>12}"


def commands(network, batch, threads, python, seconds):
    peer = str(python_torch.HERE / "inference_of_torch.py")
    sizes = [network, str(batch), str(threads)]
    return {"python": [python, peer, *sizes, str(seconds)],
            "fast": [INFERENCE_OF, *sizes, "fast", str(seconds)],
            "plain": [INFERENCE_OF, *sizes, "plain", str(seconds)]}


def measure(network, batch, python, options):
    sides = commands(network, batch, options.threads, python, options.seconds)
    rounds, others, again = neighbours.quiet_rounds(
        lambda: {side: steps.run(command, options.threads) for side, command in sides.items()}, options.rounds)
    counts = {result["parameters"] for result in rounds[0].values()}
    if len(counts) != 1:
        sys.exit(f"{network}: not the same network on every side: {counts} parameters")
    ms = {side: statistics.median(results[side]["median"] for results in rounds) for side in SIDES}
    ratios = [results["fast"]["median"] / results["python"]["median"] for results in rounds]
    return ms, steps.spread(ratios), others, again


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=NETWORKS)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--seconds", type=float, default=1.2)
    return parser.parse_args()


def main():
    options = arguments()
    python = python_torch.interpreter()
    print(f"{options.threads} threads, {options.rounds} rounds, pictures of 3x64x64; ms a batch (median of the rounds' medians):")
    print(LINE.format("network", "batch", "PyTorch", "C++ plain", "Hearth", "ratio"), flush=True)
    bars = []
    for network in options.networks:
        for batch in options.batches:
            ms, spread, others, again = measure(network, batch, python, options)
            ratio = ms["fast"] / ms["python"]
            print(LINE.format(network, batch, *(f"{ms[side]:.3f}" for side in ("python", "plain", "fast")),
                              f"{ratio:.2f} ±{spread:.0f} %"), flush=True)
            if again or others > neighbours.TOLERATED:
                print(f"{network}: {again} rounds were run again because others used the machine; in those that count "
                      f"they used up to {others:.0%} of it")
            bars.append((f"{network}_inference_{batch}", ratio))
    for name, ratio in bars:
        print(f"bar {name} {ratio:.2f} {LIMIT} {'ok' if ratio <= LIMIT else 'short'}")


main()
