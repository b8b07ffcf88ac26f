value = p.i - 2 * p.j;
least.offer(value);
total.i.x += value;
total.j.y += i;
most.offer(p.i + p.j);
if (value == 3)
    list.push();
