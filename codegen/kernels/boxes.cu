//# The coordinates of elements, and the lower bound over boxes of them, for a GPU and for the CPU's loops. Two sets may have
//# elements of two types.

//% macro boxes()
//% for point in points
//% if point.members

// What the lower bound reads of an element${point.of}.
struct ${point.name} {
//% for member in point.members
    decltype(${point.type}::${member}) ${member};
//% endfor
};
//% else

using ${point.name} = ${point.type};
//% endif

static __device__ __forceinline__ ${point.name} td_point_of(const ${point.type} &element)
{
//% if point.members
    ${point.name} point;
//% for member in point.members
    memcpy(&point.${member}, &element.${member}, sizeof(point.${member}));
//% endfor
    return point;
//% else
    return element;
//% endif
}

// Calls a function for the numbers of two points.
template <typename F>
static __device__ __forceinline__ void td_for_each_coordinate(const F &f, ${point.name} &a, ${point.name} &b)
{
//% for member in point.members
    td_for_each_number(f, a.${member}, b.${member}, td_rank<3>{});
//% endfor
//% if not point.members
    td_for_each_number(f, a, b, td_rank<3>{});
//% endif
}

// The box of an element.
static __device__ __forceinline__ td_box<${point.name}> td_box_of(const ${point.type} &element)
{
    td_box<${point.name}> bounds{td_point_of(element), td_point_of(element)};
    bool is_finite = true;
    td_for_each_coordinate(td_are_finite{is_finite}, bounds.lo, bounds.hi);
    if (!is_finite)
        td_for_each_coordinate(td_anywhere{}, bounds.lo, bounds.hi);
    return bounds;
}

// The coordinates by which elements are sorted.
static __device__ __forceinline__ void td_coordinates_of(const ${point.type} &element, double (&coordinates)[${dimensions}])
{
//% for coordinate in point.coordinates
    coordinates[${loop.index0}] = element${coordinate};
//% endfor
}
//% if is_list

// Whether an element${point.of} may be farther from where it was than half of the skin${", or has changed otherwise" if point.others else ""}.
// The margin exceeds the rounding errors. A square that underflows is not 0.
static __device__ __forceinline__ bool td_has_moved(const ${point.type} &element, const ${point.type} &before, const double skin)
{
    double to[${dimensions}], from[${dimensions}], square = 0;
    td_coordinates_of(element, to);
    td_coordinates_of(before, from);
    for (unsigned int d = 0; d < ${dimensions}; ++d) {
        const double difference = to[d] - from[d];
        square += difference * difference + (difference != 0 ? 0x1p-1000 : 0);
    }
//% if point.others
    ${point.name} point = td_point_of(element), other = td_point_of(before);
    bool is_same = true;
//% for member in point.others
    td_for_each_number(td_are_equal{is_same}, point.${member}, other.${member}, td_rank<3>{});
//% endfor
    return !(4 * square <= skin * skin * (1 - 0x1p-49)) || !is_same;
//% else
    return !(4 * square <= skin * skin * (1 - 0x1p-49));
//% endif
}
//% endif
//% endfor
//% for measure in measures

// The ${{"square": "square of the least distance", "distance": "least distance", "manhattan": "least sum of the distances along all coordinates", "sphere": "least angle on the sphere"}[measure.of]} between two boxes${", in a periodic cell with these edges" if measure.is_periodic else ""}.
template <${bound.types_of_measure}${measure.edge_types}>
static __device__ __forceinline__ auto ${measure.name}(¶const Box &i,¶const ${bound.other} &j${measure.edges})
{
//% for gap in measure.gaps
    ${gap}
//% endfor
    return ${measure.value};
}
//% endfor

// ${"At most the values that pairs of elements in these boxes push" if nearest else "Above 0 only if no pair of elements in these boxes changes anything"}.
template <${bound.types}>
static __device__ __forceinline__ auto ${name}_lower_bound(¶${bound.parameters}${near_inputs})
{
    const auto td_bound = (
#include <lower>
    );
//# Once, for the boxes of tiles.
#include <line of lower>
    static_assert(${bound.first}::is_single || (decltype(td_bound + 0))-1 < 0, "the body `lower_bound` is unsigned, so it is never below 0: convert members to int or float");
#include <line after lower>
    return td_bound;
}
//% endmacro
