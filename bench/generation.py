#!/usr/bin/env python3
"""The time of a token of texts that are continued with a cache: Hearth beside PyTorch, in turns and in fresh processes."""
import argparse
import os
import statistics
import sys

from peer import neighbours, python_torch, steps
from peer.build import GENERATE_OF

# Layers, width, heads, length: the GPT of steps.py, and nanoGPT's for Shakespeare's characters.
MODELS = {"gpt": (4, 128, 4, 128), "gpt_384": (6, 384, 6, 256)}
BATCHES = (1, 32)
LIMIT = 0.7  # Hearth's time over PyTorch's, at most
LINE = "{:8} {:>6} {:>10} {:>10} {:>12} {:>12} {:>12}"


def measure(words, options, python):
    sides = {"python": [python, str(python_torch.HERE / "generate_of_torch.py"), *words], "hearth": [GENERATE_OF, *words]}
    found, others, again = neighbours.quiet_rounds(
        lambda: {side: steps.run(command, options.threads) for side, command in sides.items()}, options.rounds)
    if not all(results["hearth"]["is_cached"] for results in found):
        sys.exit("Hearth computes without its cache")
    counts = {result["parameters"] for result in found[0].values()}
    if len(counts) != 1:
        sys.exit(f"not the same network on both sides: {counts} parameters")
    return found, others, again


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--seconds", type=float, default=1.5)
    options = parser.parse_args()
    python = python_torch.interpreter()
    print(f"{options.threads} threads, {options.rounds} rounds; ms a token (median of the rounds' medians), tokens/s of all texts "
          f"together. Load of the machine at the start: {os.getloadavg()[0]:.2f}")
    print(LINE.format("model", "texts", "PyTorch", "Hearth", "ratio", "PyTorch", "Hearth"), flush=True)
    bars = []
    for name in options.models:
        for batch in BATCHES:
            words = [str(word) for word in (*MODELS[name], batch, options.threads, options.seconds)]
            found, others, again = measure(words, options, python)
            ms = {side: statistics.median(results[side]["median"] for results in found) for side in ("python", "hearth")}
            ratios = [results["hearth"]["median"] / results["python"]["median"] for results in found]
            ratio, spread = ms["hearth"] / ms["python"], steps.spread(ratios)
            rates = [f"{1e3 * batch / ms[side]:.0f}/s" for side in ("python", "hearth")]
            print(LINE.format(name, batch, f"{ms['python']:.3f}", f"{ms['hearth']:.3f}", f"{ratio:.2f} ±{spread:.0f} %", *rates),
                  flush=True)
            if again or others > neighbours.TOLERATED:
                print(f"  {again} rounds were run again because others used the machine; in those that count, up to {others:.0%} of it")
            if spread > neighbours.TELLABLE:
                print(f"  noisy: the ratio of rounds spreads ±{spread:.0f} %")
            bars.append((f"generation_{name}_{batch}", ratio))
    for name, ratio in bars:
        print(f"bar {name} {ratio:.2f} {LIMIT} {'ok' if ratio <= LIMIT else 'short'}")


main()
