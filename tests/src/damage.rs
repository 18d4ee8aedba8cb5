//! Damages the delimiters of programs, reproducibly.

/// A kind of damage to the delimiters of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// A delimiter is missing.
    Lost,
    /// A delimiter is duplicated, or inserted between two words.
    Added,
    /// A delimiter is replaced by one of another kind.
    Swapped,
    /// Each damage is one of the kinds before.
    Mixed,
    /// The last closing delimiters of a form at the margin are missing.
    Ends,
}

impl Damage {
    /// Returns the word for the damage in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Damage::Lost => "lost",
            Damage::Added => "added",
            Damage::Swapped => "swapped",
            Damage::Mixed => "mixed",
            Damage::Ends => "ends",
        }
    }
}

/// A reproducible generator of pseudo-random numbers.
#[derive(Debug, Clone)]
pub struct Seeded(u64);

impl Seeded {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded(seed)
    }

    /// Returns a number below a bound, or 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 1).unwrap_or(0).checked_rem(bound).unwrap_or(0)
    }
}

/// Returns the source with `count` delimiters damaged, or `None` if a part of the damage leaves a
/// balanced text. For example, nobody can see that a lost pair of delimiters was there.
pub fn damaged(source: &str, damage: Damage, count: usize, random: &mut Seeded) -> Option<String> {
    let places = Places::of(source);
    if damage == Damage::Ends {
        return without_ends(source, &places, count, random);
    }
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    while edits.len() < count {
        let kind = match damage {
            Damage::Mixed => [Damage::Lost, Damage::Added, Damage::Swapped][random.below(3)],
            kind => kind,
        };
        let &(at, delimiter) = places.delimiters.get(random.below(places.delimiters.len()))?;
        let opens = "([{".contains(delimiter);
        edits.push(match kind {
            Damage::Lost => (at, at + 1, String::new()),
            Damage::Swapped => {
                let same = if opens { "([{" } else { ")]}" };
                let others: Vec<char> = same.chars().filter(|other| *other != delimiter).collect();
                (at, at + 1, others[random.below(2)].to_string())
            }
            Damage::Added | Damage::Mixed | Damage::Ends => {
                let stray = random.below(2) == 0 && !places.gaps.is_empty();
                let (before, after) =
                    if stray { places.gaps[random.below(places.gaps.len())] } else { (at, at) };
                let place = if opens { after } else { before };
                (place, place, delimiter.to_string())
            }
        });
        edits.sort();
        if edits.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
    }
    let all = (1_u32 << edits.len()) - 1;
    (1..all)
        .all(|some| !is_balanced(&with(source, &edits, some)))
        .then(|| with(source, &edits, all))
}

/// Returns the source without the last `count` closing delimiters of a form at the margin, or `None`
/// if it does not end with so many.
fn without_ends(
    source: &str,
    places: &Places,
    count: usize,
    random: &mut Seeded,
) -> Option<String> {
    let mut depth = 0;
    let ends: Vec<usize> = places
        .delimiters
        .iter()
        .filter(|(_, delimiter)| {
            depth += if "([{".contains(*delimiter) { 1 } else { -1 };
            depth == 0
        })
        .map(|(at, _)| at + 1)
        .filter(|end| source[*end..].is_empty() || source[*end..].starts_with('\n'))
        .collect();
    let end = *ends.get(random.below(ends.len()))?;
    let start = end.checked_sub(count)?;
    let is_end = source.as_bytes()[start..end].iter().all(|byte| b")]}".contains(byte));
    is_end.then(|| format!("{}{}", &source[..start], &source[end..]))
}

/// Returns the text with the edits whose bits are set in `some`.
fn with(source: &str, edits: &[(usize, usize, String)], some: u32) -> String {
    let mut text = source.to_owned();
    for (number, (start, end, new)) in edits.iter().enumerate().rev() {
        if some & (1 << number) != 0 {
            text.replace_range(start..end, new);
        }
    }
    text
}

/// Returns whether every delimiter of a text has its counterpart.
pub fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for (_, delimiter) in Places::of(text).delimiters {
        match delimiter {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            _ if open.pop() == Some(delimiter) => {}
            _ => return false,
        }
    }
    open.is_empty()
}

/// The positions of a program's delimiters, and the white space between its words.
struct Places {
    delimiters: Vec<(usize, char)>,
    /// The beginning and the end of each white space.
    gaps: Vec<(usize, usize)>,
}

impl Places {
    fn of(text: &str) -> Places {
        let mut places = Places { delimiters: Vec::new(), gaps: Vec::new() };
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    while let Some((_, c)) = chars.next() {
                        match c {
                            '\\' => drop(chars.next()),
                            '"' => break,
                            _ => {}
                        }
                    }
                }
                '\\' => drop(chars.next()),
                ';' => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
                '(' | '[' | '{' | ')' | ']' | '}' => places.delimiters.push((at, c)),
                c if c.is_whitespace() => {
                    while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                    let end = chars.peek().map_or(text.len(), |(end, _)| *end);
                    if at > 0 && end < text.len() {
                        places.gaps.push((at, end));
                    }
                }
                _ => {}
            }
        }
        places
    }
}
