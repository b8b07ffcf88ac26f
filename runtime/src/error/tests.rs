use std::io;

use cudarc::driver::{DriverError, sys};

use super::{Detail, Error, ErrorKind};

#[test]
fn message_names_device_kernel_and_argument() {
    let error = || Error::arguments("has 7 slots");
    assert_eq!(error().to_string(), "has 7 slots");
    let about = error().about("edm", "out");
    assert_eq!(about.to_string(), "kernel `edm`: `out` has 7 slots");
    assert_eq!((about.kernel(), about.argument()), (Some("edm"), Some("out")));
    assert_eq!(about.device(), None);
    let of_kernel = Error::version("it is old").of_kernel("edm").on_device(1, "NVIDIA H200");
    assert_eq!(
        of_kernel.to_string(),
        "on device 1 (NVIDIA H200): kernel `edm`: it is old: use the same version of td-kernel and its macros"
    );
    assert_eq!(of_kernel.device(), Some((1, "NVIDIA H200")));
    assert_eq!((of_kernel.kernel(), of_kernel.argument()), (Some("edm"), None));
    assert_eq!(of_kernel.kind(), ErrorKind::VersionMismatch);
    assert_eq!(format!("{of_kernel:?}"), of_kernel.to_string());
}

/// A driver has messages for its errors; without one there are only their names.
#[test]
fn driver_error_has_its_message() {
    let code = DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    let expected = match crate::backend::driver::probe() {
        Ok(()) => {
            "cannot launch the kernel: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
        }
        Err(_) => "cannot launch the kernel: CUDA_ERROR_ILLEGAL_ADDRESS",
    };
    let error = Error::driver("launch the kernel")(code);
    assert_eq!(error.to_string(), expected);
    assert_eq!((error.kind(), error.driver_code()), (ErrorKind::DeviceFailed, Some(700)));
}

/// An error can be sent to other threads and stored anywhere, and keeps `Result` small.
#[test]
fn error_is_small_and_static() {
    fn goes_anywhere<T: std::error::Error + Send + Sync + 'static>() {}
    goes_anywhere::<Error>();
    assert_eq!(size_of::<Option<Error>>(), size_of::<usize>());
}

#[test]
fn error_of_another_kind_keeps_its_message() {
    let reason = io::Error::other(Error::arguments("has 7 slots"));
    let (message, source) = (reason.to_string(), std::error::Error::source(&reason).is_some());
    let error = Error::other(reason);
    assert_eq!(error.kind(), ErrorKind::Other);
    assert_eq!((error.to_string(), format!("{error:?}")), (message.clone(), message));
    assert_eq!(std::error::Error::source(&error).is_some(), source);
    assert!(error.get_ref().is_some_and(|error| error.is::<io::Error>()));
    // Printing an error with its sources repeats nothing.
    let file = Error::io("write", "a.npy", io::ErrorKind::StorageFull.into());
    assert!(file.to_string().starts_with("cannot write a.npy: ") && file.kind() == ErrorKind::Io);
    assert_eq!(file.io_error().map(io::Error::kind), Some(io::ErrorKind::StorageFull));
    assert!(std::error::Error::source(&file).is_none() && file.get_ref().is_none());
}

/// A warning that the CPU is used does not advise to use it.
#[test]
fn warning_has_no_advice() {
    let error = Error::no_gpu("there is no GPU 1");
    assert!(error.to_string().starts_with("there is no GPU 1; without a GPU, run on the CPU"));
    assert_eq!(error.without_advice(), "there is no GPU 1");
    let other = Error::version("it is old");
    assert_eq!(other.without_advice(), other.to_string());
}

#[test]
fn error_details_match_the_message() {
    let memory = Error::out_of_device_memory(9, Some(4));
    assert_eq!(memory.to_string(), "not enough memory on the device: 9 bytes needed, 4 free");
    assert_eq!((memory.needed(), memory.limit()), (Some(9), Some(4)));
    let host = Error::out_of_host_memory(9);
    assert_eq!((host.needed(), host.limit()), (Some(9), None));
    let of = |detail| Error::arguments("it is wrong").with(detail);
    assert_eq!(of(Detail::Total(-9)).total(), Some(-9));
    let compile = Error::compile("edm", "c++", "no".into());
    assert_eq!((compile.kernel(), compile.compiler_log()), (Some("edm"), Some("no")));
    assert_eq!(compile.to_string(), "kernel `edm`: it does not compile (c++):\nno");
    assert_eq!((host.driver_code(), compile.needed(), memory.kernel()), (None, None, None));
}

/// An error may be printed without a driver. This runs in a process of its own, because other tests load the driver.
#[cfg(target_os = "linux")]
#[test]
fn printing_loads_no_driver() {
    const ALONE: &str = "TD_KERNEL_TEST_PRINTS_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let this = "error::tests::printing_loads_no_driver";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", this]).env(ALONE, "1").output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    let code = DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    let driver = Detail::Driver(code);
    let error = Error::new(ErrorKind::DeviceFailed, "cannot launch: lost").with(driver);
    assert_eq!(error.to_string(), "cannot launch: lost");
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!maps.contains("libcuda"), "an error's words load a library:\n{maps}");
}
