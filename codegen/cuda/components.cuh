// The components of a vector.
template <typename T, unsigned int count>
struct td_components;

template <typename T>
struct td_components<T, 2> {
    T x, y;
};

template <typename T>
struct td_components<T, 3> {
    T x, y, z;
};

template <typename T>
struct td_components<T, 4> {
    T x, y, z, w;
};
