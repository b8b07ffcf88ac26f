packed = type * i + j;
