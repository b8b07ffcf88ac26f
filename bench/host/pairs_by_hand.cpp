// Loops over pairs on a CPU by hand: what the generated loops are compared with. Prints the best seconds of each way of a work,
// and what it gives. Distances have two ways, as points lie in memory and with their coordinates apart, because either is faster for
// some n. Of the other works, these are the faster ways.
//
//     pairs_by_hand WORK N ROUNDS
//
// WORK is distances (of points with four coordinates, packed), count or list (spheres that overlap), forces, or nearest (the ten
// nearest others of each point).
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
    long n;
    floats points;
    std::vector<floats> apart;
};

// The same numbers as the benchmark's.
static float number(long k) { return (float)(k * 7919 % 10007) * (1.0f / 10007); }

static input made(long n, long width)
{
    input made{n, floats(n * width), std::vector<floats>(width, floats(n))};
    for (long k = 0; k < n * width; ++k)
        made.points[k] = made.apart[k % width][k / width] = number(k);
    return made;
}

static const long width = 4;

static double distances(const input &of, float *const packed)
{
    const float *const points = of.points.data();
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < of.n; ++i) {
        float *const __restrict__ row = packed + i * (i - 1) / 2;
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
        float *const __restrict__ row = packed + i * (i - 1) / 2;
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

struct pair {
    unsigned int i, j;
};

// Marks the pairs of a row first, in a loop that becomes vector instructions.
static double list(const input &of, float *)
{
    const float *const px = of.apart[0].data(), *const py = of.apart[1].data(), *const pz = of.apart[2].data();
    const float *const radius = of.apart[3].data();
    std::vector<pair> all;
#pragma omp parallel
    {
        std::vector<pair> own;
        std::vector<unsigned char> marks(of.n + 8);
#pragma omp for schedule(dynamic, 16)
        for (long i = 0; i < of.n; ++i) {
            unsigned char *const __restrict__ mark = marks.data();
#pragma omp simd
            for (long j = 0; j < i; ++j) {
                const float x = px[i] - px[j], y = py[i] - py[j], z = pz[i] - pz[j];
                const float reach = scale * (radius[i] + radius[j]);
                mark[j] = x * x + y * y + z * z < reach * reach;
            }
            memset(mark + i, 0, 8);
            for (long j = 0; j < i; j += 8) {
                unsigned long long eight;
                memcpy(&eight, mark + j, 8);
                if (eight == 0)
                    continue;
                for (long k = j; k < j + 8; ++k) {
                    if (mark[k])
                        own.push_back({(unsigned int)i, (unsigned int)k});
                }
            }
        }
#pragma omp critical
        all.insert(all.end(), own.begin(), own.end());
    }
    return all.size();
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

int main(int arguments, char **argument)
{
    if (arguments != 4)
        return 2;
    static const struct {
        const char *name;
        long width;
        bool is_packed;
        std::vector<double (*)(const input &, float *)> ways;
    } works[] = {
        {"distances", 4, true, {distances, distances_apart}},
        {"count", 4, false, {count}},
        {"list", 4, false, {list}},
        {"forces", 3, false, {forces}},
        {"nearest", 3, false, {nearest}},
    };
    const long n = atol(argument[2]), rounds = atol(argument[3]);
    for (const auto &work : works) {
        if (strcmp(work.name, argument[1]) != 0)
            continue;
        const input of = made(n, work.width);
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
