"""What all peers have in common: each process answers the one step that it is asked for with a line of JSON.

A step is a peer's name and a work at some n, timed in `rounds` rounds, or, where that is 0, run once to see what happens.
An answer has an `outcome` (right, inexact, garbage or error), words on it, and times.
"""

import faulthandler
import json
import statistics
import sys

import torch

# torch.compile and Triton may take a minute; a step that takes longer than this many seconds hangs, and ends with where it is.
faulthandler.dump_traceback_later(180, exit=True)

# Launches in each round.
REPEATS = 4
# Milliseconds from which a run is slow.
SLOW = 200
# Keeps the GPU busy until the launches behind it stand in its queue.
DELAY_CYCLES = 2_000_000
# Rows that are checked together.
ROWS = 512
# What is added to the square of each distance between bodies.
SOFTENING = 1e-4


def text_of(error):
    """The first line of an error, which says what it is."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:240]


def answer(prepare, step):
    """The answer of one step. `prepare(work, n)`, with a third argument where the step names features, gives a function that
    does the work once and returns its result, and a function that checks a result, and may give a third value, a word on
    the variant."""
    try:
        features = [step["features"]] if "features" in step else []
        run, check, *variant = prepare(step["work"], step["n"], *features)
        values = check(run())
        if step["rounds"] and values["outcome"] in ("right", "inexact"):
            values |= milliseconds(run, step["rounds"])
        if variant:
            values["variant"] = variant[0]
        return values
    except Exception as error:  # whatever a library throws is the answer
        return {"outcome": "error", "detail": text_of(error)}


def go_through(peers, versions):
    """Answers the step that the process is asked for, by the function that has its peer's name."""
    step = json.loads(sys.argv[1])
    values = answer(peers[step["peer"]], step)
    # On a line of its own, whatever a library has printed before.
    print("\n" + json.dumps(values | {"versions": versions}), flush=True)


def milliseconds(run, rounds):
    """The median time of one run by the GPU's clock, and the quarters below and above."""
    def timed(repeats):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(DELAY_CYCLES)
        start.record()
        for _ in range(repeats):
            run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / repeats

    # The first one warms up. What takes a second by itself needs no repeats to be timed well.
    repeats = REPEATS if timed(1) < SLOW else 1
    rounds = rounds if repeats > 1 else min(rounds, 5)
    times = sorted(timed(repeats) for _ in range(rounds))
    last = len(times) - 1
    return {"ms": [statistics.median_high(times), times[last // 4], times[last - last // 4]]}


def points(n, features=4, seed=1):
    """Points in the unit cube, on the GPU."""
    torch.manual_seed(seed)
    return torch.rand((n, features), device="cuda")


def spheres(n):
    """Spheres in the unit cube: x, y, z and the radius."""
    values = points(n)
    values[:, 3] = 0.003 + 0.001 * values[:, 3]
    return values


def bodies(n):
    """Bodies in the unit cube: x, y, z and the mass."""
    values = points(n)
    values[:, 3] += 0.5
    return values


def by_rows(n, errors):
    """A check of the results of n rows, whose errors and how far roundings explain them `errors(result, rows)` gives for some
    of the rows."""
    return lambda result: compare(n, lambda part: errors(result, part))


def compare(n, errors, near=1e-2):
    """The outcome of the results of n rows. `errors(rows)` gives the errors of those of a slice of the rows, and how far roundings
    explain them. A largest error below `near` is one of a way of computing, and no accident."""
    wrong, count, largest = 0, 0, 0.0
    for first in range(0, n, ROWS):
        off, most = errors(slice(first, min(first + ROWS, n)))
        # Written so that a NaN, which is what an unwritten slot holds, is wrong.
        wrong += int((~(off <= most)).sum())
        count += off.numel()
        largest = max(largest, float(off.nan_to_num(nan=float("inf")).max())) if off.numel() else largest
    if wrong == 0:
        return {"outcome": "right", "detail": ""}
    share = 100.0 * wrong / count
    if largest < near:
        return {"outcome": "inexact", "detail": f"{share:.2g} % off by more than 1e-5, at most {largest:.1e}"}
    return {"outcome": "garbage", "detail": f"{wrong} of {count} results are wrong or missing"}


def check_sums(rows, columns, layout, products=False):
    """A check of all products of rows with columns, or of all distances, against double precision. The layout is `square`,
    `upper` (the pairs i < j of one set, row by row) or `lower` (the pairs i > j)."""
    of_rows, of_columns = rows.double(), columns.double()
    n, m = len(of_rows), len(of_columns)
    indices, norms = torch.arange(m, device=rows.device), of_columns.square().sum(1)
    # The place of a row's first result.
    begin = {
        "square": lambda row: row * m,
        "upper": lambda row: row * n - row * (row + 1) // 2,
        "lower": lambda row: row * (row - 1) // 2,
    }[layout]

    def check(result):
        result = torch.as_tensor(result, device=rows.device).reshape(-1)
        if result.numel() != begin(n):
            return {"outcome": "garbage", "detail": f"{result.numel()} results instead of {begin(n)}"}

        def errors(part):
            some = of_rows[part]
            expected = some @ of_columns.T
            if not products:
                # In double precision, a product is exact enough: rows that are the same are off by less than 1e-6.
                squares = some.square().sum(1)[:, None] + norms[None, :] - 2 * expected
                expected = squares.clamp_(min=0).sqrt_()
            if layout != "square":
                others, own = indices[None, :], indices[part, None]
                expected = expected[others < own if layout == "lower" else others > own]
            expected = expected.reshape(-1)
            off = (result[begin(part.start) : begin(part.stop)].double() - expected).abs_()
            return off, 1e-5 * expected + 1e-5

        # Beside numbers that grow with the number of features.
        return compare(n, errors, 1e-2 * rows.shape[1] ** 0.5)

    return check


def check_count(balls):
    """A check of a number of collisions against double precision."""
    exact = balls.double()
    n = balls.shape[0]
    columns = torch.arange(n, device=balls.device)

    def check(result):
        expected = 0
        for first in range(0, n, ROWS):
            last = min(first + ROWS, n)
            touch = squares(exact[first:last, :3], exact[:, :3]) <= (exact[first:last, 3, None] + exact[None, :, 3]) ** 2
            expected += int((touch & (columns[None, :] < columns[first:last, None])).sum())
        count = int(result)
        # A pair or two that touch within a rounding may be counted or not.
        if abs(count - expected) <= 1 + expected // 10_000:
            return {"outcome": "right", "detail": ""}
        return {"outcome": "garbage", "detail": f"{count} collisions instead of {expected}"}

    return check


def check_forces(bodies):
    """A check of what all bodies add to the velocity of each, against double precision. Errors are shares of the sum of
    the terms' magnitudes."""
    exact = bodies.double()

    def errors(result, part):
        d = [exact[None, :, axis] - exact[part, None, axis] for axis in range(3)]
        pull = exact[None, :, 3] * (d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + SOFTENING) ** -1.5
        expected = torch.stack([(pull * each).sum(1) for each in d], 1)
        magnitudes = torch.stack([(pull * each.abs()).sum(1) for each in d], 1)
        return (result[part].double() - expected).abs() / magnitudes, 1e-5

    return by_rows(len(exact), errors)


def squares(rows, columns):
    """The squares of all distances."""
    return sum((rows[:, None, axis] - columns[None, :, axis]) ** 2 for axis in range(rows.shape[1]))


def check_kernel_sums(points, weights, scale):
    """A check of a Gaussian kernel matrix times a vector of positive numbers, against double precision. Errors are shares of a
    sum."""
    exact, v = points.double(), weights.double()

    def errors(result, part):
        expected = torch.exp(-scale * squares(exact[part], exact)) @ v
        return (result.reshape(-1)[part].double() - expected).abs() / expected, 1e-5

    return by_rows(len(exact), errors)


def check_neighbours(rows):
    """A check of the distances to the nearest other rows, and of which they are, against double precision. Errors are
    shares of a distance."""
    exact = rows.double()
    norms = exact.square().sum(1)

    def errors(result, part):
        distances, partners = result
        some = exact[part]
        # In double precision, a product is exact enough: neighbours are no nearer than 1e-3 of their norms.
        squares = some.square().sum(1)[:, None] + norms[None, :] - 2 * (some @ exact.T)
        squares.diagonal(part.start).fill_(float("inf"))
        expected = squares.topk(distances.shape[1], largest=False).values.sqrt_()
        partner = squares.gather(1, partners[part]).clamp_(min=0).sqrt_()
        return torch.maximum((distances[part].double() - expected).abs(), (partner - expected).abs()) / expected, 1e-5

    return by_rows(len(exact), errors)
