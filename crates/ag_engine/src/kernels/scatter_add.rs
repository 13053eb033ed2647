//! Adding at index arrays: `np.add.at`.
//!
//! ```text
//! x[i] += v      i = [2, 0, 2]: x[2] is added to twice, in order
//! ```

use ag_ir::{DType, Host};

use super::elementwise::Number;
use super::gather::ScatterValues;
use super::indexing::Indexing;
use super::{Kernel, KernelResult};
use crate::isa::Isa;

/// Adds `count` elements to as many others.
///
/// # Safety
/// Both are valid for `count` elements, aligned, and do not overlap.
pub(crate) type AddFn = unsafe extern "C" fn(*mut u8, *const u8, usize);

/// Operands: x, which is changed in place, v, the indices.
pub(crate) struct ScatterAdd {
    indexing: Indexing,
    values: ScatterValues,
    dtype: DType,
    add: AddFn,
}

impl ScatterAdd {
    /// An addition to an array of this type.
    pub(crate) fn new(indexing: Indexing, values: ScatterValues, dtype: DType, isa: Isa) -> Self {
        Self { indexing, values, dtype, add: add_fn(dtype, isa) }
    }

    /// # Safety
    /// That of [`Kernel::run`].
    unsafe fn run_as<T: Number>(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        let indexing = &self.indexing;
        let (x, v, indices) = (operands[0].cast::<T>(), operands[1].cast::<T>().cast_const(), &operands[2..]);
        let chunk = indexing.chunk() / size_of::<T>();
        if indexing.before() == 1 && chunk == 1 && self.values.is_one() {
            // SAFETY: the caller's; the places are those of the indices, which are in range (K9).
            return unsafe {
                let one = v.read();
                indexing.walk(indices, host, |_, to| add_one(x.add(to), &raw const one))
            };
        }
        if !(indexing.before() == 1 && self.values.is_dense()) {
            // SAFETY: the caller's; the places are those of the indices, which are in range (K9).
            return unsafe { self.run_with_strides::<T>(x, v, indices, host) };
        }
        // SAFETY: as above.
        unsafe {
            match chunk {
                1 => indexing.walk(indices, host, |from, to| add_one(x.add(to), v.add(from))),
                _ => indexing.walk(indices, host, |from, to| {
                    (self.add)(x.add(to * chunk).cast(), v.add(from * chunk).cast(), chunk);
                }),
            }
        }
    }

    /// # Safety
    /// That of [`Kernel::run`].
    #[inline(never)]
    unsafe fn run_with_strides<T: Number>(
        &self,
        x: *mut T,
        v: *const T,
        indices: &[*mut u8],
        host: &mut dyn Host,
    ) -> KernelResult {
        let indexing = &self.indexing;
        let (chunk, places) = (indexing.chunk() / size_of::<T>(), indexing.places());
        // SAFETY: the caller's; places have been compared with the sizes, strides stay within v (K9).
        unsafe {
            indexing.walk(indices, host, |position, place| {
                for before in 0..indexing.before() {
                    let to = x.add((before * places + place) * chunk);
                    let (start, is_dense) = self.values.start_of(before, position, chunk);
                    if is_dense && chunk > 1 {
                        (self.add)(to.cast(), v.offset(start).cast(), chunk);
                        continue;
                    }
                    for number in 0..chunk {
                        add_one(to.add(number), v.offset(start + self.values.offset_in_chunk(number)));
                    }
                }
            })
        }
    }
}

/// # Safety
/// Both are valid and aligned.
#[inline(always)]
unsafe fn add_one<T: Number>(to: *mut T, from: *const T) {
    // SAFETY: the caller's.
    unsafe { to.write(to.read().add(from.read())) };
}

impl Kernel for ScatterAdd {
    unsafe fn run(&self, operands: &[*mut u8], host: &mut dyn Host) -> KernelResult {
        // SAFETY: the caller's (K1 to K8).
        unsafe {
            match self.dtype {
                DType::F64 => self.run_as::<f64>(operands, host),
                DType::F32 => self.run_as::<f32>(operands, host),
                DType::I64 => self.run_as::<i64>(operands, host),
                DType::I32 => self.run_as::<i32>(operands, host),
                // Type inference has rejected `bool`.
                DType::U8 | DType::Bool => self.run_as::<u8>(operands, host),
            }
        }
    }
}

/// The loop for elements of this type.
pub(crate) fn add_fn(dtype: DType, isa: Isa) -> AddFn {
    match dtype {
        DType::F64 => version::<f64>(isa),
        DType::F32 => version::<f32>(isa),
        DType::I64 => version::<i64>(isa),
        DType::I32 => version::<i32>(isa),
        DType::U8 | DType::Bool => version::<u8>(isa),
    }
}

fn version<T: Number>(isa: Isa) -> AddFn {
    match isa {
        Isa::Exact | Isa::Base => add_base::<T>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => add_avx2::<T>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => add_avx512::<T>,
        #[cfg(not(target_arch = "x86_64"))]
        _ => add_base::<T>,
    }
}

/// # Safety
/// That of [`AddFn`].
#[inline(always)]
unsafe fn add_all<T: Number>(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's.
    let (to, from) = unsafe {
        (
            std::slice::from_raw_parts_mut(to.cast::<T>(), count),
            std::slice::from_raw_parts(from.cast::<T>(), count),
        )
    };
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.add(*from);
    }
}

/// # Safety
/// That of [`AddFn`].
unsafe extern "C" fn add_base<T: Number>(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's.
    unsafe { add_all::<T>(to, from, count) }
}

/// # Safety
/// That of [`AddFn`], and the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe extern "C" fn add_avx2<T: Number>(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's.
    unsafe { add_all::<T>(to, from, count) }
}

/// # Safety
/// That of [`AddFn`], and the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
unsafe extern "C" fn add_avx512<T: Number>(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's.
    unsafe { add_all::<T>(to, from, count) }
}
