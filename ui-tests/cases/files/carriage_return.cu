// a commentout = 1;
