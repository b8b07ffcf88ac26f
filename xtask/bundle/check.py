#!/usr/bin/env python3
"""Checks what the examples computed against a reference of its own, in double precision.

usage: check.py edm POINTS.csv DISTANCES.npy
       check.py collision SPHERES.csv PAIRS.csv LOG
       check.py forces TRAJECTORY.xyz
       check.py cross POINTS.csv NEAREST.csv PAIRS.csv LOG
       check.py similarity METRIC ROWS.npy VALUES.npy LOG
       check.py knn METRIC ROWS.npy NEIGHBOURS.csv LOG

POINTS has a point a row, and SPHERES x, y, z and radius. DISTANCES is packed: the distance of the pair
i > j is in slot i (i - 1) / 2 + j. PAIRS has a header and the columns i and j, i > j. LOG is what the
program printed, its count among it.

TRAJECTORY is extended XYZ with the forces of each frame; its atoms are of carbon. For cross, the points
of even rows are the first set and those of odd rows the second; NEAREST and PAIRS have the columns
i, j, distance.

METRIC is one of similarity's. ROWS is n x features of float64, VALUES packed as DISTANCES is; and
NEIGHBOURS has the columns row, neighbour, value, the nearest first.

The reference is computed from differences, on the GPU if torch has one, some rows at a time; that of
similarity and knn with NumPy. It shares no code and no formula with the project. Where scikit-learn is
installed, its brute force has to find the neighbours of knn, too.
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
try:
    from sklearn.neighbors import NearestNeighbors
except ImportError:
    NearestNeighbors = None

# Single precision: the differences of the inputs, their squares, the sum and the root round.
MAX_RELATIVE_ERROR = 1e-5
# Two spheres whose gap is nearer to zero than this, relative to the radii, may go either way.
BORDERLINE = 1e-6
# The error of a force, relative to the largest one. Positions are rounded to single precision, and the forces of
# neighbours change steeply with them: by 150 kJ/mol/Å² or so, where the largest are 10 kJ/mol/Å or more.
MAX_FORCE_ERROR = 2e-4
# The error of the energy, relative to the energies of all pairs without their signs.
MAX_ENERGY_ERROR = 1e-5
# The scaled radius of a carbon atom.
CARBON = 0.45 * 1.7
# Rounding to single precision changes a number by at most this part of it.
ROUNDING = 2.0**-24
# Of so many rows NumPy searches the neighbours, too.
SAMPLE = 1000
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
    points = numpy.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
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


def printed(path, pattern):
    """What the groups of the pattern stand for in the only line of the program's output that fits it."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.findall(f"^{pattern}$", file.read(), re.MULTILINE)
    if len(found) != 1:
        raise Wrong(f"{path} has {len(found)} lines \"{pattern}\", not one")
    return found[0]


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
    count = int(printed(log_path, r"collisions: (\d+)"))
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


def load_frames(path):
    """The frames of a trajectory: step, potential energy, positions and forces."""
    frames = []
    with open(path, encoding="utf-8") as file:
        while count := file.readline():
            count = int(count)
            properties = dict(word.split("=", 1) for word in file.readline().split())
            if properties["Properties"] != "species:S:1:pos:R:3:forces:R:3":
                raise Wrong(f"{path} has the properties {properties['Properties']}")
            rows = [file.readline().split()[1:] for _ in range(count)]
            numbers = torch.tensor(numpy.array(rows, dtype=numpy.float64), device=DEVICE)
            frame = int(properties["step"]), float(properties["potential"])
            frames.append((*frame, numbers[:, 0:3], numbers[:, 3:6]))
    return frames


def pair_forces(distances):
    """The energies of pairs at these distances, and their forces divided by the distances."""
    # In kJ/mol and ångström: the well is 1 kJ/mol deep, where the spheres touch and (r / sigma)^6 is 1.9.
    sigma = 2 * CARBON / 1.9 ** (1 / 6)
    softened = 0.1 + (distances / sigma) ** 6
    energies = 4 * (softened**-2 - 1 / softened)
    slopes = 4 * (softened**-2 - 2 * softened**-3) * 6 * distances**4 / sigma**6
    return energies, -slopes


def check_forces(trajectory_path):
    frames = load_frames(trajectory_path)
    found = [frame[0] for frame in frames]
    if found != [0, 10]:
        raise Wrong(f"the frames are of the steps {found}, not 0 and 10")
    for step, potential, positions, forces in frames:
        n = positions.shape[0]
        print(f"step {step}: {n} atoms, {n * (n - 1) // 2} pairs, on {DEVICE}")
        expected = torch.zeros_like(forces)
        energy = size = 0.0
        for start, end in row_chunks(n):
            apart = positions[start:end, None] - positions[None]
            distances = apart.square().sum(dim=2).sqrt_()
            energies, factors = pair_forces(distances)
            itself = torch.arange(start, end, device=DEVICE)
            energies[itself - start, itself] = 0
            factors[itself - start, itself] = 0
            expected[start:end] = torch.einsum("ij,ijk->ik", factors, apart)
            # Each pair is visited from both of its ends.
            energy += 0.5 * float(energies.sum())
            size += 0.5 * float(energies.abs().sum())
        largest = float(expected.norm(dim=1).max())
        error = float((forces - expected).norm(dim=1).max()) / largest
        energy_error = abs(potential - energy) / size
        print(f"largest error of a force: {error:.3e} of the largest (limit {MAX_FORCE_ERROR:.0e})")
        print(f"potential energy: {potential}, expected {energy}")
        print(f"its error: {energy_error:.3e} of all pairs' (limit {MAX_ENERGY_ERROR:.0e})")
        # A comparison with what is no number is false.
        if not error <= MAX_FORCE_ERROR:
            raise Wrong(f"a force is off by {error:.3e} of the largest")
        if not energy_error <= MAX_ENERGY_ERROR:
            raise Wrong(f"the energy is off by {energy_error:.3e}")


def load_neighbours(path, header):
    with open(path, encoding="utf-8") as file:
        if file.readline().strip() != header:
            raise Wrong(f"{path} has not the columns {header}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*no data")
        rows = numpy.loadtxt(path, delimiter=",", skiprows=1, ndmin=2).reshape(-1, 3)
    return rows[:, 0:2].astype(numpy.int64), rows[:, 2].astype(numpy.float32)


def check_cross(points_path, nearest_path, pairs_path, log_path):
    points = load_points(points_path)
    rows, columns = points[0::2], points[1::2]
    nearest, nearest_distances = load_neighbours(nearest_path, "i,j,distance")
    pairs, pair_distances = load_neighbours(pairs_path, "i,j,distance")
    shape = rows.shape[0], columns.shape[0]
    print(f"{shape[0]} x {shape[1]} points of {rows.shape[1]} features, on {DEVICE}")
    if (nearest[:, 0] != numpy.arange(shape[0])).any():
        raise Wrong(f"{nearest_path} has not each row once, in order")
    radius, count = printed(log_path, r"pairs within (\S+): (\d+)")
    radius = float(radius)

    def relative(found, expected):
        error = (torch.from_numpy(found).to(DEVICE, torch.float64) - expected).abs_()
        return float(torch.where(error == 0, error, error / expected).max()) if len(found) else 0.0

    worst, checked, borderline = 0.0, 0, 0
    height = max(1, CHUNK // max(1, shape[1]))
    for start in range(0, shape[0], height):
        end = min(start + height, shape[0])
        total = torch.zeros((end - start, shape[1]), dtype=torch.float64, device=DEVICE)
        for feature in range(rows.shape[1]):
            total += (rows[start:end, feature, None] - columns[None, :, feature]).square_()
        expected = total.sqrt_()
        # The one that was found is as near as the nearest one.
        least = expected.min(dim=1).values
        own = torch.from_numpy(nearest[start:end, 1]).to(DEVICE)
        worst = max(worst, relative(nearest_distances[start:end], least))
        farther = expected.gather(1, own[:, None])[:, 0] - least
        if not float((farther / least.clamp(min=1e-30)).max()) <= MAX_RELATIVE_ERROR:
            raise Wrong(f"in the rows from {start}, a nearer point was not found")
        here = (pairs[:, 0] >= start) & (pairs[:, 0] < end)
        i, j = (torch.from_numpy(pairs[here, at]).to(DEVICE) for at in (0, 1))
        worst = max(worst, relative(pair_distances[here], expected[i - start, j]))
        found = torch.zeros_like(expected, dtype=torch.bool)
        found[i - start, j] = True
        sure = (expected - radius).abs() > MAX_RELATIVE_ERROR * radius
        borderline += int((~sure).sum())
        if ((found != (expected <= radius)) & sure).any():
            raise Wrong(f"in the rows from {start}, the pairs are not those within {radius}")
        checked += int(found.sum())
    print(f"largest relative error: {worst:.3e} (limit {MAX_RELATIVE_ERROR:.0e})")
    print(f"pairs within {radius}: {checked}, reported: {len(pairs)}, printed: {count}, borderline: {borderline}")
    if not worst <= MAX_RELATIVE_ERROR:
        raise Wrong(f"a distance is off by {worst:.3e} of its value")
    if not checked == len(pairs) == int(count):
        raise Wrong("there are other numbers of pairs")


SIMILARITIES = "cosine", "correlation"


def similarities(metric, others, row):
    """The values of a row with others, and how much those of the kernel may differ.

    Each term of a sum is rounded once or twice, and each addition rounds once."""
    features = others.shape[1]
    share = (features + 4) * ROUNDING
    if metric in ("cosine", "correlation"):
        # Terms may have both signs: relative to the product of the norms, which is 1, they add up to no more than that.
        values = others @ row
        return values, numpy.full(len(others), share + 4 * ROUNDING)
    differences = others - row
    if metric == "hamming":
        # Both counts are exact, and their quotient is rounded once.
        values = numpy.count_nonzero(differences, axis=1) / features
        return values, values * ROUNDING
    if metric == "manhattan":
        values = numpy.abs(differences).sum(axis=1)
        return values, values * share
    distances = numpy.sqrt(numpy.einsum("jk,jk->j", differences, differences))
    return distances, distances * share


def as_seen(metric, rows):
    """The rows as the values of a metric follow from them."""
    if metric == "correlation":
        rows = rows - rows.mean(axis=1, keepdims=True)
    if metric in ("cosine", "correlation"):
        rows = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
        if not numpy.isfinite(rows).all():
            raise Wrong("there are rows without a direction")
    elif metric != "hamming":
        # The kernel sees rounded features, and rounding them is no part of what is checked.
        rows = rows.astype(numpy.float32).astype(numpy.float64)
    return rows


def check_similarity(metric, rows_path, values_path, log_path):
    rows = numpy.load(rows_path)
    values = numpy.load(values_path)
    if rows.ndim != 2 or rows.dtype != numpy.float64 or not numpy.isfinite(rows).all():
        raise Wrong(f"{rows_path} holds {rows.dtype} of shape {rows.shape}, or what is not finite")
    n, features = rows.shape
    if values.shape != (n * (n - 1) // 2,) or values.dtype != numpy.float32:
        raise Wrong(f"{values_path} holds {values.dtype} of shape {values.shape}")
    print(f"{metric}: {n} rows of {features} features, {values.size} values, with NumPy")
    rows = as_seen(metric, rows)

    # The largest error, as a part of what it may be.
    worst, at = 0.0, None
    for i in range(1, n):
        first = i * (i - 1) // 2
        expected, bound = similarities(metric, rows[:i], rows[i])
        error = numpy.abs(values[first : first + i] - expected)
        # What is no number, and any error where there may be none, is infinitely wrong.
        part = numpy.full(i, numpy.inf)
        numpy.divide(error, bound, out=part, where=bound > 0)
        part[error == 0] = 0
        part[numpy.isnan(error)] = numpy.inf
        j = int(part.argmax())
        if part[j] > worst:
            worst, at = float(part[j]), (i, j, float(values[first + j]), float(expected[j]))
    print(f"largest error: {worst:.3f} of what rounding explains")
    if at is not None:
        i, j, found, expected = at
        print(f"  at i = {i}, j = {j}: {found!r}, expected {expected!r}")
    if worst > 1:
        raise Wrong(f"a value is off by {worst:.3f} times its bound")

    # What is printed has to agree with the values exactly. The sort is stable: of equal ones the first comes first.
    order = numpy.argsort(-values if metric in SIMILARITIES else values, kind="stable")
    name = "most alike"
    with open(log_path, encoding="utf-8", errors="replace") as file:
        pairs = re.findall(rf"^{name}: (\S+) \(i = (\d+), j = (\d+)\)", file.read(), re.MULTILINE)
    count = int(printed(log_path, r"pairs: (\d+)"))
    print(f"pairs: {values.size}, printed: {count}, {len(pairs)} of them by name")
    if count != values.size or not pairs:
        raise Wrong("the program printed another number of pairs")
    for slot, (value, i, j) in zip(order, pairs):
        if int(i) * (int(i) - 1) // 2 + int(j) != slot or numpy.float32(value) != values[slot]:
            raise Wrong(f"{name}: {value} (i = {i}, j = {j}) is not in its place")
    mean, expected = float(printed(log_path, r"mean of all pairs: (\S+)")), values.mean(dtype="f8")
    if not abs(mean - expected) <= 1e-6 * max(abs(expected), 1e-3):
        raise Wrong(f"the mean is {expected}, and not {mean}")


def check_knn(metric, rows_path, neighbours_path, log_path):
    rows = numpy.load(rows_path)
    if rows.ndim != 2 or rows.dtype != numpy.float64 or not numpy.isfinite(rows).all():
        raise Wrong(f"{rows_path} holds {rows.dtype} of shape {rows.shape}, or what is not finite")
    n, features = rows.shape
    pairs, values = load_neighbours(neighbours_path, "row,neighbour,value")
    count = len(pairs) // n
    if len(pairs) != n * count or (pairs[:, 0] != numpy.repeat(numpy.arange(n), count)).any():
        raise Wrong(f"{neighbours_path} has not as many neighbours of each row, in order")
    indices, values = pairs[:, 1].reshape(n, count), values.reshape(n, count)
    print(f"{metric}: {n} rows of {features} features, {count} neighbours of each, with NumPy")
    if indices.min() < 0 or indices.max() >= n:
        raise Wrong("a neighbour is no row")
    if (indices == numpy.arange(n)[:, None]).any():
        raise Wrong("a row is its own neighbour")
    if (numpy.diff(numpy.sort(indices, axis=1), axis=1) == 0).any():
        raise Wrong("a row has a neighbour twice")
    # Less is nearer; of equal values the smaller index comes first, but for roots of squares that were not equal.
    sign = -1 if metric in SIMILARITIES else 1
    steps = numpy.diff(sign * values, axis=1)
    ascend = (numpy.diff(indices, axis=1) > 0) | (metric == "euclidean")
    if not ((steps > 0) | ((steps == 0) & ascend)).all():
        raise Wrong("the neighbours of a row are not in order")

    rows = as_seen(metric, rows)
    # The largest error, as a part of what it may be.
    worst = 0.0
    chosen = numpy.unique(numpy.linspace(0, n - 1, min(n, SAMPLE)).astype(int))
    for i in chosen:
        expected, bound = similarities(metric, rows, rows[i])
        found = indices[i]
        error = numpy.abs(values[i] - expected[found])
        if (error > bound[found]).any() or numpy.isnan(error).any():
            raise Wrong(f"row {i}: {values[i]!r} are not {expected[found]!r}")
        part = numpy.divide(error, bound[found], out=numpy.zeros(count), where=bound[found] > 0)
        worst = max(worst, float(part.max()))
        left_out = numpy.ones(n, dtype=bool)
        left_out[found] = left_out[i] = False
        nearer = left_out & (sign * expected + bound < sign * values[i, -1])
        if nearer.any():
            raise Wrong(f"row {i}: {int(nearer.argmax())} is nearer than {int(found[-1])}")
    print(f"rows searched again: {len(chosen)}, largest error: {worst:.3f} of what rounding explains")
    recall = float(printed(log_path, r"recall: (\S+) \(.*"))
    print(f"recall as printed: {recall}")
    if recall != 1:
        missed = r"misses within single-precision rounding: (\d+) of (\d+)"
        within, missed = printed(log_path, missed)
        print(f"misses: {missed}, within rounding: {within}")
        if within != missed:
            raise Wrong("the program did not find what it searched again")
    if NearestNeighbors is None:
        print("scikit-learn is not installed, and so not asked")
        return
    search = NearestNeighbors(n_neighbors=count, algorithm="brute", metric=metric)
    distances, others = search.fit(rows).kneighbors()
    # Its distances of similarities are one minus them.
    expected = 1 - distances if sign < 0 else distances
    share = (features + 4) * ROUNDING
    bound = 2 * (share + 4 * ROUNDING) if sign < 0 else 2 * share * expected
    bound = numpy.broadcast_to(bound, expected.shape)
    apart = numpy.abs(values - expected) > bound
    # Where it has another row in a place, ours has to be as near as that.
    differ = indices != others
    for i in numpy.flatnonzero(differ.any(axis=1)):
        at = numpy.flatnonzero(differ[i])
        own, _ = similarities(metric, rows[indices[i, at]], rows[i])
        apart[i, at] |= numpy.abs(own - expected[i, at]) > bound[i, at]
    print(
        f"scikit-learn: {indices.size - int(differ.sum())} of {indices.size} neighbours are the same in the same"
        f" place, {int((differ & ~apart).sum())} others are as near but for rounding, {int(apart.sum())} are not"
    )
    if apart.any():
        raise Wrong("scikit-learn finds nearer neighbours")


CHECKS = {
    "edm": (check_edm, 2),
    "collision": (check_collision, 3),
    "forces": (check_forces, 1),
    "cross": (check_cross, 4),
    "similarity": (check_similarity, 4),
    "knn": (check_knn, 4),
}


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
