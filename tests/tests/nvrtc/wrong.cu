// Does not compile, and its messages name this file.
out = missing;
