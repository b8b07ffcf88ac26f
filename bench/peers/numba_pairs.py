#!/usr/bin/env python3
"""Packed distances in numba-cuda, one thread a slot, which finds its pair by the formula.

usage: numba_pairs.py STEP     (td-bench peers writes it)
"""

import math
import warnings

import numpy

# Some versions of numba-cuda look for this name, which newer versions of numpy no longer have.
if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack

import numba
import torch
from numba import cuda

import steps

THREADS = 256


@cuda.jit
def kernel(p, out):
    slot = numpy.int64(cuda.blockIdx.x) * THREADS + cuda.threadIdx.x
    if slot < out.size:
        row = numpy.int64((1.0 + math.sqrt(8.0 * slot + 1.0)) * 0.5)
        if row * (row - 1) // 2 > slot:
            row -= 1
        elif (row + 1) * row // 2 <= slot:
            row += 1
        column = slot - row * (row - 1) // 2
        squares = numpy.float32(0)
        for feature in range(4):
            difference = p[row, feature] - p[column, feature]
            squares += difference * difference
        out[slot] = math.sqrt(squares)


def prepare(work, n):
    values = steps.points(n)
    out = torch.full((n * (n - 1) // 2,), float("nan"), device="cuda")
    p, slots = cuda.as_cuda_array(values), cuda.as_cuda_array(out)
    blocks = -(-out.numel() // THREADS)

    def run():
        kernel[blocks, THREADS](p, slots)
        return out

    return run, steps.check_distances(values, "lower")


if __name__ == "__main__":
    # Small grids are slow, says numba; there are some.
    warnings.simplefilter("ignore")
    try:
        from importlib.metadata import version

        numba_cuda = version("numba-cuda")
    except Exception:
        numba_cuda = "?"
    steps.go_through({"numba-cuda": prepare}, {"numba": numba.__version__, "numba-cuda": numba_cuda, "torch": torch.__version__})
