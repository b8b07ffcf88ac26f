#!/usr/bin/env python3
"""Packed Euclidean distances in hand-written Triton: what `td-bench targets` compares with.

usage: triton_edm.py [--elements N] [--features 2 4]

Prints one JSON object to standard output: the milliseconds of the fastest variant for 2 and for 4
features (or those asked for), those of a fill of the same bytes, and the versions. Results are checked
against torch first, and a wrong one ends the program with an error.
"""

import argparse
import json
import statistics
import sys

try:
    import torch
    import triton
    import triton.language as tl
except ImportError as error:
    sys.exit(f"Triton cannot be measured: {error}")

# Pairs per side of a tile, which one program computes.
TILE = 32
# Timings of each variant, and launches in each.
ROUNDS = 21
REPEATS = 4


@triton.jit
def edm_kernel(points, out, n, stride, feature_stride, FEATURES: tl.constexpr, TILE: tl.constexpr):
    # The tiles of the lower triangle, counted row by row: an estimate of the row, repaired.
    tile = tl.program_id(0)
    row = ((tl.sqrt(8.0 * tile.to(tl.float32) + 1.0) - 1.0) * 0.5).to(tl.int32)
    row = tl.where(row * (row + 1) // 2 > tile, row - 1, row)
    row = tl.where((row + 1) * (row + 2) // 2 <= tile, row + 1, row)
    column = tile - row * (row + 1) // 2

    i = row * TILE + tl.arange(0, TILE)
    j = column * TILE + tl.arange(0, TILE)
    squares = tl.zeros((TILE, TILE), dtype=tl.float32)
    for feature in tl.static_range(FEATURES):
        of_i = tl.load(points + i * stride + feature * feature_stride, mask=i < n, other=0.0)
        of_j = tl.load(points + j * stride + feature * feature_stride, mask=j < n, other=0.0)
        difference = of_i[:, None] - of_j[None, :]
        squares += difference * difference
    start = i.to(tl.int64) * (i - 1) // 2
    # The correctly rounded root, as CUDA's sqrtf is: tl.sqrt is the hardware's approximation.
    is_pair = (i[:, None] < n) & (j[None, :] < i[:, None])
    tl.store(out + start[:, None] + j[None, :], tl.sqrt_rn(squares), mask=is_pair)


def check(points, out):
    """Raises ValueError where a slot differs from what torch computes, some rows at a time."""
    n = points.shape[0]
    columns = torch.arange(n, device=points.device)
    for first in range(0, n, 1024):
        last = min(first + 1024, n)
        squares = torch.zeros((last - first, n), device=points.device)
        for feature in range(points.shape[1]):
            values = points[:, feature]
            squares += (values[first:last, None] - values[None, :]) ** 2
        expected = squares.sqrt()[columns[None, :] < columns[first:last, None]]
        actual = out[first * (first - 1) // 2 : last * (last - 1) // 2]
        # A NaN, which is what an unwritten slot holds, is close to nothing.
        if not torch.allclose(actual, expected, rtol=1e-5, atol=1e-7):
            raise ValueError(f"wrong distances in rows {first} to {last - 1}")


def milliseconds(work, before):
    """The median time of `work`, the shortest and the longest. `before` keeps the GPU busy until the launches behind it
    stand in the queue, so that Python's own time is not measured."""
    times = []
    for _ in range(ROUNDS + 1):
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        for _ in range(4):
            before()
        start.record()
        for _ in range(REPEATS):
            work()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / REPEATS)
    # The first round warms up.
    times = times[1:]
    return {"ms": [statistics.median(times), min(times), max(times)]}


def variants(points):
    """Each way to lay out the points, with the distances from point to point and feature to feature."""
    n, features = points.shape
    yield "array of structs", points, features, 1
    yield "struct of arrays", points.t().contiguous(), 1, n


def measure(n, features, out, fill):
    """The times of the fastest variant, and which it is."""
    torch.manual_seed(1)
    points = torch.rand((n, features), device="cuda")
    tiles_per_side = triton.cdiv(n, TILE)
    grid = (tiles_per_side * (tiles_per_side + 1) // 2,)
    measured = []
    for layout, laid_out, stride, feature_stride in variants(points):
        for warps in (1, 2, 4, 8):

            def launch():
                edm_kernel[grid](
                    laid_out, out, n, stride, feature_stride,
                    FEATURES=features, TILE=TILE, num_warps=warps,
                )

            out.fill_(float("nan"))
            launch()
            check(points, out)
            variant = {"variant": f"{layout}, {warps} warps"}
            measured.append(milliseconds(launch, fill) | variant)
    return min(measured, key=lambda times: times["ms"][0])


def main():
    parser = argparse.ArgumentParser(description="Times packed Euclidean distances in Triton.")
    parser.add_argument("--elements", type=int, default=30_720, help="the number of points")
    parser.add_argument("--features", type=int, default=4, help="how many a point has")
    arguments = parser.parse_args()
    n = arguments.elements
    if not torch.cuda.is_available():
        sys.exit("Triton cannot be measured: torch finds no GPU")
    out = torch.empty(n * (n - 1) // 2, device="cuda")

    def fill():
        out.fill_(1.0)

    report = {
        "triton": measure(n, arguments.features, out, fill),
        "fill": milliseconds(fill, fill),
        "versions": {"torch": torch.__version__, "triton": triton.__version__},
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
