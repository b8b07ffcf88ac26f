#!/usr/bin/env python3
"""What torch has for pairs: pdist, cdist in both modes, and torch.compile of the broadcast form.

usage: torch_pairs.py STEP     (td-bench peers writes it)
"""

import torch

import steps


def pdist(work, n):
    values = steps.points(n)
    return lambda: torch.pdist(values), steps.check_distances(values, "upper")


def cdist(mode):
    def prepare(work, n):
        values = steps.points(n)
        return lambda: torch.cdist(values, values, compute_mode=mode), steps.check_distances(values, "square")

    return prepare


def compiled(work, n):
    # The sizes are the compiler's constants: that is the faster way, and a user has one n at a time.
    torch._dynamo.reset()
    if work == "collision":
        balls = steps.spheres(n)

        # ANCHOR: collisions
        @torch.compile(dynamic=False)
        def count(balls):
            squares = (balls[:, None, :3] - balls[None, :, :3]).square().sum(-1)
            radii = balls[:, None, 3] + balls[None, :, 3]
            return torch.tril(squares <= radii * radii, -1).sum()
        # ANCHOR_END: collisions

        return lambda: count(balls), steps.check_count(balls)

    values = steps.points(n)

    # ANCHOR: distances
    @torch.compile(dynamic=False)
    def distances(values):
        return (values[:, None, :] - values[None, :, :]).square().sum(-1).sqrt()
    # ANCHOR_END: distances

    return lambda: distances(values), steps.check_distances(values, "square")


PEERS = {
    "torch.pdist": pdist,
    "torch.cdist, with a product": cdist("use_mm_for_euclid_dist"),
    "torch.cdist, without": cdist("donot_use_mm_for_euclid_dist"),
    "torch.compile": compiled,
}

if __name__ == "__main__":
    steps.go_through(PEERS, {"torch": torch.__version__})
