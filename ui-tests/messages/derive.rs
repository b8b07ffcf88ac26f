//! Structs without a definition in C++.

#[derive(Clone, Copy, DeviceType)] struct NotC { x: f32 }
#[derive(Clone, Copy, DeviceType)] #[repr(C, packed)] struct TooTight { x: f32 }

mistakes! {
    #[derive(Clone, Copy, DeviceType)] #[repr(C)] MISTAKE { x: f32 }
    { struct Generic<T> }
    { struct Bound<'a, const N: usize> }
    { union Either }
    { #[device_type(create = ::td_kernel)] struct Key }
    { #[device_type(crate = "td_kernel")] struct Value }
    {
        #[device_type(crate = ::td_kernel)]
        #[device_type(crate = td_kernel)]
        struct Twice
    }
}

#[derive(Clone, Copy, DeviceType)] enum Choice { A }
#[derive(Clone, Copy, DeviceType)] #[repr(C)] struct Unnamed(f32);
#[derive(Clone, Copy, DeviceType)] #[repr(C)] struct Empty {}
const LENGTH: usize = 3;

#[derive(Clone, Copy, DeviceType)] #[repr(C)] struct Fields {
    length: [f32; LENGTH], size: usize, flag: bool, tuple: (f32, f32), optional: Option<f32>, borrowed: &'static f32,
    none: [f32; 0], nested: [[u8; 2]; 0], _: f32,
    #[device_type(skip)] skipped: f32,
}
