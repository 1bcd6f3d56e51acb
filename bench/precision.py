#!/usr/bin/env python3
"""The time of one training step in bfloat16: over Hearth's own in float32, and over PyTorch's autocast, in turns."""
import argparse
import statistics
import sys

from peer import neighbours, python_torch, steps
from peer.build import STEP_OF

# At most: over our float32 step; over PyTorch's step under autocast.
LIMITS = {"resnet18": (0.75, 0.6), "gpt": (0.75, 0.6), "lenet": (0.9, 0.6)}
SIDES = ("float32", "bfloat16", "torch", "torch bfloat16")
LINE = "{:9} {:>10} {:>10} {:>10} {:>15} {:>14} {:>16} {:>12}"


def commands(network, threads, python, seconds):
    peer = [python, str(python_torch.HERE / "step_of_torch.py"), network, str(threads), str(seconds)]
    own = [STEP_OF, network, str(threads)]
    return {"float32": [*own, "fast", str(seconds)], "bfloat16": [*own, "bfloat16", str(seconds)],
            "torch": peer, "torch bfloat16": [*peer, "bfloat16"]}


def measure(network, python, options):
    """Medians in ms by side, and the rounds' ratios over float32 and over PyTorch's bfloat16."""
    sides = commands(network, options.threads, python, options.seconds)
    found, others, _ = neighbours.quiet_rounds(
        lambda: {side: steps.run(command, options.threads) for side, command in sides.items()}, options.rounds)
    if others > neighbours.TOLERATED:
        print(f"{network}: other programs used up to {others:.0%} of the machine")
    medians = {side: statistics.median(one[side]["median"] for one in found) for side in SIDES}
    ratios = [[one["bfloat16"]["median"] / one[side]["median"] for one in found] for side in ("float32", "torch bfloat16")]
    return medians, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.8)
    parser.add_argument("--networks", nargs="+", default=list(LIMITS), choices=list(LIMITS))
    options = parser.parse_args()
    if "avx512_bf16" not in open("/proc/cpuinfo").read():
        sys.exit("This processor has no instructions for bfloat16: there is nothing to measure.")
    python = python_torch.interpreter()
    print(f"{options.threads} threads, {options.rounds} rounds; ms a step, median of the rounds' medians:")
    print(LINE.format("network", *SIDES, "over float32", "over torch's bf16", "spread"), flush=True)
    bars = []
    for network in options.networks:
        medians, (own, torch) = measure(network, python, options)
        print(LINE.format(network, *(f"{medians[side]:.3f}" for side in SIDES), f"{statistics.median(own):.2f}",
                          f"{statistics.median(torch):.2f}", f"{steps.spread(own):.0f}, {steps.spread(torch):.0f} %"), flush=True)
        for name, ratios, limit in zip(("float32", "torch"), (own, torch), LIMITS[network]):
            ratio = statistics.median(ratios)
            bars.append(f"bar {network}_bfloat16_over_{name} {ratio:.2f} {limit} {'ok' if ratio <= limit else 'short'}")
    print("\n".join(bars))


main()
