#!/usr/bin/env python3
"""Results per element by KeOps, whose formulas become CUDA kernels of their own.

usage: keops_elements.py STEP     (td-bench targets writes it)
"""

import pykeops
from pykeops.torch import LazyTensor

import steps


def keops(work, n):
    if work == "forces":
        bodies = steps.bodies(n)
        places, masses = bodies[:, :3].contiguous(), bodies[:, 3:].contiguous()
        # ANCHOR: forces
        at_i, at_j = LazyTensor(places[:, None, :]), LazyTensor(places[None, :, :])
        mass_j = LazyTensor(masses[None, :, :])

        def added():
            d = at_j - at_i
            w = ((d * d).sum(-1) + steps.SOFTENING).rsqrt()
            return (mass_j * w * w * w * d).sum(dim=1)
        # ANCHOR_END: forces

        return added, steps.check_forces(bodies)

    p, v, scale = steps.points(n), steps.points(n, 1, 2), 1.0

    def product():
        x_i, x_j = LazyTensor(p[:, None, :]), LazyTensor(p[None, :, :])
        return (-scale * ((x_i - x_j) ** 2).sum(-1)).exp() @ v

    return product, steps.check_kernel_sums(p, v[:, 0], scale)


if __name__ == "__main__":
    steps.go_through({"KeOps": keops}, {"KeOps": pykeops.__version__})
