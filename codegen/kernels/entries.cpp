//# The CPU source for the pairs of a list. A call visits a part of the entries, one after another.
//% extends "kernel.cpp"
//% from "parts.cu" import evaluate, parts, values
//% from "parts.cpp" import begin_pair, begin_part, end_pair, end_part, gathered
//# Folds the features of the pair.
//% macro folded()
//% if feature_parameters
//% for p in row_features
const ${p.type} *const ${p.name}_row = (const ${p.type} *)(${p.name}_all + (unsigned long long)i * words);
//% endfor
//% for p in column_features
const ${p.type} *const ${p.name}_col = (const ${p.type} *)(${p.name}_all + (unsigned long long)j * words);
//% endfor
//% for fold in folds
${fold.type} ${fold.name}_fold${" = " ~ fold.start if fold.start else "{}"};
//% endfor
for (unsigned int k = 0; k < features; ++k)
    ${name}_feature(¶${feature_arguments});
//% endif
//% endmacro

{% block work %}those of a list, in a plain loop for a CPU{% endblock %}
{% block call %}each part of the list{% endblock %}

//% block pairs
    const unsigned long long begin = (unsigned long long)part * height;
    const unsigned long long end = begin + height < entries ? begin + height : entries;
    ${begin_part()}
//% if feature_parameters
    // The words of 16 bytes of an element.
    const unsigned int words = (features * sizeof(${feature_type}) + 15) / 16;
//% endif
    for (unsigned long long entry = begin; entry < end; ++entry) {
//% if entry_uses.i
        const unsigned int i = given_i[step * entry];
//% endif
//% if entry_uses.j
        const unsigned int j = given_j[step * entry];
//% endif
        ${folded()}
        ${values()}
        ${begin_pair()}
        ${parts()}
        ${evaluate("i", "j", "@_all[i]", "@_all[j]")}
        ${end_pair("i", "j")}
//% for slot in slots
        ${slot.memory}[entry] = ${slot.value};
//% endfor
//% for result in row_results
        ${gathered(result, result.name ~ "_row@" ~ result.value, "i", domain.rows, false, false)}
//% endfor
//% for result in column_results
        ${gathered(result, result.name ~ "_col@" ~ result.value, "j", domain.columns, false, false)}
//% endfor
    }
    ${end_part()}
//% endblock
