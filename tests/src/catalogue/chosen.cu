const unsigned int way = (i + j) % 3;
if (way == 0)
    out = x.i;
else if (way == 1)
    out = x.j;
else
    out = pool[(37 * i + j) % pool_length];
