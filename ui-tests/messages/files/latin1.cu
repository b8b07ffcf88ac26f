out = 1; // été
