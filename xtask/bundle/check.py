#!/usr/bin/env python3
"""Checks what the examples computed against a reference of its own, in double precision.

usage: check.py edm POINTS.npy DISTANCES.npy
       check.py collision SPHERES.npy PAIRS.csv LOG

POINTS is n x features and SPHERES n x 4 (x, y, z, radius), both float32. DISTANCES is packed: the
distance of the pair i > j is in slot i (i - 1) / 2 + j. PAIRS has a header and the columns i and
j, i > j. LOG is what the program printed, its count among it.

The reference is computed from differences, on the GPU if torch has one, some rows at a time. It
shares no code and no formula with the project.
"""

import math
import re
import sys
import warnings

try:
    import numpy
    import torch
except ImportError as error:
    sys.exit(f"{error}\nInstall numpy and torch, or name a Python that has them: PYTHON=… run.sh")

# Single precision: the differences of the inputs, their squares, the sum and the root round.
MAX_RELATIVE_ERROR = 1e-5
# Two spheres whose gap is nearer to zero than this, relative to the radii, may go either way.
BORDERLINE = 1e-6
# Elements of one chunk of the reference, of which some copies must fit on a small GPU.
CHUNK = 1 << 24

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Wrong(Exception):
    """The results are not what they should be."""


def row_chunks(n):
    """Ranges of rows that together have about CHUNK columns."""
    height = max(1, CHUNK // max(1, n))
    return [(start, min(start + height, n)) for start in range(0, n, height)]


def squared_distances(points, start, end):
    """Of the rows start..end to the points 0..end; the columns past a row's own are no pairs."""
    total = torch.zeros((end - start, end), dtype=torch.float64, device=DEVICE)
    for feature in range(points.shape[1]):
        values = points[:, feature]
        total += (values[start:end, None] - values[None, :end]).square_()
    return total


def is_pair(start, end):
    """Where the column is below the row."""
    rows = torch.arange(start, end, device=DEVICE)
    columns = torch.arange(0, end, device=DEVICE)
    return columns[None, :] < rows[:, None]


def load_points(path):
    points = numpy.load(path)
    if points.ndim != 2 or points.dtype != numpy.float32:
        raise Wrong(f"{path} holds {points.dtype} of shape {points.shape}, not rows of float32")
    if not numpy.isfinite(points).all():
        raise Wrong(f"{path} holds values that are not finite")
    return torch.from_numpy(points).to(DEVICE, torch.float64)


def check_edm(points_path, distances_path):
    points = load_points(points_path)
    n = points.shape[0]
    slots = n * (n - 1) // 2
    distances = numpy.load(distances_path, mmap_mode="r")
    print(f"{n} points of {points.shape[1]} features, {slots} distances, on {DEVICE}")
    if distances.shape != (slots,) or distances.dtype != numpy.float32:
        raise Wrong(
            f"{distances_path} holds {distances.dtype} of shape {distances.shape},"
            f" not {slots} of float32"
        )

    not_numbers = 0
    compared = 0
    worst, worst_slot = 0.0, None
    for start, end in row_chunks(n):
        expected = squared_distances(points, start, end).sqrt_()[is_pair(start, end)]
        if not expected.numel():
            continue
        first = start * (start - 1) // 2
        # A copy, since the file is mapped read-only, which torch warns of.
        actual = numpy.array(distances[first : first + expected.numel()])
        actual = torch.from_numpy(actual).to(DEVICE, torch.float64)
        nan = actual.isnan()
        not_numbers += int(nan.sum())
        error = (actual - expected).abs_()
        # Equal points must give exactly zero: any other answer is infinitely wrong.
        error = torch.where(error == 0, error, error / expected)
        error[nan] = 0
        compared += expected.numel()
        largest, at = error.max(dim=0)
        if float(largest) > worst:
            worst, worst_slot = float(largest), first + int(at)

    print(f"compared: {compared} of {slots}")
    print(f"not a number: {not_numbers}")
    print(f"largest relative error: {worst:.3e} (limit {MAX_RELATIVE_ERROR:.0e})")
    if worst_slot is not None:
        i = (1 + math.isqrt(8 * worst_slot + 1)) // 2
        j = worst_slot - i * (i - 1) // 2
        expected = float((points[i] - points[j]).square().sum().sqrt())
        print(f"  at i = {i}, j = {j}: {float(distances[worst_slot])!r}, expected {expected!r}")
    if compared != slots:
        raise Wrong("not every slot was compared")
    if not_numbers:
        raise Wrong(f"{not_numbers} distances are not a number")
    if worst > MAX_RELATIVE_ERROR:
        raise Wrong(f"a distance is off by {worst:.3e} of its value")


def load_pairs(path, n):
    """The reported pairs as sorted numbers i n + j."""
    with open(path, encoding="utf-8") as file:
        header = [name.strip() for name in file.readline().split(",")]
    if "i" not in header or "j" not in header:
        raise Wrong(f"{path} has the columns {', '.join(header)}, not i and j")
    columns = header.index("i"), header.index("j")
    with warnings.catch_warnings():
        # No pair at all is a result like any other.
        warnings.filterwarnings("ignore", message=".*no data")
        rows = numpy.loadtxt(
            path, delimiter=",", skiprows=1, usecols=columns, dtype=numpy.int64, ndmin=2
        )
    i, j = rows[:, 0], rows[:, 1]
    stray = (j < 0) | (j >= i) | (i >= n)
    if stray.any():
        at = int(stray.argmax())
        raise Wrong(f"{int(stray.sum())} rows are no pairs, the first: i = {i[at]}, j = {j[at]}")
    return torch.from_numpy(numpy.sort(i * n + j)).to(DEVICE)


def printed_count(path):
    """The number after "collisions:" in the program's output."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.findall(r"^collisions: (\d+)$", file.read(), re.MULTILINE)
    if len(found) != 1:
        raise Wrong(f"{path} has {len(found)} lines \"collisions: NUMBER\", not one")
    return int(found[0])


def check_collision(spheres_path, pairs_path, log_path):
    spheres = load_points(spheres_path)
    n = spheres.shape[0]
    if spheres.shape[1] != 4:
        raise Wrong(f"{spheres_path} has {spheres.shape[1]} columns, not x, y, z and radius")
    centres, radii = spheres[:, :3], spheres[:, 3]
    reported = load_pairs(pairs_path, n)
    print(f"{n} spheres, {n * (n - 1) // 2} pairs, on {DEVICE}")

    expected_count = borderline_count = missing = wrong = 0
    examples = []
    for start, end in row_chunks(n):
        touching = (radii[start:end, None] + radii[None, :end]).square_()
        gap = squared_distances(centres, start, end).sub_(touching)
        pair = is_pair(start, end)
        borderline = (gap.abs() < BORDERLINE * touching) & pair
        expected = (gap <= 0) & pair
        bounds = torch.tensor([start * n, end * n], device=DEVICE)
        low, high = torch.searchsorted(reported, bounds).tolist()
        here = reported[low:high]
        actual = torch.zeros_like(expected)
        actual[here // n - start, here % n] = True
        sure = ~borderline
        differs = (actual != expected) & sure
        expected_count += int(expected.sum())
        borderline_count += int(borderline.sum())
        missing += int((differs & expected).sum())
        wrong += int((differs & actual).sum())
        for row, column in differs.nonzero()[: 5 - len(examples)].tolist():
            examples.append((start + row, column, float(gap[row, column])))

    rows = reported.numel()
    repeated = rows - int(reported.unique().numel())
    count = printed_count(log_path)
    print(f"colliding by the reference: {expected_count}, of them or near them borderline: "
          f"{borderline_count}")
    print(f"reported: {rows}, printed: {count}")
    print(f"missing: {missing}, wrong: {wrong}, repeated: {repeated}")
    for i, j, gap in examples:
        print(f"  i = {i}, j = {j}: gap {gap:.3e}")
    if missing or wrong or repeated:
        raise Wrong("the reported pairs are not those of the reference")
    if rows != count:
        raise Wrong(f"the program reported {rows} pairs but printed {count}")


CHECKS = {"edm": (check_edm, 2), "collision": (check_collision, 3)}


def main(arguments):
    check, count = CHECKS.get(arguments[0] if arguments else "", (None, 0))
    if check is None or len(arguments) != count + 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        check(*arguments[1:])
    except (Wrong, OSError, ValueError) as error:
        print(f"WRONG: {error}")
        return 1
    print("right")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
