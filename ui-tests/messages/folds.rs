//! Folds over features: wrong types, wrong bodies, and keys that their kernels cannot have.

#[repr(C)] #[derive(Clone, Copy, DeviceType)] struct Force { x: f32 }

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE, #[fold] s: f32, out: &mut Packed<f32>) {
        let feature = r#" s += a.i; "#; let pair = r#" out = s; "#;
    }

    {
        #[each] a: &Features<[f32; 3]>, #[each] b: &Features<Force>, #[each] c: &Features, #[each] d: &Features<bool>,
        #[each] e: &Features<[usize; 2]>, #[each] f: &Features<u128>
    }
    { #[each] d: &mut Features<f32>, #[each] e: Features<f32>, f: &Features<f32> }
    { #[each] a: &Features<f32>, #[each] b: &Features<u8>, #[each] c: &Features<[i8; 4]> }
    {
        #[each] a: &Features<f32>, #[each] b: &Features<f32>, #[each] c: &Features<f32>, #[each] d: &Features<f32>,
        #[each] e: &Features<f32>
    }
    { #[row] a: &Features<f32> }
    { #[each] a: &[Features<f32>] }
    { #[each] features: &Features<f32>, #[fold] k: f32 }
}

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] a: &Features<f32>, scale: f32, MISTAKE, out: &mut Packed<f32>) {
        let feature = r#" b += a.i; c += 1; d += scale; "#; let pair = r#" out = b; "#;
    }

    {
        #[fold] b: Force, #[fold] c: &mut f32, #[fold] g: &mut Sum<f32>, #[fold] h: f16, #[fold] l: [half::bf16; 2],
        #[fold] d: bool,
        #[fold]
        #[each]
        e: f32,
        #[fold]
        #[fold]
        f: f32
    }
    {
        #[fold()] b: f32, #[fold = 1] c: f32, #[fold(begin = "1")] d: f32, #[fold(start = 1)] e: f32, #[fold(start)] o: f32,
        #[fold("INFINITY")] r: f32, #[fold(1.5)] t: f32, #[fold(start = "0.5", end = "1")] u: f32,
        #[fold(start = "0.5", start = "1")] v: f32, #[fold(start = "0.5" + 1)] w: f32, #[fold(start = "")] f: f32,
        #[fold(start = "1; exit(0)")] g: f32,
        #[fold(start = "1
        + 2")]
        p: f32,
        #[fold(start = "1)")] h: f32,
        #[fold(start = "1, 2")] l: f32, #[fold(start = "{1, 2}")] m: f32, #[fold(start = "(1, 2)")] q: f32
    }
    {
        #[fold(start = "1, 2")] b: [f32; 2], #[fold(start = "INFINITY")] c: [f32; 2], #[fold(start = "{1, 2, 3}")] d: [f32; 2],
        #[fold(start = "{1, 2}")] e: [f32; 2], #[fold(start = "make_float2(1, 2)")] f: [f32; 2]
    }
    {
        #[fold(start = "2 * scale")]
        b: f32, #[fold(start = "row + INFINITY")] c: f32, #[fold(start = "max(features, 1)")] d: f32, #[fold(start = "STEP")] e: f32
    }
    { #[fold] b: [f64; 4], #[fold] c: [f64; 4], #[fold] d: u8 }
}

#[td_kernel] unsafe fn no_fold(#[each] a: &Features<f32>, out: &mut Packed<f32>) {
    let feature = r#" a.i; "#; let pair = r#" out = 1; "#;
}

#[td_kernel] unsafe fn no_features(#[each] a: &[f32], #[fold] s: f32, out: &mut Packed<f32>) { r#" out = a.i; "# }

mistakes! {
    #[td_kernel] unsafe fn kernel(#[each] a: &Features<f32>, #[fold] s: f32, out: &mut Packed<f32>) { MISTAKE }
    { r#" out = s; "# }
    {}
    { let pair = r#" out = s; "#; }
    { let feature = r#" s += a.i; "#; }
    {
        let feature = r#" s += a.i; "#; let feature = r#" s += a.j; "#;
        let mut pair = r#" out = s; "#;
        let pair = 1;
        let pairs = r#" out = s; "#;
        r#" out = s; "#;
        out = s;
    }
    { let feature r#" s += a.i; "# }
    { let feature = r#" s += a.i; } "#; let pair = " __syncthreads(); "; }
}

#[td_kernel] unsafe fn two_texts(#[each] a: &[f32], out: &mut Packed<f32>) {
    let feature = r#" a.i; "#; let pair = r#" out = 1; "#;
}

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] a: &Features<f64>, #[fold] s: f64, out: &mut Packed<f64>) {
        let feature = r#" s += a.i; "#; let pair = r#" out = s; "#;
    }

    { sweep = "rows" }
    { block = 16 }
    { space = "thread" }
    { tile = 128 }
}

#[td_kernel(tile = 256)] unsafe fn tile(#[each] a: &Features<f32>, #[fold] s: f32, out: &mut Packed<f32>) {
    let feature = r#" s += a.i; "#; let pair = r#" out = s; "#;
}

#[td_kernel(tile = 64)] unsafe fn tile_of_vectors(#[each] a: &Features<f32>, #[fold] s: [f64; 4], out: &mut Packed<f64>) {
    let feature = r#" s.x += a.i; "#; let pair = r#" out = s.x; "#;
}

#[td_kernel(tile = 128)] unsafe fn tile_of_results(#[each] a: &Features<f32>, #[fold] s: f32, #[each] sums: &mut Sums<f32>) {
    let feature = r#" s += a.i; "#; let pair = r#" sums.i += s; "#;
}

#[td_kernel(tile = 64)]
unsafe fn tile_of_parameters(
    #[row] a: &Features<f32>, #[row] b: &Features<f32>, #[row] c: &Features<f32>, #[row] d: &Features<f32>,
    #[column] e: &Features<f32>, #[fold] s: f32, out: &mut Matrix<f32>,
) {
    let feature = r#" s += a + b + c + d + e; "#; let pair = r#" out = s; "#;
}

#[td_kernel(sweep = "fold")] unsafe fn nothing_to_fold(#[each] a: &[f32], out: &mut Packed<f32>) { r#" out = a.i; "# }

#[td_kernel] unsafe fn mixed(#[each] a: &Features<f32>, #[column] b: &Features<f32>, #[fold] s: f32, out: &mut Matrix<f32>) {
    let feature = r#" s += a.i * b; "#; let pair = r#" out = s; "#;
}
