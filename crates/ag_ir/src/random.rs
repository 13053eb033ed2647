//! Random numbers as a function of a key and a position: the stream of `default_rng` in a graph.
//!
//! The generator is Philox4x32-10 (Salmon et al., 2011), which is counter-based. Element `i` of a draw at
//! `counter` depends only on the block with the number `counter + i`. So draws need no state, and the
//! interpreter, the engine and several threads all compute the same numbers. They differ from NumPy's.
//!
//! ```text
//! block(key, counter, attempt) -> 64 bits, 64 bits
//! random_uniform      53 (24) upper bits of the first word, times 2^-53 (2^-24)
//! random_normal       the inverse of the normal distribution (AS 241) at the middle of such a step
//! random_exponential  -log of such a middle
//! random_integers     the upper half of word * range; words that would favour a number are drawn
//!                     again, from the next attempt of the same block
//! ```

use ag_linear_algebra::Element;

/// The distribution of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Draw {
    /// From 0 to 1, 1 not included.
    Uniform,
    /// Mean 0, variance 1.
    Normal,
    /// Mean 1.
    Exponential,
    /// All integers from a bound to another, both included.
    Integers,
}

const ROUNDS: usize = 10;
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

const fn wide_product(a: u32, b: u32) -> (u32, u32) {
    let product = a as u64 * b as u64;
    ((product >> 32) as u32, product as u32)
}

/// The Philox4x32-10 function of a counter and a key.
#[must_use]
pub(crate) fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut a, mut b, mut c, mut d], mut key) = (counter, key);
    for _ in 0..ROUNDS {
        let (high_a, low_a) = wide_product(MULTIPLIERS[0], a);
        let (high_c, low_c) = wide_product(MULTIPLIERS[1], c);
        (a, b, c, d) = (high_c ^ b ^ key[0], low_c, high_a ^ d ^ key[1], low_a);
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    [a, b, c, d]
}

const fn halves(word: i64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// 64 random bits for a position of a stream.
fn word(key: i64, place: i64, attempt: u32) -> u64 {
    let [low, high] = halves(place);
    let [a, b, ..] = philox([low, high, attempt, 0], halves(key));
    u64::from(b) << 32 | u64::from(a)
}

/// A number strictly between 0 and 1: the middle of one of 2^53 steps.
fn middle(word: u64) -> f64 {
    ((word >> 11) as f64 + 0.5) * (1.0 / 9_007_199_254_740_992.0)
}

/// Fills `values` with draws at the positions from `counter` on.
///
/// # Panics
/// Never: [`Draw::Integers`] is drawn by [`fill_integers`], and gives zeros here.
pub fn fill<T: Element>(draw: Draw, key: i64, counter: i64, values: &mut [T]) {
    for (number, value) in values.iter_mut().enumerate() {
        let bits = word(key, counter.wrapping_add(number as i64), 0);
        *value = match draw {
            Draw::Uniform => T::narrow((bits >> (64 - T::DIGITS)) as f64 / (1_u64 << T::DIGITS) as f64),
            Draw::Normal => T::narrow(inverse_normal(middle(bits))),
            Draw::Exponential => T::narrow(-middle(bits).ln()),
            Draw::Integers => T::narrow(0.0),
        };
    }
}

/// Fills `values` with integers from `low` to `high`, both included; where `high < low`, with `low`.
pub fn fill_integers(key: i64, counter: i64, low: &[i64], high: &[i64], values: &mut [i64]) {
    for (number, value) in values.iter_mut().enumerate() {
        *value = integer(key, counter.wrapping_add(number as i64), low[number], high[number]);
    }
}

/// Lemire's method: the upper half of a product is uniform once the words whose lower half is below
/// `2^64 mod range` are drawn again.
fn integer(key: i64, place: i64, low: i64, high: i64) -> i64 {
    if high < low {
        return low;
    }
    let range = high.wrapping_sub(low).cast_unsigned().wrapping_add(1);
    let mut attempt = 0;
    loop {
        let bits = word(key, place, attempt);
        if range == 0 {
            return low.wrapping_add(bits.cast_signed());
        }
        let product = u128::from(bits) * u128::from(range);
        let threshold = range.wrapping_neg() % range;
        if product as u64 >= threshold {
            return low.wrapping_add(((product >> 64) as u64).cast_signed());
        }
        attempt = u32::wrapping_add(attempt, 1);
    }
}

/// The value below which a normal variable is with probability `p`: algorithm AS 241 (Wichura 1988),
/// accurate to about 1 part in 10^16.
fn inverse_normal(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let r = (-(if q < 0.0 { p } else { 1.0 - p }).ln()).sqrt();
    let tail = if r <= 5.0 { ratio(r - 1.6, &SHOULDER) } else { ratio(r - 5.0, &TAIL) };
    if q < 0.0 { -tail } else { tail }
}

/// A ratio of polynomials, the coefficients of the highest power first.
fn ratio(x: f64, [above, below]: &[[f64; 8]; 2]) -> f64 {
    let polynomial = |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, one| sum * x + one);
    polynomial(above) / polynomial(below)
}

#[rustfmt::skip]
#[expect(clippy::excessive_precision, reason = "digits as they were published")]
const CENTRE: [[f64; 8]; 2] = [
    [2.509_080_928_730_122_672_7e+3, 3.343_057_558_358_812_810_5e+4, 6.726_577_092_700_870_085_3e+4,
     4.592_195_393_154_987_145_7e+4, 1.373_169_376_550_946_112_5e+4, 1.971_590_950_306_551_442_7e+3,
     1.331_416_678_917_843_774_5e+2, 3.387_132_872_796_366_608_0],
    [5.226_495_278_852_854_561_0e+3, 2.872_908_573_572_194_267_4e+4, 3.930_789_580_009_271_061_0e+4,
     2.121_379_430_158_659_586_7e+4, 5.394_196_021_424_751_107_7e+3, 6.871_870_074_920_579_083_0e+2,
     4.231_333_070_160_091_125_2e+1, 1.0],
];
#[rustfmt::skip]
#[expect(clippy::excessive_precision, reason = "digits as they were published")]
const SHOULDER: [[f64; 8]; 2] = [
    [7.745_450_142_783_414_076_40e-4, 2.272_384_498_926_918_458_83e-2, 2.417_807_251_774_506_117_70e-1,
     1.270_458_252_452_368_382_58, 3.647_848_324_763_204_605_04, 5.769_497_221_460_691_405_50,
     4.630_337_846_156_545_295_90, 1.423_437_110_749_683_577_34],
    [1.050_750_071_644_416_843_24e-9, 5.475_938_084_995_344_946_00e-4, 1.519_866_656_361_645_719_66e-2,
     1.481_039_764_274_800_745_90e-1, 6.897_673_349_851_000_045_50e-1, 1.676_384_830_183_803_849_40,
     2.053_191_626_637_758_821_87, 1.0],
];
#[rustfmt::skip]
#[expect(clippy::excessive_precision, reason = "digits as they were published")]
const TAIL: [[f64; 8]; 2] = [
    [2.010_334_399_292_288_132_65e-7, 2.711_555_568_743_487_578_15e-5, 1.242_660_947_388_078_438_60e-3,
     2.653_218_952_657_612_309_30e-2, 2.965_605_718_285_048_912_30e-1, 1.784_826_539_917_291_335_80,
     5.463_784_911_164_114_369_90, 6.657_904_643_501_103_777_20],
    [2.044_263_103_389_939_785_64e-15, 1.421_511_758_316_445_888_70e-7, 1.846_318_317_510_054_681_80e-5,
     7.868_691_311_456_132_591_00e-4, 1.487_536_129_085_061_485_25e-2, 1.369_298_809_227_358_053_10e-1,
     5.998_322_065_558_879_376_90e-1, 1.0],
];

#[cfg(test)]
mod tests {
    use super::{inverse_normal, philox};

    /// The published vectors of Random123.
    #[test]
    fn philox_is_philox() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
    }

    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        for (p, x) in [(0.5, 0.0), (0.975, 1.959_963_984_540_054), (1e-10, -6.361_340_902_404_056)] {
            assert!((inverse_normal(p) - x).abs() < 1e-14, "{p}");
        }
    }
}
