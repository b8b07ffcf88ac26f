//# Code that the CPU sources share.

//# Adds a part of an element's result to the element's cells. In the added expression `value`, `@` stands for a vector's
//# component as a member (`.x`) and `#` for the component as the end of a name (`_x`). A double is added to an exact sum of
//# floats as two floats. Other results are added by atomics, unless the thread holds the lock of the elements (`has_turn`).
//% macro gathered(result, value, at, stride, is_double, has_turn)
//% for plane in result.planes
//% set part = value|replace("@", plane.member)|replace("#", plane.suffix)
//% if result.exact and result.number == "float" and is_double
{
const float high = ${part};
// The two floats together have all bits of the double that matter.
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
