//# The parts of every CPU source. A template fills the blocks, and imports `outputs`, which are read here too.
// ${name}: ${domain.pairs}${domain.which}, {% block work %}in plain loops for a CPU{% endblock %}.
//% for option in loops_options
// C++ option: ${option}
//% endfor
// A call for {% block call %}{% endblock %}.
#include <helpers>
//% include "prelude.cu"

//% if feature_parameters
[[gnu::always_inline]] static inline void ${name}_feature(¶${feature_parameters})
{
#include <feature>
}

//% endif
//# A source that lists pairs does not run the body.
//% if not is_list
[[gnu::always_inline]] static inline void ${name}_pair(¶${pair_parameters})
{
#include <body>
}
//% endif
    ${self.earlier()}

extern "C" void ${name}_kernel(¶const unsigned int part,¶${parameters})
{
#include <constants>

    ${self.pairs()}
}
{% block others %}
${outputs.joins()}
{% endblock %}

//# The blocks that a template fills, or leaves empty.
//% if false
//# Other functions, which run before this one.
{% block earlier %}{% endblock %}
//# The pairs of a call.
{% block pairs %}{% endblock %}
//% endif
