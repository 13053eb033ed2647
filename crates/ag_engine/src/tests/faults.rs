//! A fault in a graph, a host or a kernel ends the run or the compilation, but not the process.

use ag_ir::{Array, DType, Failure, Function, Host, HostError, Type, read};

use super::{Recorder, run};
use crate::Executable;
use crate::kernels::KernelEntry;
use crate::kernels::contract::{Access, OperandRule};
use crate::kernels::iota::Iota;
use crate::runtime::calls::run_checked_kernel;
use crate::runtime::context::RunContext;
use crate::stack::StackLimits;
use crate::tapes::Tapes;

/// Panics when it is asked for anything.
struct Panicking;

impl Host for Panicking {
    fn print(&mut self, _: u32, _: &[Array]) -> Result<(), HostError> {
        panic!("nothing to print on");
    }

    fn poll(&mut self) -> Result<(), HostError> {
        panic!("nobody to ask");
    }
}

fn fault_of(text: &str, inputs: &[Array], host: &mut dyn Host) -> String {
    let function = read(text).unwrap();
    let error = run(&Executable::compile(&function).unwrap(), &function, inputs, host).unwrap_err();
    let Failure::Fault(words) = error.failure else { panic!("{:?}", error.failure) };
    words.to_string()
}

fn scalar(number: f64) -> Array {
    Array { dtype: DType::F64, sizes: vec![], bytes: number.to_ne_bytes().to_vec() }
}

#[test]
fn a_panic_in_a_kernel_fails_the_run() {
    let printing = "function f(%0: f64[]) {\n  print %0 site=0\n  return %0\n}";
    assert_eq!(fault_of(printing, &[scalar(1.0)], &mut Panicking), "nothing to print on");
}

#[test]
fn a_panic_of_the_host_fails_the_run() {
    let waiting = "function f(%0: f64[]) {
  %1: f64[] = while %0 test(%2: f64[]) {
    %3: bool[] = constant true
    yield %3
  } body(%4: f64[]) {
    %5: f64[] = add %4, %4
    yield %5
  }
  return %1
}";
    assert_eq!(fault_of(waiting, &[scalar(1.0)], &mut Panicking), "nobody to ask");
}

/// A graph that breaks its types would write outside of its memory.
#[test]
fn a_graph_that_is_not_valid_is_not_compiled() {
    let mut function = read("function f(%0: f64[3]) {\n  %1: f64[3] = neg %0\n  return %1\n}").unwrap();
    let result = function.body.results[0];
    function.values[result.0 as usize].ty = Type::known(DType::F64, &[30_000]);
    assert!(refusal(&function).contains("the graph is not valid"));
    for value in &mut function.values {
        value.ty = Type::known(DType::F64, &[usize::MAX, usize::MAX]);
    }
    let too_big = refusal(&function);
    assert!(too_big.contains("array is too big"), "{too_big}");
}

fn refusal(function: &Function) -> String {
    Executable::compile(function).err().unwrap().to_string()
}

/// Two arrays that memory could hold, but not both.
#[test]
fn memory_that_no_machine_has() {
    let text = "function f(%0: f64[]) {
  %1: f64[600000000000000000] = broadcast %0
  %2: f64[600000000000000000] = cumsum %1 axis=0
  %3: f64[600000000000000000] = cumsum %2 axis=0
  %4: f64[] = sum %3 axes=[0]
  return %4
}";
    let function = read(text).unwrap();
    let executable = Executable::compile(&function).unwrap();
    let error = run(&executable, &function, &[scalar(1.0)], &mut Recorder::default()).unwrap_err();
    assert!(matches!(error.failure, Failure::OutOfMemory { .. }), "{:?}", error.failure);
}

/// The plan keeps the rules of `docs/kernels.md`: here a kernel is called as no plan would call it.
#[test]
fn a_call_that_breaks_a_rule_fails_the_run() {
    let kernel = Box::new(Iota { dtype: DType::F64, size: 4 });
    let operands = vec![OperandRule::elements(32, 8, Access::Write)];
    let kernels = [KernelEntry { kernel, operands, location: None }];
    let mut host = Recorder::default();
    let mut memory = [7.0_f64; 8];
    let start = memory.as_mut_ptr().cast::<u8>();
    let mut words_at = |offset: usize| {
        let mut context = RunContext::new(&kernels, &mut host, StackLimits::NONE, Tapes::new(0));
        context.buffers.push(start.addr()..start.addr() + 64);
        let operands = [start.wrapping_add(offset)];
        // SAFETY: the kernel takes one operand; it is not run where it would leave the memory.
        let status = unsafe { run_checked_kernel(&raw mut context, 0, operands.as_ptr()) };
        let failure = context.ending.map(|error| error.failure);
        (status, failure.map(|failure| format!("{failure:?}")).unwrap_or_default())
    };
    assert_eq!(words_at(0), (0, String::new()));
    let (status, words) = words_at(40);
    assert!(status == 1 && words.contains("breaks rule K2"), "{words}");
    let (status, words) = words_at(4);
    assert!(status == 1 && words.contains("breaks rule K3"), "{words}");
    assert_eq!(memory, [0.0, 1.0, 2.0, 3.0, 7.0, 7.0, 7.0, 7.0]);
}
