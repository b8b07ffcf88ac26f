//! The program on rows and columns of many sets.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// All distances between the atoms of each ligand and those of its protein, and the nearest protein atom of each ligand atom.
#[td_kernel]
unsafe fn complexes(
    #[row] ligand: &Sets<[f32; 3]>,
    #[column] protein: &Sets<[f32; 3]>,
    distance: &mut Matrix<f32>,
    #[row] nearest: &mut Minima<(f32, u32)>,
) {
    r#"
    float dx = ligand.x - protein.x, dy = ligand.y - protein.y, dz = ligand.z - protein.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    nearest.offer(distance);
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let ligands =
        device.upload_sets([vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], vec![[0.0, 0.0, 9.0]]])?;
    let proteins = device.upload_sets([
        vec![[1.0, 3.0, 0.0], [4.0, 4.0, 0.0], [0.0, 2.0, 0.0]],
        vec![[0.0, 0.0, 0.0], [0.0, 4.0, 6.0]],
    ])?;
    let mut distance = device.matrix_sets(&ligands, &proteins)?;
    let mut nearest = device.minima(ligands.element_count())?;
    complexes::load(&device)?.launch(&ligands, &proteins, &mut distance, &mut nearest)?;
    let (distance, nearest) = (distance.download()?, nearest.download()?);
    for complex in 0..distance.len() {
        println!("complex {complex}: {:?}", distance.set(complex).unwrap_or_default());
        for atom in ligands.elements(complex).unwrap_or_default() {
            println!("  the nearest protein atom: {:?}", nearest[atom]);
        }
    }
    Ok(())
}
// ANCHOR_END: program
