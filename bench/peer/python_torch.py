"""Finds a Python that has torch and the environment in which it computes as fast as it can."""
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
NEEDED = "import torch, torchvision"


def interpreter():
    """The first of this Python, those in PATH and Debian's that can import torch and torchvision."""
    candidates = [sys.executable, shutil.which("python3"), "/usr/bin/python3"]
    for candidate in dict.fromkeys(filter(None, candidates)):
        if subprocess.run([candidate, "-c", NEEDED], capture_output=True).returncode == 0:
            return candidate
    sys.exit("No python3 here can import torch and torchvision; install python3-torch and python3-torchvision.")


def blas_folder():
    """OpenBLAS as Hearth links it: the build that shares OpenMP's threads with torch. None when absent."""
    triplet = sysconfig.get_config_var("MULTIARCH") or f"{os.uname().machine}-linux-gnu"
    folder = pathlib.Path("/usr/lib") / triplet / "openblas-openmp"
    return folder if folder.is_dir() else None


def blas_kernels():
    """What OpenBLAS must be told on processors that are newer than itself, as the hearth program does."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(next((line for line in text.splitlines() if line.startswith("flags")), "").split())
    if {"avx512bw", "avx512dq", "avx512vl"} <= flags:
        return {"OPENBLAS_CORETYPE": "SKYLAKEX"}
    return {"OPENBLAS_CORETYPE": "HASWELL"} if "GenuineIntel" in text and "avx2" in flags else {}


def environment(threads=None):
    """For both sides. LD_LIBRARY_PATH lets torch find OpenBLAS before whatever BLAS the system picks."""
    result = blas_kernels() | dict(os.environ)
    if threads is not None:
        result["OMP_NUM_THREADS"] = result["OPENBLAS_NUM_THREADS"] = str(threads)
    folder = blas_folder()
    if folder is not None:
        paths = [str(folder), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        result["LD_LIBRARY_PATH"] = ":".join(paths)
    return result
