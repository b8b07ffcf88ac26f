"""SciPy's k-d trees on the CPU, for the works of near tiles: pairs within a radius are counted, and the ten nearest others of each
point are found. Checked on few points against all pairs, and timed with the tree's construction, on all cores.
"""

import faulthandler
import json
import statistics
import sys
import time

import numpy as np
import scipy
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist, squareform

faulthandler.dump_traceback_later(180, exit=True)

# The neighbours of a point within the radius, on average, as in `near.rs`.
NEIGHBOURS = 30
K = 10


def radius(n):
    return (3 * NEIGHBOURS / (4 * np.pi * n)) ** (1 / 3)


def counted(p):
    return (int(cKDTree(p).query_ball_point(p, radius(len(p)), workers=-1, return_length=True).sum()) - len(p)) // 2


def counted_by_both_trees(p):
    tree = cKDTree(p)
    return (int(tree.count_neighbors(tree, radius(len(p)))) - len(p)) // 2


def nearest(p):
    return cKDTree(p).query(p, K + 1, workers=-1)[0][:, 1:]


def check(p):
    distances = pdist(p)
    assert counted(p) == counted_by_both_trees(p) == np.count_nonzero(distances <= radius(len(p))) > 0
    assert np.allclose(nearest(p), np.sort(squareform(distances))[:, 1 : K + 1])


def points(n):
    return np.random.default_rng(1).random((n, 3))


def milliseconds(run, p):
    start = time.perf_counter()
    run(p)
    return 1e3 * (time.perf_counter() - start)


if __name__ == "__main__":
    step = json.loads(sys.argv[1])
    check(points(500))
    p = points(step["n"])
    fastest, times = min(
        ((run, sorted(milliseconds(run, p) for _ in range(step["rounds"])))
         for run in {"count": [counted, counted_by_both_trees], "nearest": [nearest]}[step["work"]]),
        key=lambda each: each[1],
    )
    print(json.dumps({
        "outcome": "right",
        "ms": [statistics.median_high(times), times[0], times[-1]],
        "variant": fastest.__name__.replace("_", " "),
        "versions": {"SciPy": scipy.__version__},
    }))
