// The values that a pair adds to its two elements: i of the row, j of the column.
template <typename Sum>
struct td_ends {
    Sum i;
    Sum j;
};
