//! Prints what becomes of a graph: `cargo run -p ag_optimize --example optimize < graph.ir`.

use std::error::Error;
use std::io::Read;

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let function = ag_ir::read(&text).map_err(|error| error.to_string())?;
    print!("{}", ag_optimize::optimize(function));
    Ok(())
}
