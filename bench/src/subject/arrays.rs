//! A kernel matrix times columns whose number a launch gives, and the same in blocks of columns whose number the program gives.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{ArraySums, Arrays, Buffer, LaunchWith, Slice, SumElement, Sums};

use super::columns::verify_rows;
use super::{GENERATED, Launch, Subject};
use crate::Failure;
use crate::measure::gpu::Gpu;
use crate::measure::points::points;

/// Points in the unit cube, and the columns of a matrix: as arrays, and in blocks of `W` columns.
pub(crate) struct MatrixTimesArrays<const W: usize> {
    gpu: Gpu,
    on_host: (Vec<[f32; 3]>, Vec<f32>),
    points: CudaSlice<[f32; 3]>,
    arrays: Arrays<f32>,
    blocks: Vec<Buffer<[f32; W]>>,
}

/// The sums of both.
pub(crate) struct Both<const W: usize>
where
    [f32; W]: SumElement,
{
    given: ArraySums<f32>,
    blocks: Vec<Sums<[f32; W]>>,
}

impl<const W: usize> MatrixTimesArrays<W>
where
    [f32; W]: SumElement,
{
    pub(crate) fn new(gpu: &Gpu, n: usize, width: usize) -> Result<Self, Failure> {
        let on_host = (points::<[f32; 3]>(n), points::<f32>(n * width));
        let arrays = gpu.device.arrays(&on_host.1, width)?;
        let block = |first: usize| {
            let rows = on_host.1.chunks(width);
            let of_row = |row: &[f32]| {
                std::array::from_fn(|k| row.get(first + k).copied().unwrap_or_default())
            };
            gpu.device.upload(&rows.map(of_row).collect::<Vec<[f32; W]>>())
        };
        let blocks = (0..width).step_by(W).map(block).collect::<Result<_, _>>()?;
        Ok(MatrixTimesArrays {
            gpu: gpu.clone(),
            points: gpu.upload(&on_host.0)?,
            on_host,
            arrays,
            blocks,
        })
    }

    /// A kernel for `W` columns, launched for each block.
    pub(crate) fn in_blocks<K>(&self) -> Result<(String, Launch<Self>), Failure>
    where
        K: for<'a> LaunchWith<(
            &'a dyn Slice<[f32; 3]>,
            &'a dyn Slice<[f32; 3]>,
            &'a dyn Slice<[f32; W]>,
            &'a mut Sums<[f32; W]>,
        )>,
    {
        let kernel = K::load(&self.gpu.device)?;
        let launch: Launch<Self> = Box::new(move |subject, both| {
            for (block, sums) in subject.blocks.iter().zip(&mut both.blocks) {
                kernel.launch_with((&subject.points, &subject.points, block, sums))?;
            }
            Ok(())
        });
        Ok((format!("in blocks of {W}"), launch))
    }
}

impl<const W: usize> Subject for MatrixTimesArrays<W>
where
    [f32; W]: SumElement,
{
    type Output = Both<W>;
    type Arguments<'a> =
        (&'a dyn Slice<[f32; 3]>, &'a dyn Slice<[f32; 3]>, &'a Arrays<f32>, &'a mut ArraySums<f32>);

    const ADDS_UP: bool = true;

    fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    fn arguments<'a>(&'a self, both: &'a mut Both<W>) -> Self::Arguments<'a> {
        (&self.points, &self.points, &self.arrays, &mut both.given)
    }

    fn output(&self) -> Result<Both<W>, Failure> {
        let (device, n) = (&self.gpu.device, self.points.len());
        let blocks = self.blocks.iter().map(|_| device.sums(n)).collect::<Result<_, _>>()?;
        Ok(Both { given: device.array_sums(n, self.arrays.width())?, blocks })
    }

    fn clear(&self, both: &mut Both<W>) -> Result<(), Failure> {
        both.given.clear()?;
        Ok(both.blocks.iter_mut().try_for_each(Sums::clear)?)
    }

    fn verify(&self, name: &str, both: &Both<W>) -> Result<(), Failure> {
        let (points, width) = (&self.on_host.0, self.arrays.width());
        let rows: Vec<&[f32]> = self.on_host.1.chunks(width).collect();
        if name == GENERATED {
            let found = both.given.download()?;
            let found: Vec<&[f32]> = found.rows().map(|(_, row)| row).collect();
            return verify_rows(name, points, &rows, &found);
        }
        for (block, sums) in both.blocks.iter().enumerate() {
            let (first, found) = (block * W, sums.download()?);
            let own = first..width.min(first + W);
            let rows: Vec<&[f32]> = rows.iter().map(|row| &row[own.clone()]).collect();
            let found: Vec<&[f32]> = found.iter().map(|row| &row[..own.len()]).collect();
            verify_rows(name, points, &rows, &found)?;
        }
        Ok(())
    }
}
