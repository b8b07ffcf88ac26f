//# The parts that the CPU sources share.

//# Adds a result of an element, or what a part of it has, to the element's cells. `value` is what a cell gets, with `@`
//# where a vector's component is a member (`.x`), and `#` where it ends a name (`_x`). A double that goes to an exact sum of
//# floats is added in two floats. Other results are added by atomics, unless it is the thread's turn at the elements.
//% macro gathered(result, value, at, stride, is_double, has_turn)
//% for plane in result.planes
//% set part = value|replace("@", plane.member)|replace("#", plane.suffix)
//% if result.exact and result.number == "float" and is_double
{
const float high = ${part};
// The two floats together have all of the double's bits that matter.
td_add_exact_float(${plane.cells}, ${stride}, ${at}, high);
if (isfinite(high))
td_add_exact_float(${plane.cells}, ${stride}, ${at}, ${part} - high);
}
//% elif result.exact
td_add_exact_${result.number}(${plane.cells}, ${stride}, ${at}, ${part});
//% elif has_turn and result.adds
${plane.cells}[${at}] += ${part};
//% elif has_turn
${plane.cells}[${at}] = max(${plane.cells}[${at}], ${part});
//% else
${result.atomic}(${plane.cells} + ${at}, ${part});
//% endif
//% endfor
//% endmacro
