// The pair, as a number that shows both.
out = 10 * i + j;
