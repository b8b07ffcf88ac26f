// The two elements of a pair: i of the row, j of the column.
template <typename T>
struct td_each {
    const T &i;
    const T &j;
};
