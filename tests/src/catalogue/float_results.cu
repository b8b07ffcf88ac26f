const float d = p.i.x - p.j.x;
const float product = d * p.i.y;
total += d;
wide += product;
most.offer(product);
least.offer((double)p.i.x - p.j.x);
bins.add(d + 6);
weights.add(d, p.j.x);
force.i += make_float2(d, 1);
force.j -= make_float2(d, product);
work.i += product;
low.offer(fabsf(d));
high.offer(make_float2(d, p.i.y));
if (d > 0)
    list.push(product);
