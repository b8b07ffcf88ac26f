out = 1;

}
