"""Driven by fashion_batches.py: the same batches by torchvision's dataset and transforms and torch's DataLoader:
FOLDER WORKERS EPOCHS. FOLDER is what torchvision.datasets.FashionMNIST takes as root. Prints one line of JSON."""
import json
import sys
import time

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

folder, workers, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(1)
chain = transforms.Compose([transforms.RandomCrop(28, padding=2), transforms.RandomHorizontalFlip(), transforms.ToTensor(),
                            transforms.Normalize((0.2860,), (0.3530,))])
data = datasets.FashionMNIST(folder, train=True, transform=chain)
loader = DataLoader(data, batch_size=128, shuffle=True, num_workers=workers, persistent_workers=workers > 0)
for number, _ in enumerate(loader):  # a warm-up, with the start of the workers
    if workers == 0 and number == 50:
        break
began, images, total = time.perf_counter(), 0, 0.0
for _ in range(epochs):
    for batch, _labels in loader:
        images += len(batch)
        total += batch[0, 0, 14, 8].item()
print(json.dumps({"rate": images / (time.perf_counter() - began), "images": images, "sum": total}))
