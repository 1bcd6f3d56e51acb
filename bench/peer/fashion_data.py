"""Where Fashion-MNIST is, and its files as torchvision looks for them."""
import gzip
import pathlib
import subprocess
import sys

PACKAGE = "dataset-fashion-mnist"


def data_folder():
    listed = subprocess.run(["dpkg", "-L", PACKAGE], capture_output=True, text=True).stdout.split()
    found = [pathlib.Path(path).parent for path in listed if path.endswith("train-images-idx3-ubyte.gz")]
    return found[0] if found else sys.exit(f"The data is not here; install {PACKAGE}.")


def unpack(folder):
    """The files where torchvision.datasets.FashionMNIST looks for them; gives their folder."""
    raw = folder / "FashionMNIST/raw"
    raw.mkdir(parents=True)
    for packed in data_folder().glob("*-ubyte.gz"):
        (raw / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    return raw
