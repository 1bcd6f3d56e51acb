"""Runs one side of a training step in a process of its own."""
import json
import statistics
import subprocess
import sys

from peer import python_torch

NETWORKS = ("mlp", "lenet", "resnet20", "resnet18", "gpt")  # of which replicas are measured
# What an older processor would do, of everybody's libraries alike.
AT_MOST = {"avx2": {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2", "OPENBLAS_CORETYPE": "Haswell",
                    "HEARTH_VECTOR_UNIT": "avx2"}}


def run(command, threads, at_most=None):
    environment = python_torch.environment(threads) | AT_MOST.get(at_most, {})
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def spread(ratios):
    """Half of what the rounds' ratios span, in per cent of their median."""
    return 50 * (max(ratios) - min(ratios)) / statistics.median(ratios)
