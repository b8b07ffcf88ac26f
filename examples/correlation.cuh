// The distance of two points, or of their nearest images in a cell with these edges. An infinite edge does not repeat.
inline double distance(const double3 p, const double3 q, const double3 edges)
{
    double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    x -= isinf(edges.x) ? 0 : edges.x * rint(x / edges.x);
    y -= isinf(edges.y) ? 0 : edges.y * rint(y / edges.y);
    z -= isinf(edges.z) ? 0 : edges.z * rint(z / edges.z);
    return sqrt(x * x + y * y + z * z);
}

// The bin of a distance from 0 to the end of the last bin, which belongs to it. Others begin at their `begins`, exactly: the
// quotient may be off by one.
inline unsigned int bin_of(const double distance, const double most, const double *const begins, const unsigned int bins)
{
    unsigned int bin = min((unsigned int)(distance / most * bins), bins - 1);
    bin -= distance < begins[bin];
    return bin + (bin + 1 < bins && distance >= begins[bin + 1]);
}
