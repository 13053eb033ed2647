//! The literal of a constant: a number, nested lists of numbers, or bytes in hexadecimal.

use super::{Read, Reader};
use crate::op::{Constant, swap_unless_little_endian};
use crate::types::DType;

impl Reader<'_> {
    pub(super) fn constant(&mut self, dtype: DType, sizes: Vec<usize>) -> Read<Constant> {
        let start = self.scan.here();
        let length = sizes
            .iter()
            .try_fold(dtype.size(), |length, size| length.checked_mul(*size))
            .unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        if self.scan.at("0x") {
            let digits = self.scan.numeral()?;
            bytes = hexadecimal(&digits[2..])
                .ok_or_else(|| self.scan.fault_at(start, "a faulty number in hexadecimal"))?;
            swap_unless_little_endian(dtype, &mut bytes);
        } else if length == 0 {
            self.scan.symbol("[")?;
            self.scan.symbol("]")?;
        } else {
            self.elements(dtype, &sizes, &mut bytes)?;
        }
        if bytes.len() != length {
            let message = format!("the type needs {length} bytes, here are {}", bytes.len());
            return Err(self.scan.fault_at(start, message));
        }
        Ok(Constant { dtype, sizes, bytes: bytes.into() })
    }

    fn elements(&mut self, dtype: DType, sizes: &[usize], bytes: &mut Vec<u8>) -> Read<()> {
        let Some((outer, inner)) = sizes.split_first() else { return self.element(dtype, bytes) };
        self.scan.symbol("[")?;
        for position in 0..*outer {
            if position > 0 {
                self.scan.symbol(",")?;
            }
            self.elements(dtype, inner, bytes)?;
        }
        self.scan.symbol("]")
    }

    fn element(&mut self, dtype: DType, bytes: &mut Vec<u8>) -> Read<()> {
        let start = self.scan.here();
        let numeral = self.scan.numeral()?;
        let element = element_bytes(dtype, numeral)
            .ok_or_else(|| self.scan.fault_at(start, format!("`{numeral}` is not a {dtype}")))?;
        bytes.extend(element);
        Ok(())
    }
}

fn element_bytes(dtype: DType, numeral: &str) -> Option<Vec<u8>> {
    Some(match dtype {
        DType::Bool => vec![u8::from(numeral.parse::<bool>().ok()?)],
        DType::U8 => numeral.parse::<u8>().ok()?.to_ne_bytes().to_vec(),
        DType::I32 => numeral.parse::<i32>().ok()?.to_ne_bytes().to_vec(),
        DType::I64 => numeral.parse::<i64>().ok()?.to_ne_bytes().to_vec(),
        DType::F32 if numeral == "nan" => f32::NAN.to_ne_bytes().to_vec(),
        DType::F32 => numeral.parse::<f32>().ok()?.to_ne_bytes().to_vec(),
        DType::F64 if numeral == "nan" => f64::NAN.to_ne_bytes().to_vec(),
        DType::F64 => numeral.parse::<f64>().ok()?.to_ne_bytes().to_vec(),
    })
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        })
        .collect()
}
