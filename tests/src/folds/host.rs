//! Folds a pair's features on the host, and checks values against the result.

/// Folds feature number `k` of two elements.
pub(super) type Step<T, S> = Box<dyn Fn(&mut S, T, T, u32) + Sync>;

/// Whether a value matches the host's, for this number of features.
pub(super) type IsRight<F, S> = Box<dyn Fn(F, &S, usize) -> bool + Sync>;

/// The host's fold of a pair's features, and the check of a value.
pub(super) struct Host<T, F, S> {
    pub(super) start: S,
    pub(super) step: Step<T, S>,
    /// With the number of features.
    pub(super) is_right: IsRight<F, S>,
}

/// Compared exactly.
pub(super) fn exact<T: 'static, F: Default + Copy + PartialEq + 'static>(
    step: impl Fn(F, T, T, u32) -> F + Sync + 'static,
) -> Host<T, F, F> {
    Host {
        start: F::default(),
        step: Box::new(move |sum, a, b, k| *sum = step(*sum, a, b, k)),
        is_right: Box::new(|found, expected, _| found == *expected),
    }
}

/// A sum of positive terms of `f32`. Each term has three roundings, and the sum one for each feature.
pub(super) fn near<T: 'static>(term: impl Fn(T, T) -> f64 + Sync + 'static) -> Host<T, f64, f64> {
    Host {
        start: 0.0,
        step: Box::new(move |sum, a, b, _| *sum += term(a, b)),
        is_right: Box::new(|found, expected, width| {
            (found - expected).abs() <= (width + 3) as f64 * 2_f64.powi(-24) * expected
        }),
    }
}

/// A sum of `f64`, from terms with their absolute values. The host's own sum has as many roundings.
pub(super) fn near64<T: 'static>(
    term: impl Fn(T, T) -> [f64; 2] + Sync + 'static,
) -> Host<T, f64, [f64; 2]> {
    Host {
        start: [0.0; 2],
        step: Box::new(move |sum, a, b, _| {
            let [term, size] = term(a, b);
            *sum = [sum[0] + term, sum[1] + size];
        }),
        is_right: Box::new(|found, [sum, size], width| {
            (found - sum).abs() <= 2.0 * (width + 1) as f64 * 2_f64.powi(-53) * size
        }),
    }
}
