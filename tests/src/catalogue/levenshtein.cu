// The Levenshtein distance of words of 16 letters, of two bits each.
const unsigned int x = word.i * 2654435761u, y = word.j * 2654435761u;
unsigned char row[17];
for (int k = 0; k <= 16; ++k)
    row[k] = k;
for (int a = 0; a < 16; ++a) {
    unsigned char before = row[0];
    row[0] = a + 1;
    for (int b = 0; b < 16; ++b) {
        unsigned char replaced = before + ((x >> 2 * a & 3) != (y >> 2 * b & 3));
        before = row[b + 1];
        row[b + 1] = min((int)replaced, min((int)before, (int)row[b]) + 1);
    }
}
distance = row[16];
if (row[16] < 8) {
    near.i += 1;
    near.j += 1;
}
total += row[16];
