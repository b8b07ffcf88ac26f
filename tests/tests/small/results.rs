//! Results of elements in tests of users.

use td_kernel::testing::{self, Failure};
use td_kernel::{Device, td_kernel};

#[td_kernel]
unsafe fn degrees(
    #[each] x: &[i32],
    #[each] degree: &mut Sums<u32>,
    #[each] most: &mut Maxima<i32>,
) {
    r#" if (x.i % 3 == x.j % 3) { degree.i += 1; degree.j += 1; } most.offer(x.i + x.j); "#
}

#[test]
fn testing_compares_results() -> Result<(), Failure> {
    let x: Vec<i32> = (0..90).collect();
    let degree = |device: &Device, degree: &mut _| {
        let mut most = device.maxima(x.len())?;
        degrees::load(device)?.launch(&device.upload(&x)?, degree, &mut most)
    };
    testing::sums(x.len(), degree)?.equals(|_| 29)?;
    let failure = testing::sums(x.len(), degree)?.equals(|i| if i == 7 { 30 } else { 29 });
    assert_errors! { failure => "element 7 got 29, but 30 was expected; 1 of 90"; }
    testing::maxima(x.len(), |device, most| {
        let mut degree = device.sums(x.len())?;
        degrees::load(device)?.launch(&device.upload(&x)?, &mut degree, most)
    })?
    .equals(|i| if i == 89 { 177 } else { i as i32 + 89 })
}
