//# The coordinates of elements, and the lower bound over boxes of them, for a GPU and for the CPU's loops.

//% macro boxes()
//% if members

// What the lower bound reads of an element.
struct td_point {
//% for member in members
    decltype(${boxed.type}::${member}) ${member};
//% endfor
};
//% else

using td_point = ${boxed.type};
//% endif

static __device__ __forceinline__ td_point td_point_of(const ${boxed.type} &element)
{
//% if members
    td_point point;
//% for member in members
    memcpy(&point.${member}, &element.${member}, sizeof(point.${member}));
//% endfor
    return point;
//% else
    return element;
//% endif
}

// Calls a function for the numbers of two points.
template <typename F>
static __device__ __forceinline__ void td_for_each_coordinate(const F &f, td_point &a, td_point &b)
{
//% for member in members
    td_for_each_number(f, a.${member}, b.${member}, td_rank<3>{});
//% endfor
//% if not members
    td_for_each_number(f, a, b, td_rank<3>{});
//% endif
}

// The box of an element.
static __device__ __forceinline__ td_box<td_point> td_box_of(const ${boxed.type} &element)
{
    td_box<td_point> bounds{td_point_of(element), td_point_of(element)};
    bool is_finite = true;
    td_for_each_coordinate(td_are_finite{is_finite}, bounds.lo, bounds.hi);
    if (!is_finite)
        td_for_each_coordinate(td_anywhere{}, bounds.lo, bounds.hi);
    return bounds;
}

// The coordinates by which elements are sorted.
static __device__ __forceinline__ void td_coordinates_of(const ${boxed.type} &element, double (&coordinates)[${dimensions}])
{
//% for coordinate in coordinates
    coordinates[${loop.index0}] = element${coordinate};
//% endfor
}
//% for measure in measures

// The ${{"square": "square of the least distance", "distance": "least distance", "manhattan": "least sum of the distances along all coordinates"}[measure.of]} between two boxes${", in a periodic cell with these edges" if measure.is_periodic else ""}.
template <typename Box${", typename Edge" if measure.is_periodic else ""}>
static __device__ __forceinline__ auto ${measure.name}(¶const Box &i,¶const Box &j${measure.edges})
{
//% for gap in measure.gaps
    ${gap}
//% endfor
    return ${measure.value};
}
//% endfor

// Above 0 only if no pair of elements in these boxes changes anything.
template <typename Box>
static __device__ __forceinline__ auto ${name}_lower_bound(¶const td_each<Box> ${boxed.name}${near_inputs})
{
    const auto td_bound = (
#include <lower>
    );
    static_assert((decltype(td_bound + 0))-1 < 0, "the body `lower_bound` is unsigned, so it is never below 0: convert members to int or float");
    return td_bound;
}
//% endmacro
