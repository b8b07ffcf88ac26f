#!/usr/bin/env bash
# Runs what `cargo xtask bundle` built, on a machine with an NVIDIA driver, NVRTC and Python with
# numpy and torch. Every step runs, whatever failed before it; the table at the end shows the results.
#
# usage: run.sh [OUTPUT FOLDER]     (default: out, beside this script)
#
# Each step's output is also in the output folder, as STEP.log, and the table as summary.txt,
# which grows step by step, so that a run that is cut short leaves its results so far.
# PYTHON names another Python than python3, and COMMIT the commit that the bundle was built from.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
mkdir -p "${1:-$here/out}" || exit 1
out=$(cd "${1:-$here/out}" && pwd) || exit 1
cd "$here" || exit 1

python=${PYTHON:-python3}
summary=$out/summary.txt
failures=0
: >"$summary"

# row STEP RESULT SECONDS
row() {
    printf '%-28s  %-7s  %7s\n' "$1" "$2" "$3" >>"$summary"
}

# step NAME COMMAND...: shows the command, runs it, keeps its output and notes how it ended.
step() {
    local name=$1 start=$SECONDS status
    shift
    printf '\n== %s\n$ %s\n' "$name" "$*"
    "$@" 2>&1 | tee "$out/${name// /-}.log"
    status=${PIPESTATUS[0]}
    if [ "$status" -eq 0 ]; then
        row "$name" ok $((SECONDS - start))
    else
        printf '%s: FAILED with status %s\n' "$name" "$status"
        row "$name" FAILED $((SECONDS - start))
        failures=$((failures + 1))
    fi
    return "$status"
}

# skip NAME REASON
skip() {
    printf '\n== %s\nskipped: %s\n' "$1" "$2"
    row "$1" skipped 0
}

row step result seconds

step unpack tar -xzf executables.tar.gz || exit 1

# Hundreds of kernels: the checkers reuse what the tests have compiled.
TD_KERNEL_CACHE=$(mktemp -d) || exit 1
export TD_KERNEL_CACHE
trap 'rm -rf "$TD_KERNEL_CACHE"' EXIT

tests=(./gpu --nocapture --test-threads=1)
step tests ./gpu --nocapture --test-threads=4
if [ "$(nvidia-smi --list-gpus | wc -l)" -ge 2 ]; then
    step 'tests of two GPUs' ./gpu --nocapture --ignored
else
    skip 'tests of two GPUs' 'there is one'
fi

# An example's result of an earlier run must not be taken for this run's.
points=$out/points.npy distances=$out/distances.npy
spheres=$out/spheres.npy pairs=$out/pairs.csv
trajectory=$out/trajectory.xyz
rows=$out/rows.npy columns=$out/columns.npy nearest=$out/nearest.csv matrix=$out/matrix.npy close=$out/close.csv
rm -f "$points" "$distances" "$spheres" "$pairs" "$trajectory"
rm -f "$rows" "$columns" "$nearest" "$matrix" "$close"
many=(--device cuda --random 30720 --seed 1)

if step edm ./edm "${many[@]}" --layout packed --output "$distances" --save-input "$points"; then
    step 'check edm' "$python" check.py edm "$points" "$distances"
else
    skip 'check edm' 'edm failed'
fi
# 1.9 GB, which need not be copied back.
rm -f "$distances"

if step collision ./collision "${many[@]}" --output "$pairs" --save-input "$spheres"; then
    step 'check collision' "$python" check.py collision "$spheres" "$pairs" "$out/collision.log"
else
    skip 'check collision' 'collision failed'
fi

# Forces of both laws, at the start and after some steps; and the atoms of the protein for longer.
for law in lennard-jones gravity; do
    rm -f "$trajectory"
    if step "forces $law" ./forces "${many[@]}" --law "$law" --steps 20 --every 20 --output "$trajectory"; then
        step "check forces $law" "$python" check.py forces "$law" "$trajectory" "$out/forces-$law.log"
    else
        skip "check forces $law" 'forces failed'
    fi
done
rm -f "$trajectory"
step 'forces protein' ./forces --device cuda --steps 2000

if step cross ./cross --device cuda --random 30720 20011 --seed 1 --save-input "$rows" "$columns" \
    --output "$nearest" --matrix "$matrix" --within 0.05 --pairs "$close"; then
    step 'check cross' "$python" check.py cross "$rows" "$columns" "$nearest" "$matrix" "$close" "$out/cross.log"
else
    skip 'check cross' 'cross failed'
fi
# 2.5 GB, which need not be copied back.
rm -f "$matrix"

# Every metric, on rows of which some features are alike; their width is no multiple of four.
values=$out/values.npy
if step 'rows of similarity' "$python" -c "import numpy, sys
rows = numpy.random.default_rng(1).normal(size=(5000, 301)).round(1)
numpy.save(sys.argv[1], rows)" "$rows"; then
    for metric in euclidean squared manhattan cosine correlation hamming rbf; do
        rm -f "$values"
        if step "similarity $metric" ./similarity --device cuda --input "$rows" --metric "$metric" --top 100 \
            --output "$values" --layout packed; then
            step "check similarity $metric" "$python" check.py similarity "$metric" "$rows" "$values" \
                "$out/similarity-$metric.log"
        else
            skip "check similarity $metric" 'similarity failed'
        fi
    done
    # The neighbours of the same rows; the kernel keeps more than these.
    near=$out/near
    for metric in euclidean squared manhattan cosine correlation hamming; do
        rm -f "$near"-*.npy
        if step "knn $metric" ./knn --device cuda --input "$rows" --metric "$metric" --k 20 --output "$near"; then
            step "check knn $metric" "$python" check.py knn "$metric" "$rows" "$near-indices.npy" \
                "$near-values.npy" "$out/knn-$metric.log"
        else
            skip "check knn $metric" 'knn failed'
        fi
    done
    rm -f "$near"-*.npy
else
    skip 'similarity' 'there are no rows'
fi
rm -f "$rows" "$values"

# The figures are judged even where a step of the measurement failed: the file grows row by row.
targets=$out/targets.json
rm -f "$targets"
step targets ./td-bench targets --python "$python" ${COMMIT:+--commit "$COMMIT"} --output "$targets"
if [ -f "$targets" ]; then
    step 'check targets' ./td-bench targets --from "$targets"
else
    skip 'check targets' 'targets measured nothing'
fi

# The papers' experiments, the limits, the peers, and the plots: some minutes. Figures of an earlier
# run must not be reused.
report=$out/report
rm -f "$report/figures.json"
step report ./td-bench all --quick --python "$python" ${COMMIT:+--commit "$COMMIT"} --output "$report"
if [ -f "$report/tables.md" ]; then
    step 'check report' ./td-bench report --from "$report" --check
else
    skip 'check report' 'the report measured nothing'
fi

# The checkers are slow, so they see the small tests and the examples' own small data.
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck initcheck synccheck; do
        step "$tool tests" compute-sanitizer --tool "$tool" --error-exitcode 9 "${tests[@]}" small
    done
    # The racecheck of CUDA 13.0 was seen to hang where threads launch on several streams after many kernels: each such
    # test has a process of its own.
    racecheck=(compute-sanitizer --tool racecheck --error-exitcode 9)
    step 'racecheck tests' "${racecheck[@]}" "${tests[@]}" --skip sharing small
    for test in small_threads_share_a_kernel small_streams_wait_for_each_other; do
        step "racecheck $test" "${racecheck[@]}" "${tests[@]}" --exact "sharing::$test"
    done
    memcheck=(compute-sanitizer --tool memcheck --error-exitcode 9)
    # The device is given explicitly: a fallback to the CPU would leave nothing to check.
    step 'memcheck edm' "${memcheck[@]}" ./edm --device cuda
    step 'memcheck collision' "${memcheck[@]}" ./collision --device cuda
    for law in lennard-jones gravity; do
        step "memcheck forces $law" "${memcheck[@]}" ./forces --device cuda --law "$law" --steps 3
    done
    step 'memcheck similarity' "${memcheck[@]}" ./similarity --device cuda
    step 'memcheck knn' "${memcheck[@]}" ./knn --device cuda
    step 'memcheck cross' "${memcheck[@]}" ./cross --device cuda --within 1 --matrix "$matrix"
    rm -f "$matrix"
else
    skip 'the four checkers' 'compute-sanitizer is not on PATH'
fi

printf '\n'
cat "$summary"
[ "$failures" -eq 0 ]
