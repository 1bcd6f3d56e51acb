"""One forward pass of a known network in PyTorch, timed: inference_of_torch.py NETWORK BATCH THREADS [SECONDS]

The twin of bench/steps/inference_of.cpp.
"""
import json
import statistics
import sys

import torch
from subjects import SUBJECTS, loaded_blas, timed


def main():
    subject, batch, threads = SUBJECTS[sys.argv[1]], int(sys.argv[2]), int(sys.argv[3])
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 2
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = subject.build().eval()
    inputs = subject.input(batch)
    with torch.inference_mode():
        timed(lambda: model(inputs), 0.5, 3)
        times = timed(lambda: model(inputs), seconds, 5)
    print(json.dumps({"median": statistics.median(times), "least": min(times), "runs": len(times),
                      "parameters": sum(p.numel() for p in model.parameters()), "blas": loaded_blas()}))


main()
