#!/usr/bin/env python3
"""What torch has for sums over the features of each pair: products of matrices, cosines, cdist in both modes, pdist, and the
least of each row.

usage: torch_folds.py STEP     (td-bench writes it)
"""

import torch

import steps

# FP32 alone: with TF32, a product would have the precision of eleven bits.
torch.backends.cuda.matmul.allow_tf32 = False


def sides(work, n, features):
    """The rows of one set, twice, or those of two."""
    rows = steps.points(n, features)
    return rows, steps.points(n, features, 2) if work == "two-sets" else rows


def product(work, n, features):
    rows, columns = sides(work, n, features)
    return lambda: torch.mm(rows, columns.T), steps.check_sums(rows, columns, "square", products=True)


def cosines(tf32):
    def prepare(work, n, features):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        rows = steps.points(n, features)
        exact = torch.nn.functional.normalize(rows.double())

        def run():
            # ANCHOR: cosines
            unit = torch.nn.functional.normalize(rows)
            cosine = unit @ unit.T
            # ANCHOR_END: cosines
            return cosine

        return run, steps.check_sums(exact, exact, "square", products=True)

    return prepare


def cdist(mode):
    def prepare(work, n, features=4):
        rows, columns = sides(work, n, features)
        run = lambda: torch.cdist(rows, columns, compute_mode=mode)
        return run, steps.check_sums(rows, columns, "square")

    return prepare


def pdist(work, n, features=4):
    rows = steps.points(n, features)
    return lambda: torch.pdist(rows), steps.check_sums(rows, rows, "upper")


# The neighbours of each row.
K = 10
# Rows at a time: their distances to all take some gigabytes.
CHUNK = 4096


# The rows of a set, and the sets at a time.
SET, SETS = 2000, 100


def topk_of_sets(n, features):
    sets = torch.stack([steps.points(SET, features, seed=1 + at) for at in range(n)])
    results = torch.empty((n, SET, K), device="cuda"), torch.empty((n, SET, K), dtype=torch.long, device="cuda")

    def run():
        for first in range(0, n, SETS):
            some = sets[first : first + SETS]
            distances = torch.cdist(some, some, compute_mode="donot_use_mm_for_euclid_dist")
            distances.diagonal(dim1=1, dim2=2).fill_(float("inf"))  # no row is its own neighbour
            torch.topk(distances, K, largest=False, out=(results[0][first : first + SETS], results[1][first : first + SETS]))
        return results

    def check(result):
        found = [steps.check_neighbours(sets[at])((result[0][at], result[1][at])) for at in range(0, n, 97)]
        return next((each for each in found if each["outcome"] != "right"), found[0])

    return run, check


def topk(work, n, features):
    if work == "neighbours in sets":
        return topk_of_sets(n, features)
    rows = steps.points(n, features)
    results = torch.empty((n, K), device="cuda"), torch.empty((n, K), dtype=torch.long, device="cuda")

    def run():
        # ANCHOR: neighbours
        for first in range(0, n, CHUNK):
            some = rows[first : first + CHUNK]
            distances = torch.cdist(some, rows, compute_mode="use_mm_for_euclid_dist")
            distances.diagonal(first).fill_(float("inf"))  # no row is its own neighbour
            torch.topk(distances, K, largest=False, out=(results[0][first : first + CHUNK], results[1][first : first + CHUNK]))
        # ANCHOR_END: neighbours
        return results

    return run, steps.check_neighbours(rows)


PEERS = {
    "torch": cosines(tf32=False),
    "torch with TF32": cosines(tf32=True),
    "torch.mm": product,
    "torch.cdist": cdist("use_mm_for_euclid_dist"),
    "torch.cdist, with a product": cdist("use_mm_for_euclid_dist"),
    "torch.cdist, without": cdist("donot_use_mm_for_euclid_dist"),
    "torch.cdist without a product": cdist("donot_use_mm_for_euclid_dist"),
    "torch.pdist": pdist,
    "torch.cdist and topk": topk,
}

if __name__ == "__main__":
    steps.go_through(PEERS, {"torch": torch.__version__})
