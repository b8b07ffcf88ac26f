//! The whole square of distances of points in the plane, both halves written: a ladder of kernels as one
//! makes them faster by hand, in the steps that a blog on the Euclidean distance matrix goes through, and
//! the generated kernels beside them.

mod file;
mod ladder;

pub(crate) use self::file::{EdmSquare, Rung};
use self::ladder::{RUNGS, Step};
use crate::measure::gpu::{Gpu, Way};
use crate::measure::points::points;
use crate::record::{File, Machine};
use crate::targets::edm::{Edm, Problem, pairs};
use crate::targets::packed::Fill;
use crate::targets::square;
use crate::{Failure, Run};

/// The blog's number of points.
const N: usize = 30_336;

/// How often each kernel is timed, and launches in each time.
const ROUNDS: usize = 11;
const REPEATS: u32 = 2;

/// Measures, and writes the file.
pub(crate) fn run(options: &Run) -> Result<(), Failure> {
    let gpu = Gpu::open()?;
    let figures = measure(&gpu)?;
    for rung in &figures.rungs {
        let text = rung.wrong.clone().unwrap_or_else(|| {
            let share = 100.0 * rung.share_of_fill;
            format!("{:>9.4} ms {:>7.0} GB/s {share:>6.1} % of the fill", rung.ms, rung.gb_per_s)
        });
        println!("{:<34}{text}", rung.name);
    }
    let wrong: Vec<String> = figures
        .rungs
        .iter()
        .filter_map(|rung| Some(format!("{}: {}", rung.name, rung.wrong.as_ref()?)))
        .collect();
    File::new(Machine::of(&gpu, options.commit.clone())?, figures).write(&options.output)?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn measure(gpu: &Gpu) -> Result<EdmSquare, Failure> {
    let mut rungs = squares(gpu)?;
    // Packed is half of the bytes, and so has a fill of its own. Without it, the squares still stand.
    match packed(gpu) {
        Ok(rung) => rungs.push(rung),
        Err(error) => rungs.push(Rung::failed("generated, Packed", &error)),
    }
    Ok(EdmSquare { n: N, features: 2, rounds: ROUNDS, rungs })
}

fn squares(gpu: &Gpu) -> Result<Vec<Rung>, Failure> {
    let elements = gpu.upload(&points::<[f32; 2]>(N))?;
    let mut expected = gpu.poisoned(N * N)?;
    square::ByHand::reference::<[f32; 2]>(gpu, N)?.launch(&elements, &mut expected)?;
    // All write to the same slots: each is checked alone before all are timed.
    let slots = std::cell::RefCell::new(gpu.poisoned(N * N)?);
    let fill = Fill::new(gpu)?;
    let tiles = square::ByHand::tiles::<[f32; 2]>(gpu, N)?;
    let generated = square::two(&gpu.device)?;
    let steps = RUNGS.iter().map(|rung| Step::load(gpu, rung)).collect::<Result<Vec<_>, _>>()?;

    let mut ways = vec![Way::new("fill", || fill.launch(&mut slots.borrow_mut()))];
    for step in &steps {
        ways.push(Way::new(step.rung.name, || step.launch(&elements, &mut slots.borrow_mut())));
    }
    ways.push(Way::new("by hand, tiles of 128", || {
        tiles.launch(&elements, &mut slots.borrow_mut())
    }));
    ways.push(Way::new("generated, Square", || Ok(generated(&elements, &mut slots.borrow_mut())?)));

    let mut wrong = vec![None];
    for way in ways.iter_mut().skip(1) {
        gpu.poison(&mut slots.borrow_mut())?;
        let right = way.run().and_then(|()| gpu.check(&way.name, &slots.borrow(), &expected));
        wrong.push(right.err().map(|error| error.to_string()));
    }
    drop(expected);
    let names: Vec<String> = ways.iter().map(|way| way.name.clone()).collect();
    let samples = gpu.samples(ROUNDS, REPEATS, ways)?;
    file::rungs(4 * N * N, &names, samples, wrong)
}

fn packed(gpu: &Gpu) -> Result<Rung, Failure> {
    let problem = Problem::<[f32; 2]>::new(gpu, N)?;
    let generated = <[f32; 2]>::generated(&gpu.device)?;
    let fill = Fill::new(gpu)?;
    let (mut filled, mut slots) = (problem.poisoned()?, problem.poisoned()?);
    let ways = vec![
        Way::new("fill", || fill.launch(&mut filled)),
        Way::new("generated", || Ok(generated(&problem.points, &mut slots)?)),
    ];
    let samples = gpu.samples(ROUNDS, REPEATS, ways)?;
    let right = gpu.check("generated", &slots, &problem.reference()?);
    let names = ["fill of half the bytes".to_owned(), "generated, Packed".to_owned()];
    let wrong = vec![None, right.err().map(|error| error.to_string())];
    let rungs = file::rungs(4 * pairs(N), &names, samples, wrong)?;
    rungs.into_iter().next_back().ok_or_else(|| "nothing was timed".into())
}
