"""One training step of a known network in PyTorch's DistributedDataParallel over gloo: step_of_ddp.py NETWORK THREADS [SECONDS]

One of the ranks that bench/ranks.py starts by the variables RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; each has its part of
the batch. The first prints what step_of_torch.py prints."""
import contextlib
import json
import resource
import statistics
import sys

import torch
import torch.distributed as ranks
from step_of_torch import make_step
from subjects import SUBJECTS, loaded_blas, timed
from torch.nn.parallel import DistributedDataParallel


def timed_together(step, seconds):
    """All ranks make as many steps as the first says, by the time of a few."""
    count = torch.tensor([int(seconds * 1e3 / statistics.median(timed(step, 0, 10))) + 4])
    ranks.broadcast(count, 0)
    return timed(step, 0, int(count))


def main():
    subject, threads = SUBJECTS[sys.argv[1]], int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 2.5
    torch.set_num_threads(threads)
    ranks.init_process_group("gloo")
    torch.manual_seed(0)
    model = DistributedDataParallel(subject.build().train())
    rank, count = ranks.get_rank(), ranks.get_world_size()
    inputs, labels = subject.input().chunk(count)[rank], subject.labels().chunk(count)[rank]
    step = make_step(model, subject.optimize(model.parameters()), inputs, labels, contextlib.nullcontext())
    loss = step()
    timed_together(step, 0.7)
    times = timed_together(step, seconds)
    ranks.barrier()
    if rank == 0:
        print(json.dumps({"median": statistics.median(times), "least": min(times), "steps": len(times), "loss": loss,
                          "parameters": sum(p.numel() for p in model.parameters()), "blas": loaded_blas(),
                          "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
