//! Serialises host matrices, lists and neighbours. Deserialised data is checked as `from_vec` checks it.

use std::ops::Range;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::memory::results::expect_count;
use crate::{Error, HostNearest, HostPairs, NearestValue, Shape, host};

/// The serialised form of a list of pairs.
#[derive(Serialize, Deserialize)]
#[serde(rename = "HostPairs")]
struct List<P, V> {
    pairs: P,
    values: V,
}

/// The serialised form of nearest neighbours, without padding, which for floats is infinity and so not in every format.
#[derive(Serialize, Deserialize)]
#[serde(rename = "HostNearest")]
struct Listed<T> {
    k: usize,
    counts: Vec<u32>,
    indices: Vec<u32>,
    values: Vec<T>,
}

impl<T: Serialize + Clone> Serialize for HostNearest<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = || self.rows().map(|(_, indices, values)| (indices, values));
        let count = self.counts().iter().map(|count| *count as usize).sum();
        let indices = rows().flat_map(|(indices, _)| indices.iter().copied());
        let indices = host::collected(count, indices).map_err(S::Error::custom)?;
        let values = rows().flat_map(|(_, values)| values.iter().cloned());
        let values = host::collected(count, values).map_err(S::Error::custom)?;
        let counts = host::collected(self.len(), self.counts().iter().copied());
        let (k, counts) = (self.k(), counts.map_err(S::Error::custom)?);
        Listed { k, counts, indices, values }.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + NearestValue + PartialOrd> Deserialize<'de> for HostNearest<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Listed::deserialize(deserializer)?.checked().map_err(D::Error::custom)
    }
}

impl<T: NearestValue + PartialOrd> Listed<T> {
    fn checked(self) -> crate::Result<HostNearest<T>> {
        let Listed { k: most, counts, indices, values } = self;
        expect_count(most)?;
        let expected =
            counts.iter().fold(0, |all: usize, count| all.saturating_add(*count as usize));
        if indices.len() != expected || values.len() != expected {
            let (indices, values) = (indices.len(), values.len());
            return Err(Error::arguments(format!(
                "expected {expected} indices and {expected} values, one for each neighbour, got {indices} indices and {values} values"
            )));
        }
        // Everything is checked before memory is allocated: an element takes `most` places, whatever its count.
        let mut start = 0;
        for (element, &count) in counts.iter().enumerate() {
            if count as usize > most {
                return Err(Error::arguments(format!(
                    "element {element} has {count} neighbours, but at most {most} are kept: pass only the nearest"
                )));
            }
            let row = start..start + count as usize;
            start = row.end;
            let (Some(indices), Some(values)) = (indices.get(row.clone()), values.get(row)) else {
                return Err(Error::other(format!("element {element} has no neighbours to check")));
            };
            // NaN compares with nothing, not even with itself.
            let are_numbers = values.iter().all(|value| value.partial_cmp(value).is_some())
                && indices.iter().all(|index| *index < u32::MAX);
            let is_ordered = |two: &[T]| matches!(two, [a, b] if a <= b);
            if !are_numbers || !values.windows(2).all(is_ordered) {
                return Err(Error::arguments(format!(
                    "the neighbours of element {element} are invalid: list the nearest first, with values that are not NaN and indices below 4294967295"
                )));
            }
        }
        let mut pairs = values.into_iter().zip(indices);
        let places = counts.iter().flat_map(|&count| (0..most).map(move |at| at < count as usize));
        let found = places.map(|is_there| if is_there { pairs.next() } else { None });
        HostNearest::of(counts.len(), most, found)
    }
}

impl<T: Serialize> Serialize for HostPairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        List { pairs: self.pairs(), values: self.values() }.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for HostPairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let List { pairs, values } = List::<_, Vec<T>>::deserialize(deserializer)?;
        HostPairs::from_vecs(pairs, values).map_err(D::Error::custom)
    }
}

/// Serialises a matrix on the host as these fields and its values. `HostValues::of` checks deserialised ones.
macro_rules! matrix {
    ($matrix:ident, $($field:ident: $type:ty = $method:ident),+ => $shape:expr) => {
        const _: () = {
            #[derive(Serialize, Deserialize)]
            struct $matrix<V> {
                $($field: $type,)+
                values: V,
            }

            impl<T: Serialize> Serialize for crate::$matrix<T> {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let fields = $matrix { $($field: self.$method(),)+ values: self.as_slice() };
                    fields.serialize(serializer)
                }
            }

            impl<'de, T: Deserialize<'de>> Deserialize<'de> for crate::$matrix<T> {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let $matrix { $($field,)+ values } = $matrix::deserialize(deserializer)?;
                    crate::$matrix::of($shape, values).map_err(D::Error::custom)
                }
            }
        };
    };
}

matrix!(
    HostPacked, elements: usize = elements, rows: Range<usize> = row_range, diagonal: bool = has_diagonal
    => Shape::triangle_of(elements, diagonal).of_rows(rows)
);
matrix!(
    HostSquare, elements: usize = elements
    => Shape::rectangle(elements, elements)
);
matrix!(
    HostMatrix, row_count: usize = row_count, rows: Range<usize> = row_range, columns: usize = column_count
    => Shape::rectangle(row_count, columns).of_rows(rows)
);

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;
    use serde_json::{from_str, to_string};

    use super::*;
    use crate::{HostMatrix, HostPacked, HostSquare};

    /// Checks the text of a value, and that it is read back.
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
        assert_eq!(to_string(value).unwrap(), text);
        assert_eq!(from_str::<T>(text).unwrap(), *value);
    }

    #[test]
    fn matrices_and_lists_round_trip() {
        let rows = Shape::triangle(9).with_diagonal().of_rows(1..3);
        let chunk = HostPacked::from_vec(rows, vec![1.5, 2.5, 3.5, 4.5, 5.5]).unwrap();
        check(
            &chunk,
            r#"{"elements":9,"rows":{"start":1,"end":3},"diagonal":true,"values":[1.5,2.5,3.5,4.5,5.5]}"#,
        );
        let square = HostSquare::from_vec(2, vec![1_u8, 2, 3, 4]).unwrap();
        check(&square, r#"{"elements":2,"values":[1,2,3,4]}"#);
        let rows = Shape::rectangle(9, 2).of_rows(1..3);
        let chunk = HostMatrix::from_vec(rows, vec![10_u8, 11, 20, 21]).unwrap();
        check(
            &chunk,
            r#"{"row_count":9,"rows":{"start":1,"end":3},"columns":2,"values":[10,11,20,21]}"#,
        );
        let list = HostPairs::from_vecs(vec![[2, 0], [1, 0]], vec![0.5, 0.25]).unwrap();
        check(&list, r#"{"pairs":[[2,0],[1,0]],"values":[0.5,0.25]}"#);
        let found = [Some((0.5_f32, 7)), None, Some((-1.0, 3)), Some((2.5, 0)), None, None];
        let near = HostNearest::of(3, 2, found.into_iter()).unwrap();
        check(&near, r#"{"k":2,"counts":[1,2,0],"indices":[7,3,0],"values":[0.5,-1.0,2.5]}"#);
    }

    #[test]
    fn invalid_data_is_refused() {
        let packed = |elements: u64, start: u64, end: u64, values: &str| {
            let text = format!(
                r#"{{"elements":{elements},"rows":{{"start":{start},"end":{end}}},"diagonal":false,"values":{values}}}"#
            );
            from_str::<HostPacked<u8>>(&text).map_err(|error| error.to_string())
        };
        assert!(packed(4, 0, 4, "[1,2,3,4,5,6]").is_ok());
        assert!(packed(4, 0, 4, "[1,2,3]").unwrap_err().contains(", got 3"));
        assert!(packed(4, 2, 5, "[]").unwrap_err().contains("rows 2..5"));
        assert!(packed(4, 3, 2, "[]").unwrap_err().contains("rows 3..2"));
        let all = u64::try_from(usize::MAX).unwrap();
        assert!(packed(all, 0, all, "[]").unwrap_err().contains("more than memory can hold"));
        let square = |text: &str| from_str::<HostSquare<u8>>(text).map_err(|e| e.to_string());
        assert!(square(r#"{"elements":2,"values":[1,2,3]}"#).unwrap_err().contains(", got 3"));
        assert!(square(&format!(r#"{{"elements":{all},"values":[]}}"#)).is_err());
        let rectangle = |row_count: u64, start: u64, end: u64, columns: u64, values: &str| {
            let text = format!(
                r#"{{"row_count":{row_count},"rows":{{"start":{start},"end":{end}}},"columns":{columns},"values":{values}}}"#
            );
            from_str::<HostMatrix<u8>>(&text).map_err(|error| error.to_string())
        };
        assert!(rectangle(4, 1, 3, 2, "[1,2,3,4]").is_ok());
        assert!(rectangle(4, 1, 3, 2, "[1,2,3]").unwrap_err().contains(", got 3"));
        assert!(rectangle(4, 1, 5, 2, "[]").unwrap_err().contains("rows 1..5"));
        assert!(rectangle(4, 3, 2, 2, "[]").unwrap_err().contains("rows 3..2"));
        for (rows, columns) in [(all, 2), (all, 0), (0, all)] {
            let error = rectangle(rows, 0, rows, columns, "[]").unwrap_err();
            assert!(error.contains("more than memory can hold"), "{error}");
        }
        let near = |most: u64, counts: &str, indices: &str, values: &str| {
            let text = format!(
                r#"{{"k":{most},"counts":{counts},"indices":{indices},"values":{values}}}"#
            );
            from_str::<HostNearest<i16>>(&text).map_err(|error| error.to_string())
        };
        assert!(near(2, "[2,0,1]", "[1,2,0]", "[5,5,-9]").is_ok());
        assert!(near(256, "[]", "[]", "[]").is_ok());
        for (most, counts, indices, values, message) in [
            (257, "[]", "[]", "[]", "1 to 256 neighbours of each element, not 257"),
            (0, "[]", "[]", "[]", "not 0"),
            (
                2,
                "[2,1]",
                "[1,2]",
                "[5,6,7]",
                "expected 3 indices and 3 values, one for each neighbour, got 2 indices and 3 values",
            ),
            (2, "[2,1]", "[1,2,3]", "[5,6]", "3 indices and 2 values"),
            (2, "[0,3]", "[1,2,3]", "[5,6,7]", "element 1 has 3 neighbours"),
            (2, "[1,2]", "[1,2,3]", "[5,7,6]", "the neighbours of element 1 are invalid"),
            (2, "[1]", "[4294967295]", "[5]", "the neighbours of element 0 are invalid"),
        ] {
            let error = near(most, counts, indices, values).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let list = from_str::<HostPairs<u8>>(r#"{"pairs":[[2,0],[1,0]],"values":[7]}"#);
        assert!(list.unwrap_err().to_string().contains("the list has 2 pairs and 1 value:"));
    }
}
