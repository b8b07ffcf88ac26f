// Loops over pairs on a CPU by hand: what the generated loops are compared with. Prints the best seconds of each way of a work,
// and what it gives. Distances have two ways, as points lie in memory and with their coordinates apart, because either is faster for
// some n. Of the other works, these are the faster ways.
//
//     pairs_by_hand WORK N WIDTH ROUNDS
//
// WORK is distances (of points with four coordinates, packed), count (spheres that overlap), forces, nearest (the ten nearest others
// of each point), or folds (distances of rows with WIDTH features, packed).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

typedef std::vector<float> floats;

// Coordinate d of point k lies at points[k * width + d], and at apart[d][k].
struct input {
    long n, width;
    floats points;
    std::vector<floats> apart;
};

// The same numbers as the benchmark's.
static float number(long k) { return (float)(k * 7919 % 10007) * (1.0f / 10007); }

static input made(long n, long width)
{
    input made{n, width, floats(n * width), std::vector<floats>(width, floats(n))};
    for (long k = 0; k < n * width; ++k)
        made.points[k] = made.apart[k % width][k / width] = number(k);
    return made;
}

static float *distances_of_row(float *packed, long i) { return packed + i * (i - 1) / 2; }

static const long width = 4;

static double distances(const input &of, float *const packed)
{
    const float *const points = of.points.data();
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < of.n; ++i) {
        float *const __restrict__ row = distances_of_row(packed, i);
        for (long j = 0; j < i; ++j) {
            float sum = 0;
            for (long d = 0; d < width; ++d) {
                const float difference = points[i * width + d] - points[j * width + d];
                sum += difference * difference;
            }
            row[j] = sqrtf(sum);
        }
    }
    return 0;
}

static double distances_apart(const input &of, float *const packed)
{
    const float *apart[width];
    for (long d = 0; d < width; ++d)
        apart[d] = of.apart[d].data();
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < of.n; ++i) {
        float *const __restrict__ row = distances_of_row(packed, i);
#pragma omp simd
        for (long j = 0; j < i; ++j) {
            float sum = 0;
            for (long d = 0; d < width; ++d) {
                const float difference = apart[d][i] - apart[d][j];
                sum += difference * difference;
            }
            row[j] = sqrtf(sum);
        }
    }
    return 0;
}

// Spheres: three coordinates and a radius, here for simplicity a twentieth of the fourth number.
static const float scale = 0.05f;

static double count(const input &of, float *)
{
    const float *const p = of.points.data();
    long found = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : found)
    for (long i = 0; i < of.n; ++i) {
        unsigned int own = 0;
        for (long j = 0; j < i; ++j) {
            const float x = p[4 * i] - p[4 * j], y = p[4 * i + 1] - p[4 * j + 1], z = p[4 * i + 2] - p[4 * j + 2];
            const float reach = scale * (p[4 * i + 3] + p[4 * j + 3]);
            own += x * x + y * y + z * z < reach * reach;
        }
        found += own;
    }
    return found;
}

// Points that repel each other by the inverse square of their distance: three coordinates. What is left of a point's own
// term is nothing, because the softening keeps the distance from 0.
static const float softening = 0.001f;

// Each pair twice, and a row's forces alone: halving the pairs takes longer.
static double forces(const input &of, float *const total)
{
    const long n = of.n;
    const float *const px = of.apart[0].data(), *const py = of.apart[1].data(), *const pz = of.apart[2].data();
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < n; ++i) {
        float sx = 0, sy = 0, sz = 0;
#pragma omp simd reduction(+ : sx, sy, sz)
        for (long j = 0; j < n; ++j) {
            const float x = px[i] - px[j], y = py[i] - py[j], z = pz[i] - pz[j];
            const float square = x * x + y * y + z * z + softening;
            const float force = 1 / (square * sqrtf(square));
            sx += force * x, sy += force * y, sz += force * z;
        }
        total[i] = sx, total[n + i] = sy, total[2 * n + i] = sz;
    }
    double sum = 0;
    for (long k = 0; k < 3 * n; ++k)
        sum += fabs(total[k]);
    return sum;
}

// The nearest of a point, sorted: squares of distances. Adds them up.
static const int neighbours = 10;

struct nearest_of_one {
    float squares[neighbours];

    nearest_of_one() { std::fill_n(squares, neighbours, INFINITY); }

    void offer(const float square)
    {
        if (!(square < squares[neighbours - 1]))
            return;
        int place = neighbours - 1;
        for (; place > 0 && squares[place - 1] > square; --place)
            squares[place] = squares[place - 1];
        squares[place] = square;
    }

    double sum() const
    {
        double sum = 0;
        for (const float square : squares)
            sum += square;
        return sum;
    }
};

// The squares of a row first, in a loop that becomes vector instructions.
static double nearest(const input &of, float *)
{
    const float *const px = of.apart[0].data(), *const py = of.apart[1].data(), *const pz = of.apart[2].data();
    double sum = 0;
#pragma omp parallel
    {
        floats row(of.n);
        float *const __restrict__ squares = row.data();
#pragma omp for schedule(dynamic, 16) reduction(+ : sum)
        for (long i = 0; i < of.n; ++i) {
            nearest_of_one own;
#pragma omp simd
            for (long j = 0; j < of.n; ++j) {
                const float x = px[i] - px[j], y = py[i] - py[j], z = pz[i] - pz[j];
                squares[j] = x * x + y * y + z * z;
            }
            squares[i] = INFINITY;
            for (long j = 0; j < of.n; ++j)
                own.offer(squares[j]);
            sum += own.sum();
        }
    }
    return sum;
}

// In blocks, with vectors written out.
typedef float vector __attribute__((vector_size(32)));

// The rows that share a panel, the columns of a panel, and the rows whose sums stay in registers.
static const long strip = 128, columns = 32, rows = 4, lanes = 8, vectors = columns / lanes;

static double folds(const input &of, float *const packed)
{
    const long n = of.n, width = of.width;
    const float *const points = of.points.data();
#pragma omp parallel
    {
        std::vector<vector> panel(width * vectors);
#pragma omp for schedule(dynamic)
        for (long part = 0; part < (n + strip - 1) / strip; ++part) {
            const long stop = n - part * strip, start = std::max(stop - strip, 0l);
            for (long begin = 0; begin < stop - 1; begin += columns) {
                for (long k = 0; k < width; ++k)
                    for (long c = 0; c < columns; ++c)
                        ((float *)&panel[k * vectors])[c] = points[std::min(begin + c, n - 1) * width + k];
                for (long row = std::max(start, begin); row < stop; row += rows) {
                    vector sums[rows][vectors] = {};
                    const float *of_row[rows];
                    for (long r = 0; r < rows; ++r)
                        of_row[r] = points + std::min(row + r, n - 1) * width;
                    for (long k = 0; k < width; ++k) {
#pragma GCC unroll 4
                        for (long r = 0; r < rows; ++r) {
#pragma GCC unroll 4
                            for (long v = 0; v < vectors; ++v) {
                                const vector difference = of_row[r][k] - panel[k * vectors + v];
                                sums[r][v] += difference * difference;
                            }
                        }
                    }
                    for (long r = 0; r < std::min(rows, stop - row); ++r)
                        for (long j = begin; j < std::min(row + r, begin + columns); ++j)
                            distances_of_row(packed, row + r)[j] = sqrtf(((float *)sums[r])[j - begin]);
                }
            }
        }
    }
    return 0;
}

int main(int arguments, char **argument)
{
    if (arguments != 5)
        return 2;
    static const struct {
        const char *name;
        bool is_packed;
        std::vector<double (*)(const input &, float *)> ways;
    } works[] = {
        {"distances", true, {distances, distances_apart}},
        {"count", false, {count}},
        {"forces", false, {forces}},
        {"nearest", false, {nearest}},
        {"folds", true, {folds}},
    };
    const long n = atol(argument[2]), rounds = atol(argument[4]);
    for (const auto &work : works) {
        if (strcmp(work.name, argument[1]) != 0)
            continue;
        const input of = made(n, atol(argument[3]));
        floats out(work.is_packed ? n * (n - 1) / 2 : 3 * n);
        for (const auto way : work.ways) {
            double best = INFINITY, result = 0;
            // The first round touches the memory.
            for (long round = 0; round <= rounds; ++round) {
                const auto begin = std::chrono::steady_clock::now();
                result = way(of, out.data());
                const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
                if (round > 0)
                    best = std::min(best, took.count());
            }
            if (work.is_packed) {
                for (const float each : out)
                    result += each;
            }
            printf("%.9f %.9e\n", best, result);
        }
        return 0;
    }
    return 2;
}
