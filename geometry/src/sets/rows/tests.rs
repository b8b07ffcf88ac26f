//! The table of rows and the shares of devices, against brute force.

use super::*;

fn offsets(sizes: &[u32]) -> Vec<u32> {
    let mut offsets = vec![0];
    offsets.extend(sizes.iter().scan(0, |end, size| {
        *end += size;
        Some(*end)
    }));
    offsets
}

#[test]
fn every_pair_is_visited_from_its_row() {
    let special: &[(&[u32], &[u32])] = &[
        (&[], &[]),
        (&[0], &[3]),
        (&[2, 0, 1], &[0, 5, 1]),
        (&[1; 300], &[2; 300]),
        (&[0, 32, 0, 0, 96, 1, 31, 0], &[1, 2, 3, 4, 5, 6, 7, 8]),
        (&[129, 3, 0, 500], &[1, 0, 9, 2]),
    ];
    for (rows, columns) in special {
        let table = SetRowTable::new(&offsets(rows), &offsets(columns)).unwrap();
        let mut seen = Vec::new();
        for x in 0..blocks(rows.iter().sum()) {
            table.visit(x, &mut |set, pair| seen.push((set, pair.row, pair.col)));
        }
        let expected = (0..).zip(rows.iter().zip(*columns)).flat_map(|(set, (rows, columns))| {
            (0..*rows).flat_map(move |row| (0..*columns).map(move |col| (set, row, col)))
        });
        assert_eq!(seen, expected.collect::<Vec<_>>());
    }
}

#[test]
fn shares_have_all_rows_and_about_as_many_pairs() {
    let sizes: Vec<u32> = (0..2000).map(|at| at * 37 % 301).collect();
    let special: &[(&[u32], &[u32])] = &[
        (&[], &[]),
        (&[0, 5], &[3, 0]),
        (&[300], &[0]),
        (&[100_000], &[7]),
        (&[1; 900], &[2; 900]),
        (&[0, 300, 0, 2000, 1], &[1, 0, 9, 2000, 7]),
        (&sizes, &sizes),
    ];
    for (rows, columns) in special {
        let table = SetRowTable::new(&offsets(rows), &offsets(columns)).unwrap();
        // The pairs before each row.
        let width = |set: usize| vec![u64::from(columns[set]); rows[set] as usize];
        let mut before = vec![0];
        for width in (0..rows.len()).flat_map(width) {
            before.push(before.last().unwrap() + width);
        }
        // A share may end half a part away from its goal, and between two rows.
        let most = u64::from(*columns.iter().max().unwrap_or(&0) * (PART_ROWS / 2 + 1));
        for count in [1, 2, 3, 8, 40] {
            let (shares, mut end) = (row_shares(&table.sets, count), 0);
            assert_eq!(shares.len(), count as usize);
            for (goal, share) in (1_u64..).zip(shares) {
                assert_eq!((share.start, share.start % PART_ROWS * (table.rows - end)), (end, 0));
                end = share.end;
                let goal = before.last().unwrap() * goal / u64::from(count);
                assert!(before[end as usize].abs_diff(goal) <= most, "{share:?}");
            }
            assert_eq!(end, table.rows);
        }
    }
}
