"""Epochs of Fashion-MNIST in PyTorch as its users write it: fashion_torch.py NETWORK THREADS WORKERS FOLDER EPOCHS

FOLDER is what torchvision.datasets.FashionMNIST takes as root. Prints one line of JSON: the median time of an epoch, the accuracy after the first.
"""
import json
import pathlib
import statistics
import sys
import time

import networks
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

BATCH = 128
SHOWN_EVERY = 0.1  # seconds, as tqdm
NETWORKS = {"mlp": networks.Mlp, "lenet": networks.LeNet}


def dataset(folder, is_train):
    chain = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.2860,), (0.3530,))])
    return datasets.FashionMNIST(folder, train=is_train, transform=chain)


def train(model, optimizer, loader, log):
    model.train()
    shown = began = time.perf_counter()
    for step, (images, labels) in enumerate(loader, 1):
        optimizer.zero_grad()
        scores = model(images)
        loss = F.cross_entropy(scores, labels)
        loss.backward()
        optimizer.step()
        accuracy = (scores.argmax(1) == labels).float().mean().item()
        log.write(json.dumps({"step": step, "loss": loss.item(), "accuracy": accuracy}) + "\n")
        if time.perf_counter() - shown > SHOWN_EVERY:
            shown = time.perf_counter()
            print(f"\r{step}/{len(loader)} loss {loss.item():.4f} accuracy {accuracy:.3f}", end="", file=sys.stderr)
    return time.perf_counter() - began


@torch.no_grad()
def accuracy_of(model, data):
    model.eval()
    hits = sum((model(images).argmax(1) == labels).sum().item() for images, labels in DataLoader(data, batch_size=1000))
    return hits / len(data)


def main():
    network, threads, workers, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    data, held_out = dataset(folder, True), dataset(folder, False)
    model = NETWORKS[network]()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = DataLoader(data, batch_size=BATCH, shuffle=True, num_workers=workers)
    seconds, accuracies = [], []
    with open(pathlib.Path(folder) / "log.jsonl", "w") as log:
        for _ in range(int(sys.argv[5])):
            seconds.append(train(model, optimizer, loader, log))
            accuracies.append(accuracy_of(model, held_out))
    print(json.dumps({"seconds": statistics.median(seconds), "samples": len(data), "threads": torch.get_num_threads(),
                      "accuracy": accuracies[0]}))


main()
