// Euclidean distances of rows of features, packed, on a CPU by hand: what the generated loops are compared with. In blocks, with
// vectors written out. Prints the best seconds, and the sum of the distances.
//
//     fold_by_hand N WIDTH ROUNDS
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <vector>

typedef float vector __attribute__((vector_size(32)));

// The rows that share a panel, the columns of a panel, and the rows whose sums stay in registers.
static const long strip = 128, columns = 32, rows = 4, lanes = 8, vectors = columns / lanes;

static float *distances_of_row(float *packed, long i) { return packed + i * (i - 1) / 2; }

static void blocked(const float *points, long n, long width, float *packed)
{
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
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    const long n = atol(arguments[1]), width = atol(arguments[2]), rounds = atol(arguments[3]);
    std::vector<float> points(n * width), packed(n * (n - 1) / 2);
    for (long k = 0; k < n * width; ++k)
        points[k] = (float)(k * 7919 % 101) * 0.25f;
    double best = INFINITY, sum = 0;
    // The first round touches the memory.
    for (long round = 0; round <= rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        blocked(points.data(), n, width, packed.data());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (round > 0)
            best = std::min(best, took.count());
    }
    for (const float each : packed)
        sum += each;
    printf("%.9f %.9e\n", best, sum);
}
