#!/usr/bin/env python3
"""What torch has for sums over many features of each pair: products of matrices, cdist in both modes, and pdist.

usage: torch_folds.py STEPS     (td-bench targets writes them)
"""

import torch

import steps

# FP32 alone: with TF32, a product would have the precision of eleven bits.
torch.backends.cuda.matmul.allow_tf32 = False


def sides(work, n, features):
    """The rows of one set, twice, or those of two."""
    rows = steps.points(n, features)
    return rows, rows if work == "one-set" else steps.points(n, features, 2)


def product(work, n, features):
    rows, columns = sides(work, n, features)
    return lambda: torch.mm(rows, columns.T), steps.check_sums(rows, columns, "square", products=True)


def cdist(mode):
    def prepare(work, n, features):
        rows, columns = sides(work, n, features)
        run = lambda: torch.cdist(rows, columns, compute_mode=mode)
        return run, steps.check_sums(rows, columns, "square")

    return prepare


def pdist(work, n, features):
    rows, _ = sides(work, n, features)
    return lambda: torch.pdist(rows), steps.check_sums(rows, rows, "upper")


PEERS = {
    "torch.mm": product,
    "torch.cdist, with a product": cdist("use_mm_for_euclid_dist"),
    "torch.cdist, without": cdist("donot_use_mm_for_euclid_dist"),
    "torch.pdist": pdist,
}

if __name__ == "__main__":
    steps.go_through_all(PEERS, {"torch": torch.__version__})
