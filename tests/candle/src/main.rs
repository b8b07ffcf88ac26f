//! Runs the guide's listing on a GPU, and compares its distances with candle's own.

use std::process::ExitCode;

use candle_core::{CudaStorage, Device as CandleDevice, Storage, Tensor, op::BackpropOp};
use td_kernel::{Device, Error, Result, td_kernel};

#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    distance = sqrtf(x * x + y * y + z * z + w * w);
    "#
}

// ANCHOR: candle
/// The distances of the rows of an n x 4 tensor of f32.
fn packed_distances(points: &Tensor) -> Result<Tensor> {
    let CandleDevice::Cuda(candle) = points.device() else {
        return Err(Error::other("not on a GPU"));
    };
    let stream = candle.cuda_stream();
    let kernel = distances::load(&Device::from_cuda(stream.context())?)?.with_stream(&stream)?;
    let (storage, layout) = points.storage_and_layout(); // locked until the launch has returned
    let (Storage::Cuda(storage), Some((start, end))) = (&*storage, layout.contiguous_offsets())
    else {
        return Err(Error::other("not contiguous"));
    };
    let floats = storage.as_cuda_slice::<f32>().map_err(Error::other)?.slice(start..end);
    let n = floats.len() / 4;
    // SAFETY: n points of four floats lie within the slice, and any bits are floats.
    let points = unsafe { floats.transmute::<[f32; 4]>(n) };
    let points = points.ok_or_else(|| Error::other("the points are longer than their slice"))?;
    let mut values =
        stream.alloc_zeros::<f32>(n * n.saturating_sub(1) / 2).map_err(Error::other)?;
    let count = values.len();
    kernel.launch(&points, &mut values)?;
    let storage = Storage::Cuda(CudaStorage::wrap_cuda_slice(values, candle.clone()));
    Ok(Tensor::from_storage(storage, count, BackpropOp::none(), false))
}
// ANCHOR_END: candle

/// The greatest difference from the distances that candle's own operations give.
fn greatest_difference(n: usize) -> Result<f64> {
    let other = |error: candle_core::Error| Error::other(error);
    let device = CandleDevice::new_cuda(0).map_err(other)?;
    let points = Tensor::rand(0.0_f32, 1.0, (n, 4), &device).map_err(other)?;
    // Candle writes the points on its stream, and reads the distances there: nothing waits here.
    let packed = packed_distances(&points)?
        .affine(1.0, 0.0)
        .and_then(|values| values.to_vec1::<f32>())
        .map_err(other)?;
    let square = |points: &Tensor| -> candle_core::Result<Vec<Vec<f32>>> {
        points.unsqueeze(1)?.broadcast_sub(&points.unsqueeze(0)?)?.sqr()?.sum(2)?.sqrt()?.to_vec2()
    };
    let expected = square(&points).map_err(other)?;
    let pairs: Vec<_> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    if packed.len() != pairs.len() || !packed.iter().all(|value| *value > 0.0) {
        return Err(Error::other("there is not a distance for each pair"));
    }
    let differences = pairs
        .into_iter()
        .zip(packed)
        .map(|((i, j), value)| f64::from((value - expected[i][j]).abs()));
    Ok(differences.fold(0.0, f64::max))
}

fn main() -> ExitCode {
    for n in [2, 3, 1000, 3001] {
        match greatest_difference(n) {
            Ok(difference) if difference < 1e-6 => {
                println!("{n} points: within {difference:e} of candle's distances")
            }
            Ok(difference) => {
                eprintln!("{n} points: {difference:e} from candle's distances");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("{n} points: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
