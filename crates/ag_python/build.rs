//! Asks the linker to fold functions of equal code into one, if it can: lld and gold do, that of GNU does not.
//! Generic code is compiled for each type, and often equal for several: it is a fiftieth of the module.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

const FOLDING: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|name| name == "linux");
    if is_linux && links_with(FOLDING).unwrap_or(false) {
        println!("cargo::rustc-cdylib-link-arg={FOLDING}");
    }
}

/// Whether the linker of this build accepts an argument: an empty library is linked with it.
fn links_with(argument: &str) -> Option<bool> {
    let folder = env::var_os("OUT_DIR")?;
    let source = Path::new(&folder).join("empty.rs");
    std::fs::write(&source, "").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.arg(&source).args(["--crate-type=cdylib", "--out-dir"]).arg(&folder);
    rustc.arg("--target").arg(env::var_os("TARGET")?);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        rustc.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    rustc.arg("-C").arg(format!("link-arg={argument}"));
    rustc.stdout(Stdio::null()).stderr(Stdio::null());
    rustc.status().ok().map(|status| status.success())
}
