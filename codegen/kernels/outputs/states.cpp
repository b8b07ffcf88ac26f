//# The state of all pairs: each part has one, and another function joins them.

//% macro begin_part()
${states_of_all|lines("@.part @_own{@_start};")}
//% endmacro

//% macro end_part()
${states_of_all|lines("@_parts[part] = @_own.state;")|paragraph("// Keep the states of the part. Another function joins those of all parts.")}
//% endmacro

//# The functions that join the states of all parts.
//% macro joins()
//% for result in states_of_all

// After a call for each part, in one call: joins their states to the total, in their order, and resets them.
extern "C" void ${name}_join_${result.name}(¶const unsigned int,¶const unsigned int count,¶${result.type} *const ${result.name}_parts,¶${result.type} *const ${result.name}_total,¶const ${result.type} ${result.name}_start)
{
    for (unsigned int k = 0; k < count; ++k) {
        *${result.name}_total = td_join(*${result.name}_total, ${result.name}_parts[k]);
        ${result.name}_parts[k] = ${result.name}_start;
    }
}
//% endfor
//% for result in states_of_elements

// With several devices, after the launches: joins the states of another device.
extern "C" void ${name}_join_${result.name}(¶const unsigned int part,¶const unsigned int count,¶const ${result.type} *const ${result.name}_parts,¶${result.type} *const ${result.name}_states)
{
#include <constants>

    for (unsigned int row = JOIN_STATES * part; row < min(JOIN_STATES * (part + 1), count); ++row)
        ${result.name}_states[row] = td_join(${result.name}_states[row], ${result.name}_parts[row]);
}
//% endfor
//% endmacro
