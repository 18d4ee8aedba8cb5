//! Breaking the delimiters of programs, the same way each time.

/// What is done to the delimiters of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// One is left out.
    Lost,
    /// One is written twice, or stands between two words where none belongs.
    Added,
    /// One is of another kind.
    Swapped,
    /// Each time one of the others.
    Mixed,
}

impl Damage {
    /// The word for it in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Damage::Lost => "lost",
            Damage::Added => "added",
            Damage::Swapped => "swapped",
            Damage::Mixed => "mixed",
        }
    }
}

/// Numbers that look random and are the same each time.
#[derive(Debug, Clone)]
pub struct Seeded(u64);

impl Seeded {
    /// Numbers from a seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded(seed)
    }

    /// A number below a bound, or 0 for none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 1).unwrap_or(0).checked_rem(bound).unwrap_or(0)
    }
}

/// The source with so many delimiters damaged; none if a part of the damage leaves a text that reads.
/// Of a pair of delimiters that is lost, for one, nobody can see that it was there.
pub fn damaged(source: &str, damage: Damage, count: usize, random: &mut Seeded) -> Option<String> {
    let places = Places::of(source);
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
            Damage::Added | Damage::Mixed => {
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

/// The text with those edits whose bit is set.
fn with(source: &str, edits: &[(usize, usize, String)], some: u32) -> String {
    let mut text = source.to_owned();
    for (number, (start, end, new)) in edits.iter().enumerate().rev() {
        if some & (1 << number) != 0 {
            text.replace_range(start..end, new);
        }
    }
    text
}

/// Whether every delimiter of a text has its other half.
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

/// Where the delimiters of a program stand, and the white space between its words.
struct Places {
    delimiters: Vec<(usize, char)>,
    /// Where each white space begins and ends.
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
