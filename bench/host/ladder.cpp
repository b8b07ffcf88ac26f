// The ladder's rungs on the CPU: sums of squared differences of the rows of two matrices of n x n floats.
//
// usage: ladder N ROUNDS SECONDS INPUT OUTPUT
//
// INPUT has both matrices, OUTPUT gets the sums. Prints the milliseconds of each round, a line each: as many as ROUNDS,
// or fewer where they have taken SECONDS together. With OpenMP, rows are shared by all threads; with SIMD, lanes of a
// vector add up every so many features each, which changes the order of a sum and so is never a compiler's own choice.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void sums(const std::ptrdiff_t n, const float *__restrict__ const a, const float *__restrict__ const b,
                 float *__restrict__ const out)
{
#ifdef _OPENMP
    #pragma omp parallel for schedule(static)
#endif
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        for (std::ptrdiff_t j = 0; j < n; ++j) {
            float sum = 0;
#ifdef SIMD
            #pragma omp simd reduction(+ : sum)
#endif
            for (std::ptrdiff_t k = 0; k < n; ++k) {
                const float d = a[i * n + k] - b[j * n + k];
                sum += d * d;
            }
            out[i * n + j] = sum;
        }
    }
}

static int failed(const char *const action, const char *const path)
{
    std::fprintf(stderr, "cannot %s %s\n", action, path);
    return 1;
}

int main(const int count, const char *const *const words)
{
    if (count != 6)
        return failed("run with other arguments than", "N ROUNDS SECONDS INPUT OUTPUT");
    const std::size_t n = std::strtoul(words[1], nullptr, 10);
    const unsigned long rounds = std::strtoul(words[2], nullptr, 10);
    const double most = std::strtod(words[3], nullptr);
    std::vector<float> values(2 * n * n), out(n * n);
    std::FILE *const input = std::fopen(words[4], "rb");
    if (!input || std::fread(values.data(), sizeof(float), values.size(), input) != values.size())
        return failed("read", words[4]);
    std::fclose(input);

    double spent = 0;
    for (unsigned long round = 0; round < rounds && (round == 0 || spent < most); ++round) {
        const auto start = std::chrono::steady_clock::now();
        sums(static_cast<std::ptrdiff_t>(n), values.data(), values.data() + n * n, out.data());
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        spent += time.count();
        std::printf("%.6f\n", 1e3 * time.count());
    }

    std::FILE *const output = std::fopen(words[5], "wb");
    if (!output || std::fwrite(out.data(), sizeof(float), out.size(), output) != out.size() || std::fclose(output))
        return failed("write", words[5]);
    return 0;
}
