float sum = 0;
for (int k = 0; k < int(sizeof(x.i.values) / sizeof(float)); ++k) {
    const float d = x.i.values[k] - x.j.values[k];
    sum = fmaf(d, d, sum);
}
out = sqrtf(sum);
