#!/usr/bin/env python3
"""Pairs in hand-written Triton: packed distances and counted collisions, tile by tile.

usage: triton_pairs.py STEP     (td-bench peers writes it)
"""

import torch
import triton
import triton.language as tl

import steps

# Pairs per side of a tile, which one program computes.
TILE = 32


@triton.jit
def edm_kernel(points, out, n, FEATURES: tl.constexpr, TILE: tl.constexpr):
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
        of_i = tl.load(points + i * FEATURES + feature, mask=i < n, other=0.0)
        of_j = tl.load(points + j * FEATURES + feature, mask=j < n, other=0.0)
        difference = of_i[:, None] - of_j[None, :]
        squares += difference * difference
    start = i.to(tl.int64) * (i - 1) // 2
    # The correctly rounded root, as CUDA's sqrtf is: tl.sqrt is the hardware's approximation.
    is_pair = (i[:, None] < n) & (j[None, :] < i[:, None])
    tl.store(out + start[:, None] + j[None, :], tl.sqrt_rn(squares), mask=is_pair)


@triton.jit
def count_kernel(balls, count, n, TILE: tl.constexpr):
    # The tiles of the lower triangle, counted row by row: an estimate of the row, repaired.
    tile = tl.program_id(0)
    row = ((tl.sqrt(8.0 * tile.to(tl.float32) + 1.0) - 1.0) * 0.5).to(tl.int32)
    row = tl.where(row * (row + 1) // 2 > tile, row - 1, row)
    row = tl.where((row + 1) * (row + 2) // 2 <= tile, row + 1, row)
    i = row * TILE + tl.arange(0, TILE)
    j = (tile - row * (row + 1) // 2) * TILE + tl.arange(0, TILE)
    squares = tl.zeros((TILE, TILE), dtype=tl.float32)
    for feature in tl.static_range(3):
        of_i = tl.load(balls + 4 * i + feature, mask=i < n, other=0.0)
        of_j = tl.load(balls + 4 * j + feature, mask=j < n, other=0.0)
        difference = of_i[:, None] - of_j[None, :]
        squares += difference * difference
    of_i = tl.load(balls + 4 * i + 3, mask=i < n, other=0.0)
    of_j = tl.load(balls + 4 * j + 3, mask=j < n, other=0.0)
    radii = of_i[:, None] + of_j[None, :]
    touch = (squares <= radii * radii) & (i[:, None] < n) & (j[None, :] < i[:, None])
    tl.atomic_add(count, tl.sum(touch.to(tl.int32)).to(tl.int64))


def fastest(variants):
    """Of functions with a name each, the one that takes the shortest time."""
    timed = [(steps.milliseconds(run, 3)["ms"][0], name, run) for name, run in variants]
    _, name, run = min(timed, key=lambda each: each[0])
    return run, name


def tiled(work, n):
    if work == "collision":
        return counted(n)
    values = steps.points(n)
    out = torch.full((n * (n - 1) // 2,), float("nan"), device="cuda")
    tiles = triton.cdiv(n, TILE)

    def variant(warps):
        def run():
            edm_kernel[(tiles * (tiles + 1) // 2,)](values, out, n, FEATURES=4, TILE=TILE, num_warps=warps)
            return out

        return run

    run, name = fastest([(f"{warps} warps", variant(warps)) for warps in (1, 2, 4, 8)])
    out.fill_(float("nan"))
    return run, steps.check_sums(values, values, "lower"), name


def counted(n):
    balls = steps.spheres(n)
    count = torch.zeros(1, dtype=torch.int64, device="cuda")

    def variant(tile, warps):
        tiles = triton.cdiv(n, tile)

        def run():
            count.zero_()
            count_kernel[(tiles * (tiles + 1) // 2,)](balls, count, n, TILE=tile, num_warps=warps)
            return count

        return run

    sizes = [(32, 1), (64, 4), (128, 8)]
    run, name = fastest([(f"tiles of {tile}, {warps} warps", variant(tile, warps)) for tile, warps in sizes])
    return run, steps.check_count(balls), name


if __name__ == "__main__":
    versions = {"torch": torch.__version__, "triton": triton.__version__}
    steps.go_through({"Triton, tiled": tiled}, versions)
