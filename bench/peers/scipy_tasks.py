#!/usr/bin/env python3
"""The tasks of the guide's comparison in NumPy and SciPy on the CPU: checks their results on few elements, then times them.

usage: scipy_tasks.py [N]     (4000)
"""

import os
import sys
import time

import numpy as np
import scipy
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist, pdist, squareform


def distances(p):
    # ANCHOR: distances
    distance = pdist(p)
    # ANCHOR_END: distances
    return distance


def cosine(p):
    # ANCHOR: cosine
    cosine = 1 - pdist(p, "cosine")
    # ANCHOR_END: cosine
    return cosine


def cosine_by_product(p):
    # ANCHOR: cosine_by_product
    unit = p / np.linalg.norm(p, axis=1, keepdims=True)
    cosine = unit @ unit.T
    # ANCHOR_END: cosine_by_product
    return cosine


def collisions(p):
    reach = p[:, None, 3] + p[None, :, 3]
    touching = np.count_nonzero(np.tril(cdist(p[:, :3], p[:, :3]) <= reach, -1))
    return touching


def collisions_by_tree(p):
    # ANCHOR: collisions_by_tree
    tree = cKDTree(p[:, :3])
    i, j = tree.query_pairs(2 * p[:, 3].max(), output_type="ndarray").T
    touching = np.count_nonzero(((p[i, :3] - p[j, :3]) ** 2).sum(1) <= (p[i, 3] + p[j, 3]) ** 2)
    # ANCHOR_END: collisions_by_tree
    return touching


def forces(p):
    d = p[None, :, :3] - p[:, None, :3]
    w = ((d * d).sum(2) + 1e-4) ** -1.5
    pull = ((p[:, 3] * w)[:, :, None] * d).sum(1)
    return pull


def neighbours(p):
    # ANCHOR: neighbours
    distance, index = cKDTree(p).query(p, 11, workers=-1)  # the first is the row itself
    # ANCHOR_END: neighbours
    return distance[:, 1:]


def product(p, v, scale):
    # ANCHOR: product
    product = np.exp(-scale * cdist(p, p, "sqeuclidean")) @ v
    # ANCHOR_END: product
    return product


def inputs(n, features=4):
    random = np.random.default_rng(1)
    p = random.random((n, features)).astype(np.float32)
    if features == 4:
        p[:, 3] = 0.04 + 0.02 * p[:, 3]
    return p


def check():
    """Compares the results with plain loops."""
    p = inputs(50).astype(np.float64)
    v, n = np.arange(50.0), len(p)
    d = np.array([[np.sqrt(((a - b) ** 2).sum()) for b in p] for a in p])
    cos = np.array([[a @ b / np.sqrt((a @ a) * (b @ b)) for b in p] for a in p])
    touch = sum(
        ((p[i, :3] - p[j, :3]) ** 2).sum() <= (p[i, 3] + p[j, 3]) ** 2 for i in range(n) for j in range(i)
    )
    pull = [
        sum(q[3] * (q[:3] - a[:3]) * (((q[:3] - a[:3]) ** 2).sum() + 1e-4) ** -1.5 for q in p) for a in p
    ]
    assert np.allclose(squareform(distances(p)), d)
    assert np.allclose(squareform(cosine(p)) + np.eye(n), cos) and np.allclose(cosine_by_product(p), cos)
    assert collisions(p) == collisions_by_tree(p) == touch > 0
    assert np.allclose(forces(p), pull)
    assert np.allclose(neighbours(p), np.sort(d)[:, 1:11])
    assert np.allclose(product(p, v, 2.0), np.exp(-2.0 * d**2) @ v)


def milliseconds(run):
    """The shortest time of several runs: on a busy machine some are undisturbed."""
    times, begin = [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begin < 8 and len(times) < 50):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


if __name__ == "__main__":
    check()
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    p, wide, v = inputs(n), inputs(n, 128), np.ones(n, dtype=np.float32)
    points = np.ascontiguousarray(p[:, :3])
    cores = len(os.sched_getaffinity(0))
    print(f"NumPy {np.__version__}, SciPy {scipy.__version__}, {cores} threads, n = {n}\n")
    print("| task | ms |\n| --- | ---: |")
    for name, run in {
        "distances, 4 coordinates": lambda: distances(p),
        "cosine, 128 features": lambda: cosine(wide),
        "cosine by a product, 128 features": lambda: cosine_by_product(wide),
        "collisions": lambda: collisions(p),
        "collisions by a tree": lambda: collisions_by_tree(p),
        "forces": lambda: forces(p),
        "ten nearest by a tree, 3 coordinates": lambda: neighbours(points),
        "ten nearest by a tree, 128 features": lambda: neighbours(wide),
        "product with a kernel matrix": lambda: product(p, v, 2.0),
    }.items():
        time_taken = milliseconds(run)
        print(f"| {name} | {time_taken:.{1 if time_taken < 100 else 0}f} |", flush=True)
