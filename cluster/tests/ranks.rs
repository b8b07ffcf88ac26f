//! Several ranks compute the same as one process. Each test starts this program again as 1, 2, 3 and 7 ranks on CPUs, which run
//! the named check.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

mod common;

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use common::{fails, mpirun, succeeds};
use td_kernel::{Chunks, Device, Features, NpyValue, PartialResult, Target, td_kernel};
use td_kernel_cluster::{Cluster, Result, run};

const SIZES: [usize; 7] = [0, 1, 2, 17, 64, 100, 333];
const RANKS: [usize; 4] = [1, 2, 3, 7];

/// The variable with the name of a rank's check.
const CHECK: &str = "TD_KERNEL_CLUSTER_CHECK";
/// The variable with the folder for its files.
const FOLDER: &str = "TD_KERNEL_CLUSTER_FOLDER";

/// What a rank runs.
type Check = fn(&Cluster) -> Result<()>;

/// The checks, by name.
const CHECKS: [(&str, Check); 11] = [
    ("gathered", gathered),
    ("neighbours", neighbours),
    ("lists", lists),
    ("files", files),
    ("an error", an_error),
    ("a panic", a_panic),
    ("different jobs", different_jobs),
    ("different devices", different_devices),
    ("different variants", different_variants),
    ("tuned alone", tuned_alone),
    ("refused", refused),
];

/// Not a test by itself: the others start it, as ranks.
#[test]
fn rank_process() {
    let Ok(name) = env::var(CHECK) else { return };
    if name == "broadcast" {
        // Also in parts that are not whole numbers of elements.
        let cluster = Cluster::start().unwrap();
        broadcast(&cluster).unwrap();
        broadcast(&cluster.with_parts_of(5)).unwrap();
        println!("checked");
        return;
    }
    let (_, check) = CHECKS.iter().find(|(known, _)| *known == name).unwrap();
    assert_eq!(run(check), ExitCode::SUCCESS);
    println!("checked");
}

/// This program with this many ranks.
fn ranks(count: usize, check: &str) -> Command {
    let program = env::current_exe().unwrap();
    let mut command = mpirun(count, program.to_str().unwrap());
    command
        .args(["--exact", "rank_process", "--nocapture", "--test-threads", "1"])
        .env(CHECK, check);
    command
}

/// Runs a check with each number of ranks: it must succeed with each of them.
fn all(check: &str) {
    let folder = tempfile::tempdir().unwrap();
    for count in RANKS {
        let text = succeeds(ranks(count, check).env(FOLDER, folder.path()));
        assert_eq!(text.matches("checked").count(), count, "{text}");
    }
}

fn numbers(n: usize) -> Vec<f32> {
    // Some are equal.
    (0..n).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) as f32 % 4093.0 / 64.0).collect()
}

#[test]
fn elements_are_broadcast_in_parts() {
    all("broadcast");
}

fn broadcast(cluster: &Cluster) -> Result<()> {
    for n in SIZES {
        let own = |of: usize| if cluster.is_first() { numbers(of) } else { numbers(3) };
        assert_eq!(cluster.broadcast(own(n))?, numbers(n));
        let doubles: Vec<[f64; 3]> = (0..n).map(|at| [at as f64, -0.5, 1e300]).collect();
        let own = if cluster.is_first() { doubles.clone() } else { Vec::new() };
        assert_eq!(cluster.broadcast(own)?, doubles);
        let gathered = cluster.gather(&numbers(n * cluster.rank()))?;
        assert_eq!(gathered.len(), if cluster.is_first() { cluster.size() } else { 0 });
        assert!(
            gathered.iter().enumerate().all(|(rank, numbers_of)| *numbers_of == numbers(n * rank))
        );
    }
    assert_eq!(cluster.broadcast_text(&format!("of rank {}", cluster.rank()))?, "of rank 0");
    assert!(cluster.local_rank() == cluster.rank() && !cluster.machine().is_empty());
    Ok(())
}

#[td_kernel(deterministic = true)]
unsafe fn sums(
    #[each] x: &[f32],
    count: &mut Sum<u64>,
    total: &mut Sum<f32>,
    #[each] sum: &mut Sums<[f32; 2]>,
) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d < 8.0f) count += 1;
    total += d;
    sum.i += make_float2(d * 0.1f, 1.0f);
    sum.j -= make_float2(d * 0.3f, d);
    "#
}

#[td_kernel]
unsafe fn extremes(
    #[row] x: &[f32],
    #[column] y: &[f32],
    #[row] near: &mut Minima<(f32, u32)>,
    #[column] far: &mut Maxima<f32>,
) {
    r#"
    near.offer(fabsf(x - y));
    far.offer(fabsf(x - y));
    "#
}

/// Checks that the joined result of all ranks equals one device's.
fn same<O: PartialResult>(cluster: &Cluster, found: &O, expected: O::Output)
where
    O::Output: PartialEq + std::fmt::Debug,
{
    assert_eq!(cluster.joined_on_all(found).unwrap(), expected);
    let joined = cluster.joined(found).unwrap();
    assert_eq!(joined, cluster.is_first().then_some(expected));
}

#[test]
fn sums_equal_one_process() {
    all("gathered");
}

fn gathered(cluster: &Cluster) -> Result<()> {
    let device = Device::cpu()?;
    // The only device of a group runs the whole launch, in the way of several.
    let (one, shared) = (td_kernel::Devices::new([device.clone()])?, cluster.sharing(device)?);
    for n in SIZES {
        let x = numbers(n);
        let launch = |device: &Target| {
            let (mut count, mut total, mut sum) = (device.sum()?, device.sum()?, device.sums(n)?);
            let x = device.upload(&x)?;
            sums::load(device)?.launch(&x, &mut count, &mut total, &mut sum)?;
            Ok::<_, td_kernel::Error>((count, total, sum))
        };
        let (expected, found) = (launch(&one)?, launch(&shared)?);
        same(cluster, &found.0, expected.0.download()?);
        same(cluster, &found.1, expected.1.download()?);
        same(cluster, &found.2, expected.2.download()?);
        for columns in [0, 1, 50] {
            let y = numbers(columns + 7);
            let launch = |device: &Target| {
                let (mut near, mut far) = (device.minima(n)?, device.maxima(columns)?);
                let (x, y) = (device.upload(&x)?, device.upload(&y[7..])?);
                extremes::load(device)?.launch(&x, &y, &mut near, &mut far)?;
                Ok::<_, td_kernel::Error>((near, far))
            };
            let (expected, found) = (launch(&one)?, launch(&shared)?);
            same(cluster, &found.0, expected.0.download()?);
            same(cluster, &found.1, expected.1.download()?);
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn nearest(#[each] x: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 6>) {
    let feature = r#" float d = x.i - x.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}

#[td_kernel]
unsafe fn nearest_numbers(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 6>) {
    r#" near.push(fabsf(x.i - x.j)); "#
}

#[test]
fn neighbours_equal_one_process() {
    all("neighbours");
}

fn neighbours(cluster: &Cluster) -> Result<()> {
    let device = Device::cpu()?;
    let shared = cluster.sharing(device.clone())?;
    for n in SIZES {
        let (x, rows) = (numbers(n), numbers(3 * n));
        let launch = |device: &Target| {
            let (mut numbers, mut near) = (device.nearest(n)?, device.nearest(n)?);
            let rows: Features<f32> = device.features(&rows, 3)?;
            nearest::load(device)?.launch(&rows, &mut near)?;
            nearest_numbers::load(device)?.launch(&device.upload(&x)?, &mut numbers)?;
            Ok::<_, td_kernel::Error>((near, numbers))
        };
        let (expected, found) = (launch(&device)?, launch(&shared)?);
        same(cluster, &found.0, expected.0.download()?);
        same(cluster, &found.1, expected.1.download()?);
    }
    Ok(())
}

#[td_kernel]
unsafe fn close(#[each] x: &[f32], list: &mut Pairs, distances: &mut Pairs<f32>) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d < 5.0f) {
        list.push();
        distances.push(d);
    }
    "#
}

#[test]
fn lists_equal_one_process() {
    all("lists");
}

fn lists(cluster: &Cluster) -> Result<()> {
    let device = Device::cpu()?;
    let shared = cluster.sharing(device.clone())?;
    for n in SIZES {
        let x = numbers(n);
        let launch = |device: &Target| {
            let room = n * n.saturating_sub(1) / 2;
            let (mut list, mut distances) = (device.pairs(room)?, device.pairs(room)?);
            close::load(device)?.launch(&device.upload(&x)?, &mut list, &mut distances)?;
            Ok::<_, td_kernel::Error>((list, distances))
        };
        let (expected, found) = (launch(&device)?, launch(&shared)?);
        let pairs = expected.0.download()?.sorted()?;
        assert_eq!(cluster.joined_pairs(&found.0)?, cluster.is_first().then_some(pairs));
        let list = expected.1.download()?.sorted()?;
        assert_eq!(cluster.joined_list(&found.1)?, cluster.is_first().then_some(list));
    }
    Ok(())
}

#[td_kernel]
unsafe fn differences(#[each] x: &[f32], out: &mut Packed<[f32; 2]>) {
    r#" out = make_float2(x.i - x.j, x.i + x.j); "#
}

#[td_kernel(diagonal = true)]
unsafe fn with_diagonal(#[each] x: &[f32], out: &mut Packed<u8>) {
    r#" out = (unsigned char)(x.i + x.j); "#
}

#[td_kernel]
unsafe fn products(#[row] x: &[f32], #[column] y: &[f32], scale: f64, out: &mut Matrix<f64>) {
    r#" out = x * y * scale; "#
}

#[test]
fn files_equal_one_process() {
    all("files");
}

/// Checks that ranks write the same file as one process, in chunks of this height, and report all of its values.
fn same_file<'a, T: NpyValue>(
    cluster: &Cluster,
    elements: &[f32],
    (values, height): (usize, usize),
    chunks: impl Fn() -> td_kernel::Result<Chunks<'a, T>>,
) -> Result<()> {
    let file = |name: &str| Path::new(&env::var(FOLDER).unwrap()).join(name);
    let (path, expected) = (file("ranks.npy"), file(&format!("one-{}.npy", cluster.rank())));
    chunks()?.write_npy(&expected)?;
    let (chunks, mut last) = (chunks()?.height(height), (0, 0));
    let file = chunks.npy_file(&path, elements)?.replace(true);
    let written = cluster.write_npy(file, chunks, |done, of| last = (done, of))?;
    assert!(fs::read(&path).unwrap() == fs::read(&expected).unwrap());
    assert_eq!((written.before, written.values), (0, values));
    assert!(last == (values, values) || !cluster.is_first() || values == 0);
    // Before another job replaces it.
    cluster.wait_for_all();
    Ok(())
}

fn files(cluster: &Cluster) -> Result<()> {
    let device = Device::cpu()?;
    for n in SIZES {
        let numbers = numbers(n);
        let x = device.upload(&numbers)?;
        let pairs = n * n.saturating_sub(1) / 2;
        let kernel = differences::load(&device)?;
        same_file(cluster, &numbers, (pairs, 5), || kernel.chunks(&x))?;
        // In reverse order, which ranks support like one process.
        same_file(cluster, &numbers, (pairs, 7), || Ok(kernel.chunks(&x)?.condensed()))?;

        let kernel = with_diagonal::load(&device)?;
        same_file(cluster, &numbers, (pairs + n, 40), || kernel.chunks(&x))?;

        let y = numbers.iter().copied().cycle().take(9).collect::<Vec<_>>();
        let (kernel, y) = (products::load(&device)?, device.upload(&y)?);
        let columns = y.len();
        same_file(cluster, &numbers, (n * columns, 3), || kernel.chunks(&x, &y, 0.1))?;
        // Some of the rows.
        let (kernel, rows) = (kernel.rows(n / 3..n / 2), n / 2 - n / 3);
        same_file(cluster, &numbers, (rows * columns, 3), || kernel.chunks(&x, &y, 0.1))?;
    }
    Ok(())
}

/// The others wait for a message that never comes.
fn an_error(cluster: &Cluster) -> Result<()> {
    if cluster.rank() + 1 == cluster.size() {
        Device::cpu()?.upload(&[0.0_f32; 4])?.slice(2..9)?;
    }
    cluster.broadcast(vec![1_u8])?;
    cluster.wait_for_all();
    println!("nobody comes here");
    Ok(())
}

fn a_panic(cluster: &Cluster) -> Result<()> {
    assert_ne!(cluster.rank() + 1, cluster.size(), "this rank is the last one");
    cluster.wait_for_all();
    Ok(())
}

fn different_jobs(cluster: &Cluster) -> Result<()> {
    let device = Device::cpu()?;
    // Each rank has its own elements.
    let x = [1.0, 2.0, cluster.rank() as f32];
    let (kernel, buffer) = (with_diagonal::load(&device)?, device.upload(&x)?);
    same_file(cluster, &x, (6, 3), || kernel.chunks(&buffer))
}

#[test]
fn error_names_rank_and_machine() {
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    for count in RANKS {
        let line = format!("error: rank {} of {count}, on {}: ", count - 1, machine.trim());
        fails(&mut ranks(count, "an error"), &[&line, "2..9"]);
        let line = format!("{line}it panicked");
        fails(&mut ranks(count, "a panic"), &[&line, "this rank is the last one"]);
    }
}

#[test]
fn different_jobs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["error: rank 1 of 2, on ", "rank 0 works on another job: its elements, or "];
    fails(ranks(2, "different jobs").env(FOLDER, folder.path()), &words);
}

fn different_devices(cluster: &Cluster) -> Result<()> {
    let device = match cluster.rank() {
        2 => Device::emulator()?,
        _ => Device::cpu()?,
    };
    cluster.sharing(device)?;
    Ok(())
}

#[test]
fn different_devices_are_refused() {
    let words = [
        "error: rank 0 of 3, on ",
        ": rank 2, on ",
        " cores that runs the GPU source, but rank 0, on ",
        "they would divide the pairs differently",
    ];
    fails(&mut ranks(3, "different devices"), &words);
    succeeds(&mut ranks(2, "different devices"));
}

#[td_kernel]
unsafe fn all_pairs(#[each] x: &[f32], count: &mut Sum<u64>) {
    r#" if (x.i + x.j > -1.0f) count += 1; "#
}

/// Each rank has another variant, whose tiles end at other rows.
fn different_variants(cluster: &Cluster) -> Result<()> {
    let devices = cluster.sharing(Device::emulator()?)?;
    let kernel = all_pairs { kernel: all_pairs::load(&devices)?.kernel.pin(cluster.rank() % 2) };
    let mut count = devices.sum()?;
    kernel.launch(&devices.upload(&numbers(700))?, &mut count)?;
    println!("all ranks have counted {:?} pairs", cluster.joined(&count)?);
    Ok(())
}

/// Each rank would measure by itself which variant is fastest.
fn tuned_alone(cluster: &Cluster) -> Result<()> {
    let devices = cluster.sharing(Device::emulator()?)?;
    let (kernel, x) = (all_pairs::load(&devices)?, devices.upload(&numbers(700))?);
    kernel.tune(&x, &mut devices.sum()?)?;
    Ok(())
}

#[test]
fn different_variants_are_refused() {
    for (check, choice) in [("different variants", "pinned to a variant"), ("tuned alone", "tuned")]
    {
        let words = format!("kernel `all_pairs`: it cannot be {choice}, because each process");
        fails(&mut ranks(2, check), &["error: rank ", &words]);
        // With one rank, no other rank has any pairs.
        succeeds(&mut ranks(1, check));
    }
}

#[td_kernel]
unsafe fn gathering(#[each] x: &[f32], out: &mut Packed<f32>, total: &mut Sum<u64>) {
    r#"
    out = x.i - x.j;
    total += 1;
    "#
}

/// A refused job leaves nothing in the folder.
#[test]
fn impossible_chunks_are_an_early_error() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(ranks(1, "refused").env(FOLDER, folder.path()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn refused(cluster: &Cluster) -> Result<()> {
    let path = Path::new(&env::var(FOLDER).unwrap()).join("a.npy");
    let device = Device::cpu()?;
    let x = device.upload(&numbers(100))?;
    let kernel = gathering::load(&device)?;
    let mut total = device.sum()?;
    let chunks = kernel.chunks(&x, &mut total)?;
    let file = chunks.npy_file(&path, b"numbers")?.resume(true);
    let error = cluster.write_npy(file, chunks, |_, _| ()).unwrap_err().to_string();
    assert!(
        error.starts_with("kernel `gathering`: it has other outputs than the values"),
        "{error}"
    );
    let kernel = with_diagonal::load(&device)?;
    let chunks = kernel.chunks(&x)?.memory(99);
    let file = chunks.npy_file(&path, b"numbers")?;
    let error = cluster.write_npy(file, chunks, |_, _| ()).unwrap_err().to_string();
    assert!(error.starts_with("row 99 has 100 bytes, but a chunk can hold only 99"), "{error}");
    Ok(())
}
