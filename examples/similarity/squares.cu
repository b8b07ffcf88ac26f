// Adds the square of the difference of one feature.
float d = p.i - p.j;
sum = fmaf(d, d, sum);
