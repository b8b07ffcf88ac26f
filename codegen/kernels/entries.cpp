//# The CPU source for the pairs of a list. A call visits a part of the entries, one after another.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate, slot
//% import "outputs.cpp" as outputs
//% set result = outputs.result

//# Folds the features of the pair.
//% macro folded()
//% if feature_parameters
${row_features|lines("const @.type *const @_row = (const @.type *)(@_all + (unsigned long long)i * words);")}
${column_features|lines("const @.type *const @_col = (const @.type *)(@_all + (unsigned long long)j * words);")}
${folds|lines("@.type @_fold@.begin;")}
for (unsigned int k = 0; k < features; ++k)
    ${name}_feature(¶${feature_arguments});
//% endif
//% endmacro

{% block work %}those of a list, in a plain loop for a CPU{% endblock %}
{% block call %}each part of the list{% endblock %}

//% block pairs
    const unsigned long long begin = (unsigned long long)part * height;
    const unsigned long long end = begin + height < entries ? begin + height : entries;
    ${outputs.begin_part()}
//% if feature_parameters
    // The words of 16 bytes of an element.
    const unsigned int words = (features * sizeof(${feature_type}) + 15) / 16;
//% endif
    for (unsigned long long entry = begin; entry < end; ++entry) {
        ${entry_indices}
        ${folded()}
        ${slot.begin_pair()}
        ${outputs.begin_pair()}
        ${result.begin_pair()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
        ${outputs.end_pair("i", "j")}
        ${slot.store_pair("entry")}
        ${result.end_pair()}
    }
    ${outputs.end_part()}
//% endblock
