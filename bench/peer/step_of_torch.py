"""One training step of a known network in PyTorch, timed: step_of_torch.py NETWORK THREADS [SECONDS [bfloat16]]

The twin of bench/steps/step_of.cpp: the same networks, batches, optimizers and line of JSON.
"""
import contextlib
import json
import resource
import statistics
import sys

import torch
import torch.nn.functional as F
from subjects import SUBJECTS, loaded_blas, timed


def make_step(model, optimizer, inputs, targets, precision):
    # Of every place of a text as rows, which is faster; of points of a picture as they lie.
    is_text = targets.dim() == 2

    def step():
        optimizer.zero_grad()
        with precision:
            scores = model(inputs)
            loss = F.cross_entropy(scores.flatten(0, 1), targets.flatten()) if is_text else F.cross_entropy(scores, targets)
        loss.backward()
        optimizer.step()
        return loss.item()
    return step


def main():
    subject, threads = SUBJECTS[sys.argv[1]], int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 2.5
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = subject.build().train()
    is_rounded = len(sys.argv) > 4 and sys.argv[4] == "bfloat16"
    precision = torch.autocast("cpu", dtype=torch.bfloat16) if is_rounded else contextlib.nullcontext()
    step = make_step(model, subject.optimize(model.parameters()), subject.input(), subject.labels(), precision)
    loss = step()
    timed(step, 0.7, 2)
    times = timed(step, seconds, 4)
    print(json.dumps({"median": statistics.median(times), "least": min(times), "steps": len(times), "loss": loss,
                      "parameters": sum(p.numel() for p in model.parameters()), "blas": loaded_blas(),
                      "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
