// All steps as the host launches them, but for the products, over rows of small whole numbers, whose squared distances are
// exact; and a search by sorting. Some rows are alike.
static int test(unsigned int n, unsigned int features, unsigned int k, unsigned int side, unsigned int threads,
                unsigned int rows_of_block)
{
    for (unsigned int warp = 0; warp < threads / 32; ++warp)
        warps.push_back(std::make_unique<std::barrier<>>(32));
    std::vector<float> a(n * features);
    unsigned int state = 1;
    for (float &value : a)
        value = float((state = state * 1664525 + 1013904223) >> 29);
    for (unsigned int i = 10; i < n; i += 10)
        std::copy_n(&a[(i - 10) * features], features, &a[i * features]);

    const auto squared = [&](unsigned int i, unsigned int j) {
        float sum = 0;
        for (unsigned int f = 0; f < features; ++f)
            sum += (a[i * features + f] - a[j * features + f]) * (a[i * features + f] - a[j * features + f]);
        return sum;
    };
    std::vector<float> norms(n), values(side * side);
    std::vector<unsigned long long> scratch(2 * side * side), more(side * k), best(n * k, ~0ull);
    const auto launch = [&](Place grid, auto kernel, auto... arguments) {
        run(grid, Place{threads, 1}, kernel, arguments...);
    };
    launch({n, 1}, nearest_norms, features, (const float *)a.data(), norms.data());
    for (unsigned int row = 0; row < n; row += side)
        for (unsigned int column = 0; column <= row; column += side) {
            const unsigned int rows = std::min(side, n - row), columns = std::min(side, n - column);
            for (unsigned int i = 0; i < rows; ++i)
                for (unsigned int j = 0; j < columns; ++j) {
                    float dot = 0;
                    for (unsigned int f = 0; f < features; ++f)
                        dot += a[(row + i) * features + f] * a[(column + j) * features + f];
                    values[i * columns + j] = dot;
                }
            launch({(columns + threads - 1) / threads, (rows + rows_of_block - 1) / rows_of_block}, nearest_summation,
                   rows, columns, (const float *)&norms[row], (const float *)&norms[column], values.data());
            for (unsigned int i = 0; i < rows; ++i)
                for (unsigned int j = 0; j < columns; ++j)
                    if (values[i * columns + j] != squared(row + i, column + j))
                        return wrong("another distance", values[i * columns + j]);
            for (unsigned int turned = 0; turned < (row == column ? 1 : 2); ++turned) {
                const unsigned int lines = turned ? columns : rows, first = turned ? column : row;
                launch({lines, 1}, nearest_select, turned ? rows : columns, k, turned ? 1u : columns,
                       turned ? columns : 1u, first, turned ? row : column, (const float *)values.data(),
                       scratch.data(), more.data());
                launch({lines, 1}, nearest_merge, k, (const unsigned long long *)more.data(), &best[first * k]);
            }
        }

    for (unsigned int i = 0; i < n; ++i) {
        std::vector<std::pair<float, unsigned int>> expected;
        for (unsigned int j = 0; j < n; ++j)
            if (j != i)
                expected.push_back({squared(i, j), j});
        std::sort(expected.begin(), expected.end());
        for (unsigned int at = 0; at < k; ++at) {
            const unsigned long long found = best[i * k + at];
            const bool is_there = at < expected.size();
            if (found != (is_there ? key(expected[at].first, expected[at].second) : ~0ull))
                return wrong("another neighbour of row", i);
        }
    }
    return 0;
}
