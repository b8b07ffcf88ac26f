//! The map h has one launch per set bit of its rows. The question is whether they run better one
//! after another on one stream, as `launch` has them, or each on a stream of its own.

use std::sync::Arc;

use serde_json::json;
use td_kernel::cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, DriverError, LaunchConfig,
    PushKernelArg,
};
use td_kernel::maps::{H, Launch as Launched, Map, Shape, Space};

use crate::Failure;
use crate::experiment::{self, Run};
use crate::figures::edm_4;
use crate::measure::by_hand::Source;
use crate::measure::gpu::Gpu;
use crate::subject::{Contest, Distances, InPacked, Launch, Subject};

/// The threads per side of the kernel's blocks.
const BLOCK: u32 = 16;

/// One set bit, few, and as many as there can be, small and large: in blocks, 64 to 2047 rows.
const SIZES: &[usize] = &[1024, 2032, 4096, 8176, 16_384, 30_720, 32_752];

/// Measures, prints a table, and writes the figures.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    let title = "The launches of h: packed distances, 4 features, block 16";
    let columns = ["n", "launches", "one_stream_ms", "several_streams_ms", "several_over_one"];
    experiment::table_of(options, "h-launches", title, &columns, |gpu, rows| {
        for &n in SIZES {
            let subject = Distances::<[f32; 4], InPacked>::distances(gpu, n)?;
            let launches = H.launches(&Shape::blocks((n as u32).div_ceil(BLOCK)));
            let count = launches.len();
            let streams = Streams::new(gpu, launches)?;
            let several: Launch<_> = Box::new(move |subject: &Distances<_, _>, slots| {
                Ok(streams.launch(subject.points(), slots)?)
            });
            let kernels = vec![subject.generated::<edm_4::h>()?, ("several".into(), several)];
            let times =
                Contest::new(&subject, kernels)?.time(vec![], if n < 10_000 { 20 } else { 4 })?;
            let [one, several] = [0, 1].map(|way| times[way].ms.median);
            rows.push(json!([n, count, one, several, several / one]));
        }
        Ok(())
    })
}

/// A stream for each launch, and the kernel as cudarc has it.
struct Streams {
    main: Arc<CudaStream>,
    others: Vec<Arc<CudaStream>>,
    launches: Vec<Launched>,
    function: CudaFunction,
}

impl Streams {
    fn new(gpu: &Gpu, launches: Vec<Launched>) -> Result<Streams, Failure> {
        let context = gpu.stream.context();
        let function = gpu.load(&Source::generated("h_kernel", edm_4::h::SOURCE))?;
        let others = (1..launches.len()).map(|_| context.new_stream()).collect::<Result<_, _>>()?;
        Ok(Streams { main: gpu.stream.clone(), others, launches, function })
    }

    /// The first launch on the main stream, each other on its own, between a fork and a join.
    fn launch(
        &self,
        points: &CudaSlice<[f32; 4]>,
        distance: &mut CudaSlice<f32>,
    ) -> Result<(), DriverError> {
        let n = points.len() as u32;
        // Bare addresses: cudarc would order the launches by the slices' own events. The guards end
        // with this function, when all launches are joined.
        let (points, _points) = points.device_ptr(&self.main);
        let (distance, _distance) = distance.device_ptr_mut(&self.main);
        let start = self.main.record_event(None)?;
        for (stream, launch) in std::iter::once(&self.main).chain(&self.others).zip(&self.launches)
        {
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
