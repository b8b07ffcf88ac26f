#!/usr/bin/env python3
"""Packed distances as a CuPy elementwise kernel, which finds its pair by the formula.

usage: cupy_pairs.py STEP     (td-bench peers writes it)
"""

import cupy
import torch

import steps

KERNEL = cupy.ElementwiseKernel(
    "raw float32 p",
    "float32 distance",
    """
    const long long slot = i;
    long long row = (long long)((1.0 + sqrt(8.0 * slot + 1.0)) * 0.5);
    if (row * (row - 1) / 2 > slot)
        --row;
    else if ((row + 1) * row / 2 <= slot)
        ++row;
    const long long column = slot - row * (row - 1) / 2;
    float squares = 0;
    for (int feature = 0; feature < 4; ++feature) {
        const float difference = p[4 * row + feature] - p[4 * column + feature];
        squares += difference * difference;
    }
    distance = sqrtf(squares);
    """,
    "packed_distances",
)


def prepare(work, n):
    values = steps.points(n)
    p = cupy.asarray(values).ravel()
    out = cupy.full(n * (n - 1) // 2, cupy.nan, dtype=cupy.float32)

    def run():
        KERNEL(p, out)
        return out

    return run, steps.check_sums(values, values, "lower")


if __name__ == "__main__":
    # What CuPy frees goes back to the GPU, where torch may need it.
    cupy.cuda.set_allocator(None)
    # CuPy's default stream is the one on which torch takes times.
    steps.go_through({"CuPy, elementwise": prepare}, {"cupy": cupy.__version__, "torch": torch.__version__})
