//# The extreme of all pairs, with its pair.

//% macro begin_part()
${extremes|lines("@.best @_best;")}
//% endmacro

//% macro end_part()
{% set kept %}
//% for extreme in extremes
td_keep_extreme${extreme.in_sets}(¶${extreme.name}_best.rank(),¶${extreme.name ~ "_best.set_word(),¶" if extreme.in_sets else ""}${extreme.name}_best.pair(),¶${extreme.name}_cells + CELL_WORDS * (part % TOTAL_CELLS));
//% endfor
{% endset %}
${(kept if extremes else "")|paragraph("// Offer each extreme to one of its cells.")}
//% endmacro
