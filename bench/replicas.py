#!/usr/bin/env python3
"""A training step of two replicas with one thread each, over that of one network with two threads."""
import argparse
import statistics

from peer import neighbours, steps
from peer.build import STEP_OF


def sides(network, seconds):
    return {"replicas": ([STEP_OF, network, "1", "fast", str(seconds), "2"], 1),
            "threads": ([STEP_OF, network, "2", "fast", str(seconds)], 2)}


def measure(network, rounds, seconds):
    """The rounds' ratios, and the share of the machine that others used in them."""
    found, others, _ = neighbours.quiet_rounds(
        lambda: {side: steps.run(*command)["median"] for side, command in sides(network, seconds).items()}, rounds)
    return [times["replicas"] / times["threads"] for times in found], others


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--networks", nargs="+", default=list(steps.NETWORKS), choices=steps.NETWORKS)
    parser.add_argument("--seconds", type=float, default=1.2)
    options = parser.parse_args()
    print(f"two replicas over two threads, {options.rounds} rounds:")
    for network in options.networks:
        ratios, others = measure(network, options.rounds, options.seconds)
        print(f"{network:9} {statistics.median(ratios):.2f} ±{steps.spread(ratios):.0f} % "
              f"({min(ratios):.2f} to {max(ratios):.2f}; others used up to {others:.0%} of the machine)", flush=True)


main()
