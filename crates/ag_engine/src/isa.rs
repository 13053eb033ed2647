//! Chooses the vector instructions of the kernels, once per process.
//!
//! Every vectorised loop is compiled three times, for three instruction sets. The best set that the processor
//! has is used, unless `AUTOGRAPH_ISA=base|avx2|avx512` asks for a lesser one, as tests do. A set that the
//! processor lacks is never used, whatever the variable says.

use std::sync::OnceLock;

use ag_ir::Function;

/// A set of vector instructions; later ones contain earlier ones. The first is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Isa {
    /// What every processor has, and the numbers of the interpreter to the bit: its functions, and its order of
    /// sums. For graphs that ask for them.
    Exact,
    /// What every processor of the architecture has.
    Base,
    /// AVX2, FMA and POPCNT.
    Avx2,
    /// AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

impl Isa {
    /// The name in `AUTOGRAPH_ISA` and in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Base => "base",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The set for a graph.
    pub(crate) fn of(function: &Function) -> Self {
        if function.is_exact { Self::Exact } else { Self::current() }
    }

    /// The best set of this processor.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("popcnt");
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if has_avx2 && has_avx512 {
                return Self::Avx512;
            }
            if has_avx2 {
                return Self::Avx2;
            }
        }
        Self::Base
    }

    /// All sets of this processor, for tests.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        [Self::Base, Self::Avx2, Self::Avx512].into_iter().filter(|isa| *isa <= Self::best()).collect()
    }

    /// The set that kernels use in this process.
    pub(crate) fn current() -> Self {
        static CURRENT: OnceLock<Isa> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let wanted = match std::env::var("AUTOGRAPH_ISA").as_deref() {
                Ok("base") => Self::Base,
                Ok("avx2") => Self::Avx2,
                _ => Self::Avx512,
            };
            wanted.min(Self::best())
        })
    }
}
