//! The map h has one launch per set bit of its rows. The question is whether they run better one
//! after another on one stream, as `launch` has them, or each on a stream of its own.

use std::sync::Arc;

use serde_json::json;
use td_kernel::cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DriverError, LaunchConfig,
    PushKernelArg,
};
use td_kernel::maps::{H, Launch, Map, Shape, Space};

use crate::Failure;
use crate::experiment::{self, File, Run, Table};
use crate::figures::edm_4;
use crate::measure::gpu::Gpu;
use crate::measure::times::medians;

/// The threads per side of the kernel's blocks.
const BLOCK: u32 = 16;

/// One set bit, few, and as many as there can be, small and large: in blocks, 64 to 2047 rows.
const SIZES: &[usize] = &[1024, 2032, 4096, 8176, 16_384, 30_720, 32_752];

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    experiment::run(options, "h-launches", |gpu, file: &mut File<Table>| {
        let title = "The launches of h: packed distances, 4 features, block 16";
        let columns = ["n", "launches", "one_stream_ms", "several_streams_ms", "several_over_one"];
        file.figures = Table::new(title, &columns);
        for &n in SIZES {
            let (launches, one, several) = measure(gpu, n)?;
            let row =
                vec![json!(n), json!(launches), json!(one), json!(several), json!(several / one)];
            file.figures.rows.push(row);
        }
        Ok(())
    })
}

/// The number of launches, and the medians of both ways in milliseconds.
fn measure(gpu: &Gpu, n: usize) -> Result<(usize, f64, f64), Failure> {
    let (device, stream) = (&gpu.device, &gpu.stream);
    let points: Vec<[f32; 4]> =
        (0..n).map(|k| [k as f32, (k % 7) as f32, (k % 11) as f32, (k % 13) as f32]).collect();
    let points = stream.clone_htod(&points)?;
    let mut expected = stream.alloc_zeros::<f32>(n * (n - 1) / 2)?;
    let mut distance = stream.alloc_zeros::<f32>(n * (n - 1) / 2)?;
    let kernel = edm_4::h::load(device)?;
    let launches = H.launches(&Shape::blocks((n as u32).div_ceil(BLOCK)));
    let side_by_side = Streams::new(gpu, launches.len())?;
    let rounds = 21;
    let repeats = if n < 10_000 { 20 } else { 4 };
    let [one, several] = medians(
        device,
        rounds,
        repeats,
        [&mut || Ok(kernel.launch(&points, &mut expected)?), &mut || {
            Ok(side_by_side.launch(n as u32, &launches, &points, &mut distance)?)
        }],
    )?;
    if stream.clone_dtoh(&expected)? != stream.clone_dtoh(&distance)? {
        return Err(format!("n = {n}: the two ways give different distances").into());
    }
    Ok((launches.len(), one, several))
}

/// A stream for each launch, and the kernel as cudarc has it.
struct Streams {
    main: Arc<CudaStream>,
    others: Vec<Arc<CudaStream>>,
    function: CudaFunction,
}

impl Streams {
    fn new(gpu: &Gpu, count: usize) -> Result<Streams, Failure> {
        let context = gpu.stream.context();
        let function = gpu.load_text("h_kernel", edm_4::h::SOURCE)?;
        let others = (1..count).map(|_| context.new_stream()).collect::<Result<_, _>>()?;
        Ok(Streams { main: gpu.stream.clone(), others, function })
    }

    /// The first launch on the main stream, each other on its own, between a fork and a join.
    fn launch(
        &self,
        n: u32,
        launches: &[Launch],
        points: &CudaSlice<[f32; 4]>,
        distance: &mut CudaSlice<f32>,
    ) -> Result<(), DriverError> {
        // Bare addresses: cudarc would order the launches by the slices' own events. The guards end
        // with this function, when all launches are joined.
        let (points, _points) = points.device_ptr(&self.main);
        let (distance, _distance) = distance.device_ptr_mut(&self.main);
        let start = self.main.record_event(None)?;
        for (stream, launch) in std::iter::once(&self.main).chain(&self.others).zip(launches) {
            stream.wait(&start)?;
            let Some([x, y]) = launch.grid.blocks(Space::Block, BLOCK) else { continue };
            let config = LaunchConfig {
                grid_dim: (x, y, 1),
                block_dim: (BLOCK, BLOCK, 1),
                shared_mem_bytes: 0,
            };
            let mut builder = stream.launch_builder(&self.function);
            builder.arg(&n);
            for number in &launch.numbers {
                builder.arg(number);
            }
            builder.arg(&points).arg(&distance);
            // SAFETY: these are the kernel's parameters in their order, and the launches of a map
            // write different slots.
            unsafe { builder.launch(config) }?;
        }
        for stream in &self.others {
            self.main.wait(&stream.record_event(None)?)?;
        }
        Ok(())
    }
}
