#!/usr/bin/env python3
"""What torch has for pairs and for results per element: torch.compile of the broadcast form.

usage: torch_elements.py STEP     (td-bench writes it)
"""

import torch

import steps


def planes(bodies):
    """Coordinate by coordinate, each a matrix of pairs and a sum of its rows."""
    # ANCHOR: forces
    dx, dy, dz = (bodies[None, :, axis] - bodies[:, None, axis] for axis in range(3))
    w = torch.rsqrt(dx * dx + dy * dy + dz * dz + steps.SOFTENING)
    pull = bodies[None, :, 3] * w * w * w
    return torch.stack([(pull * d).sum(1) for d in (dx, dy, dz)], 1)
    # ANCHOR_END: forces


def vectors(bodies):
    """All coordinates as one tensor."""
    d = bodies[None, :, :3] - bodies[:, None, :3]
    w = torch.rsqrt(d.square().sum(-1) + steps.SOFTENING)
    return ((bodies[None, :, 3] * w * w * w)[:, :, None] * d).sum(1)


def kernel_sums(p, v, scale):
    """A Gaussian kernel matrix times a vector, as sums of rows."""
    # ANCHOR: product
    squares = (p[:, None, :] - p[None, :, :]).square().sum(-1)
    product = (torch.exp(-scale * squares) * v).sum(1)
    # ANCHOR_END: product
    return product


def kernel_product(p, v, scale):
    """The same as a product with the matrix."""
    return torch.exp(-scale * (p[:, None, :] - p[None, :, :]).square().sum(-1)) @ v


def fastest(forms, *arguments):
    """Of forms with a name each, compiled, the one that takes the shortest time; the last one's error where none runs."""
    timed, failure = [], None
    for name, form in forms:
        try:
            # The sizes are the compiler's constants: that is the faster way, and a user has one n at a time.
            torch._dynamo.reset()
            run = torch.compile(form, dynamic=False)
            timed.append((steps.milliseconds(lambda: run(*arguments), 3)["ms"][0], name, run))
        except Exception as error:  # whatever it throws: another form may run
            failure = error
            torch.cuda.empty_cache()
    if not timed:
        raise failure
    _, name, run = min(timed, key=lambda each: each[0])
    return lambda: run(*arguments), name


def collisions(n):
    balls = steps.spheres(n)

    # ANCHOR: collisions
    @torch.compile(dynamic=False)
    def count(balls):
        squares = (balls[:, None, :3] - balls[None, :, :3]).square().sum(-1)
        radii = balls[:, None, 3] + balls[None, :, 3]
        return torch.tril(squares <= radii * radii, -1).sum()
    # ANCHOR_END: collisions

    return lambda: count(balls), steps.check_count(balls)


def distances(n):
    values = steps.points(n)

    # ANCHOR: distances
    @torch.compile(dynamic=False)
    def distances(values):
        return (values[:, None, :] - values[None, :, :]).square().sum(-1).sqrt()
    # ANCHOR_END: distances

    return lambda: distances(values), steps.check_sums(values, values, "square")


def compiled(work, n):
    if work == "edm":
        return distances(n)
    if work == "collision":
        return collisions(n)
    if work == "forces":
        bodies = steps.bodies(n)
        run, name = fastest([("a matrix for each axis", planes), ("vectors", vectors)], bodies)
        return run, steps.check_forces(bodies), name
    p, v = steps.points(n), steps.points(n, 1, 2)[:, 0]
    run, name = fastest([("sums of rows", kernel_sums), ("a product", kernel_product)], p, v, 1.0)
    return run, steps.check_kernel_sums(p, v, 1.0), name


if __name__ == "__main__":
    steps.go_through({"torch.compile": compiled}, {"torch": torch.__version__})
