//! Identifiers of 128 bits, stored as text.

use arcstr::ArcStr;

/// A UUID, as 32 hexadecimal digits in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uuid(ArcStr);

impl Uuid {
    /// Parses a UUID. As on the JVM, a group may omit leading zeros.
    pub fn parse(text: &str) -> Option<Uuid> {
        if text.len() > 36 {
            return None;
        }
        let groups: Vec<&str> = text.split('-').collect();
        if groups.len() != 5 {
            return None;
        }
        let mut out = String::with_capacity(36);
        for (group, width) in groups.into_iter().zip([8, 4, 4, 4, 12]) {
            if group.is_empty() || !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            if !out.is_empty() {
                out.push('-');
            }
            // Extra digits of a group are cut from the left.
            let digits = group.get(group.len().saturating_sub(width)..).unwrap_or(group);
            out.extend(std::iter::repeat_n('0', width - digits.len()));
            out.push_str(&digits.to_ascii_lowercase());
        }
        Some(Uuid(out.into()))
    }

    /// Makes a UUID of version 4 with these random bits.
    pub fn random(high: u64, low: u64) -> Uuid {
        let high = high & !0xf000 | 0x4000;
        let low = low & !(3 << 62) | 1 << 63;
        let digits = format!("{high:016x}{low:016x}");
        let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        Uuid(parts.join("-").into())
    }

    /// Returns its text in lower case.
    pub fn text(&self) -> &ArcStr {
        &self.0
    }

    /// Returns the order on the JVM, where the halves are signed numbers.
    pub fn order(&self, other: &Uuid) -> std::cmp::Ordering {
        let halves = |uuid: &Uuid| {
            let digits = uuid.0.replace('-', "");
            let half = |part: Option<&str>| {
                part.and_then(|part| u64::from_str_radix(part, 16).ok()).map(u64::cast_signed)
            };
            (half(digits.get(..16)), half(digits.get(16..)))
        };
        halves(self).cmp(&halves(other))
    }
}
