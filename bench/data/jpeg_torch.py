"""The same batches by torchvision's ImageFolder and transforms and torch's DataLoader: FOLDER WORKERS EPOCHS

Prints one line of JSON.
"""
import json
import sys
import time

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

BATCH = 32


def main():
    folder, workers, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(1)
    chain = transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(),
                                transforms.ToTensor(),
                                transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))])
    data = datasets.ImageFolder(folder, chain)
    loader = DataLoader(data, batch_size=BATCH, shuffle=True, num_workers=workers, persistent_workers=workers > 0)
    for _ in loader:  # a warm-up, with the start of the workers
        pass
    began, images = time.perf_counter(), 0
    for _ in range(epochs):
        for batch, _labels in loader:
            images += len(batch)
    print(json.dumps({"rate": images / (time.perf_counter() - began), "images": images}))


main()
