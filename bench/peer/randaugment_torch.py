"""Images a second through torchvision's RandAugment on one thread: randaugment_torch.py SIDE SECONDS."""
import statistics
import sys
import time

import torch
from torchvision import transforms

IMAGES, STRETCHES = 32, 10


def rate(augment, images, seconds):
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for image in images[:16]:
            augment(image)
        count += 16
    return count / (time.perf_counter() - begin)


def main():
    side, seconds = int(sys.argv[1]), float(sys.argv[2])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    images = [torch.randint(256, (3, side, side), dtype=torch.uint8) for _ in range(IMAGES)]
    augment = transforms.RandAugment()
    rate(augment, images, seconds / STRETCHES)  # warm
    print(statistics.median(rate(augment, images, seconds / STRETCHES) for _ in range(STRETCHES)))


main()
