//! Kernels with several lists at once: with values of one type, of another, and without values, in every map and sweep.

use td_kernel::__private::{Axis, output};
use td_kernel::{Device, HostPairs, Result, Slice};

use crate::others::{self, Others, pass};
use crate::{Choice, Sweep};

/// Two lists of one type, so that lanes of a warp push to both at once; one of large values, and one without values.
const ITEM: &str = r##"
unsafe fn lists(
    #[each] x: &[u32],
    OTHERS
    even: &mut Pairs<u32>,
    odd: &mut Pairs<u32>,
    large: &mut Pairs<[f64; 4]>,
    plain: &mut Pairs,
) {
    r#"
    OTHERS
    if ((i + j) % 2 == 0)
        even.push(x.i + 3 * x.j);
    else if (j % 3 != 0)
        odd.push(x.i + 5 * x.j);
    if (i % 7 == 0)
        large.push({1.0 * i, 1.0 * j, -1.0 * i, 0.5});
    if (j % 4 == 1)
        plain.push();
    "#
}
"##;

/// The kernel for this choice. `None` for a sweep that visits pairs twice.
pub fn item(choice: &Choice) -> Option<String> {
    others::item(choice, ITEM)
}

/// Runs the kernel over `n` elements, and compares each list with the expected pairs and values. Each list first has exactly
/// the required room, and then less.
pub fn check(device: &Device, choice: &Choice, sizes: &[usize]) -> Result<()> {
    let Some(item) = item(choice) else { return Ok(()) };
    let kernel = choice.load(device, "lists", &item)?;
    for &n in sizes {
        let context = format!("{choice:?}, n = {n}, on {}", device.name());
        let pairs: Vec<_> = choice.visited(n).map(|(i, j)| [i as u32, j as u32]).collect();
        let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
        let expected_even = of(&pairs, |[i, j]| ((i + j) % 2 == 0).then_some(i + 3 * j))?;
        let expected_odd =
            of(&pairs, |[i, j]| ((i + j) % 2 != 0 && j % 3 != 0).then_some(i + 5 * j))?;
        let expected_large = of(&pairs, |[i, j]| {
            let (a, b) = (f64::from(i), f64::from(j));
            (i % 7 == 0).then_some([a, b, -a, 0.5])
        })?;
        let expected_plain: Vec<_> = pairs.iter().filter(|[_, j]| j % 4 == 1).copied().collect();

        let mut even = device.pairs::<u32>(expected_even.len())?;
        let mut odd = device.pairs::<u32>(expected_odd.len() / 2)?;
        let mut large = device.pairs::<[f64; 4]>(expected_large.len())?;
        let mut plain = device.pairs::<()>(expected_plain.len())?;
        let mut others = Others::new(device, choice, n)?;
        let mut launch = kernel.launch();
        pass!(launch, choice, others, &x);
        launch.bind(Axis::All, "even", &mut even)?;
        launch.bind(Axis::All, "odd", &mut odd)?;
        launch.bind(Axis::All, "large", &mut large)?;
        launch.bind(Axis::All, "plain", &mut plain)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;

        assert_eq!(even.download()?.sorted()?, expected_even, "{context}: even");
        assert_eq!(large.download()?.sorted()?, expected_large, "{context}: large");
        let found = plain.download()?.sorted()?;
        assert_eq!(found.pairs(), expected_plain, "{context}: without values");
        // All pairs are counted, and a list with less room reports it.
        assert_eq!(odd.count()?, expected_odd.len() as u64, "{context}: odd");
        match odd.download() {
            Ok(list) => assert!(list.is_empty() && expected_odd.is_empty(), "{context}: odd"),
            Err(error) => {
                assert_eq!(error.needed(), Some(expected_odd.len()), "{context}");
            }
        }
    }
    Ok(())
}

/// The pairs that have a value, with it.
fn of<T>(pairs: &[[u32; 2]], value: impl Fn([u32; 2]) -> Option<T>) -> Result<HostPairs<T>> {
    let listed = pairs.iter().filter_map(|&pair| Some((pair, value(pair)?)));
    let (pairs, values) = listed.unzip();
    HostPairs::from_vecs(pairs, values)
}
