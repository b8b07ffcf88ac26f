//! A kernel matrix times several columns.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{LaunchWith, Slice, SumElement, Sums};

use super::{GENERATED, Launch, Subject};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::{Point, points};

/// The tolerance of a sum, relative to the sum of its terms' magnitudes.
const ROUNDING: f64 = 1e-5;

/// The number of rows that are compared.
const CHECKED: usize = 64;

/// A number, or an array of them, for each element.
pub(crate) trait Columns: Point + SumElement {
    fn numbers(&self) -> &[f32];
}

impl Columns for f32 {
    fn numbers(&self) -> &[f32] {
        std::slice::from_ref(self)
    }
}

impl<const W: usize> Columns for [f32; W]
where
    [f32; W]: Point + SumElement,
{
    fn numbers(&self) -> &[f32] {
        self
    }
}

/// Points in the unit cube, and the columns of a matrix. Each row of the kernel matrix has a weight for every point.
pub(crate) struct MatrixTimes<P, V> {
    gpu: Gpu,
    on_host: (Vec<P>, Vec<V>),
    points: CudaSlice<P>,
    columns: CudaSlice<V>,
}

impl<P: Point, V: Columns> MatrixTimes<P, V> {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> Result<Self, Failure> {
        let on_host = (points::<P>(n), points::<V>(n));
        let (points, columns) = (gpu.upload(&on_host.0)?, gpu.upload(&on_host.1)?);
        Ok(MatrixTimes { gpu: gpu.clone(), on_host, points, columns })
    }

    /// A kernel over the pairs of one set, each of which serves both of its rows.
    pub(crate) fn of_one_set<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<(&'a dyn Slice<P>, &'a dyn Slice<V>, &'a mut Sums<V>)>,
    {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Self> = Box::new(move |subject, sums| {
            Ok(kernel.launch_with((&subject.points, &subject.columns, sums))?)
        });
        Ok(("one set".into(), launch))
    }

    /// The same with a scale of the squared distances, which is 1 here.
    pub(crate) fn scaled<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<(&'a dyn Slice<P>, &'a dyn Slice<V>, f32, &'a mut Sums<V>)>,
    {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Self> = Box::new(move |subject, sums| {
            Ok(kernel.launch_with((&subject.points, &subject.columns, 1.0, sums))?)
        });
        Ok((GENERATED.into(), launch))
    }
}

impl<P: Point, V: Columns> Subject for MatrixTimes<P, V> {
    type Output = Sums<V>;
    type Arguments<'a> = (&'a dyn Slice<P>, &'a dyn Slice<P>, &'a dyn Slice<V>, &'a mut Sums<V>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, sums: &'a mut Sums<V>) -> Self::Arguments<'a> {
        (&self.points, &self.points, &self.columns, sums)
    }

    fn output(&self) -> Result<Sums<V>, Failure> {
        Ok(self.gpu.device.sums(self.points.len())?)
    }

    fn clear(&self, sums: &mut Sums<V>) -> Result<(), Failure> {
        Ok(sums.clear()?)
    }

    fn verify(&self, name: &str, sums: &Sums<V>) -> Result<(), Failure> {
        let (points, columns) = &self.on_host;
        let found = sums.download()?;
        let [rows, found] =
            [columns, &found].map(|all| all.iter().map(Columns::numbers).collect::<Vec<_>>());
        verify_rows(name, points, &rows, &found)
    }
}

/// Compares some rows with sums in double precision. All terms are positive, so a sum is its magnitude.
pub(super) fn verify_rows<P: Point>(
    name: &str,
    points: &[P],
    rows: &[&[f32]],
    found: &[&[f32]],
) -> Result<(), Failure> {
    for i in (0..points.len()).step_by(points.len().div_ceil(CHECKED).max(1)) {
        let own = &points[i];
        let mut expected = vec![0.0; rows[i].len()];
        for (point, row) in points.iter().zip(rows) {
            let weight = (-own.square_to(point)).exp();
            let terms = row.iter().map(|number| weight * f64::from(*number));
            expected.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        for (found, expected) in found[i].iter().zip(&expected) {
            let off = (f64::from(*found) / expected - 1.0).abs();
            // False for a NaN.
            let is_right = off <= ROUNDING;
            if !is_right {
                let text = format!("{name}: row {i} has {found} instead of {expected}");
                return Err(format!("{text}, an error of {off:.1e}").into());
            }
        }
    }
    Ok(())
}
