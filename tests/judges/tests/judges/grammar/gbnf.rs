//! Parses a grammar in llama.cpp's notation and matches text against it character by character, as
//! llama.cpp does: on all paths through the grammar at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A parsed grammar.
pub(crate) struct Gbnf {
    nodes: Vec<Node>,
    rules: BTreeMap<String, usize>,
}

enum Node {
    Char { not: bool, ranges: Vec<(char, char)> },
    All(Vec<usize>),
    Any(Vec<usize>),
    Repeat(usize, u32, Option<u32>),
    Rule(String),
}

impl Gbnf {
    /// Parses a grammar.
    pub(crate) fn read(text: &str) -> Result<Gbnf, String> {
        let mut reader =
            Reader { rest: text, gbnf: Gbnf { nodes: Vec::new(), rules: BTreeMap::new() } };
        while !reader.rest.trim_start().is_empty() {
            reader.rest = reader.rest.trim_start();
            let name = reader.name();
            reader.blanks(false);
            reader.expect("::=")?;
            reader.blanks(true);
            let body = reader.alternatives(false)?;
            if reader.gbnf.rules.insert(name.clone(), body).is_some() {
                return Err(format!("{name} is there twice"));
            }
        }
        let known = |node: &Node| match node {
            Node::Rule(name) => reader.gbnf.rules.contains_key(name),
            _ => true,
        };
        match reader.gbnf.nodes.iter().find(|node| !known(node)) {
            Some(Node::Rule(name)) => Err(format!("{name} is missing")),
            _ => Ok(reader.gbnf),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    gbnf: Gbnf,
}

impl Reader<'_> {
    fn error(&self, what: &str) -> String {
        format!("{what} at {:?}", self.rest.chars().take(40).collect::<String>())
    }

    /// Skips blanks, and also line ends if `lines` is set.
    fn blanks(&mut self, lines: bool) {
        self.rest = self.rest.trim_start_matches(|c| c == ' ' || lines && c == '\n');
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.error(&format!("no {text}"))),
        }
    }

    fn name(&mut self) -> String {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        name.to_owned()
    }

    fn node(&mut self, node: Node) -> usize {
        self.gbnf.nodes.push(node);
        self.gbnf.nodes.len() - 1
    }

    fn alternatives(&mut self, nested: bool) -> Result<usize, String> {
        let mut ways = vec![self.sequence(nested)?];
        while self.rest.starts_with('|') {
            self.rest = &self.rest[1..];
            self.blanks(true);
            ways.push(self.sequence(nested)?);
        }
        Ok(self.node(Node::Any(ways)))
    }

    fn sequence(&mut self, nested: bool) -> Result<usize, String> {
        let mut parts = Vec::new();
        loop {
            let part = match self.rest.chars().next() {
                Some('"') => {
                    self.rest = &self.rest[1..];
                    let mut chars = Vec::new();
                    while !self.rest.starts_with('"') {
                        let c = self.char()?;
                        chars.push(self.node(Node::Char { not: false, ranges: vec![(c, c)] }));
                    }
                    self.expect("\"")?;
                    self.node(Node::All(chars))
                }
                Some('[') => {
                    self.rest = &self.rest[1..];
                    let not = self.rest.starts_with('^');
                    self.rest = &self.rest[usize::from(not)..];
                    let mut ranges = Vec::new();
                    while !self.rest.starts_with(']') {
                        let first = self.char()?;
                        let mut last = first;
                        if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                            self.rest = &self.rest[1..];
                            last = self.char()?;
                        }
                        ranges.push((first, last));
                    }
                    self.expect("]")?;
                    self.node(Node::Char { not, ranges })
                }
                Some('(') => {
                    self.rest = &self.rest[1..];
                    self.blanks(true);
                    let inside = self.alternatives(true)?;
                    self.expect(")")?;
                    inside
                }
                Some(c) if c.is_ascii_alphanumeric() => {
                    let name = self.name();
                    self.node(Node::Rule(name))
                }
                _ => return Ok(self.node(Node::All(parts))),
            };
            if self.rest.starts_with('{')
                && !matches!(self.gbnf.nodes[part], Node::Char { .. } | Node::Rule(_))
            {
                // llama.cpp copies such a group that many times, and soon reaches its bound.
                return Err(self.error("a group that is repeated by number"));
            }
            let part = self.repeated(part)?;
            parts.push(part);
            self.blanks(nested);
        }
    }

    fn repeated(&mut self, part: usize) -> Result<usize, String> {
        let (min, max, length) = match self.rest.chars().next() {
            Some('*') => (0, None, 1),
            Some('+') => (1, None, 1),
            Some('?') => (0, Some(1), 1),
            Some('{') => {
                let end = self.rest.find('}').ok_or_else(|| self.error("no end of a number"))?;
                let (min, max) = self.rest[1..end].split_once(',').ok_or("one number only")?;
                let number = |text: &str| text.parse::<u32>().map_err(|_| "no number".to_owned());
                (number(min)?, Some(number(max)?), end + 1)
            }
            _ => return Ok(part),
        };
        self.rest = &self.rest[length..];
        Ok(self.node(Node::Repeat(part, min, max)))
    }

    fn char(&mut self) -> Result<char, String> {
        let mut chars = self.rest.chars();
        let first = chars.next().ok_or("the end of the grammar")?;
        if first == '\n' {
            return Err(self.error("the end of a line"));
        }
        if first != '\\' {
            self.rest = chars.as_str();
            return Ok(first);
        }
        let escape = chars.next().ok_or("the end of the grammar")?;
        let c = match escape {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '"' | '\\' | '[' | ']' => escape,
            'x' | 'u' => {
                let length = if escape == 'x' { 2 } else { 4 };
                let digits = chars.as_str().get(..length).ok_or("a short number")?;
                let code = u32::from_str_radix(digits, 16).map_err(|_| self.error("no number"))?;
                self.rest = &self.rest[2 + length..];
                return char::from_u32(code).ok_or_else(|| self.error("no character"));
            }
            _ => return Err(self.error("an unknown escape")),
        };
        self.rest = chars.as_str();
        Ok(c)
    }
}

/// The remaining match: a node, and then the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Ahead {
    node: usize,
    /// The minimum and maximum repetitions of the node, if it is not matched exactly once.
    times: Option<(u32, Option<u32>)>,
    rest: usize,
}

/// The possible next steps of a path through the grammar: the next characters, each with the state
/// after it.
struct Ways {
    chars: Vec<(usize, usize)>,
    may_end: bool,
}

/// A matcher for a grammar. It caches its findings for the next text.
pub(crate) struct Follower<'g> {
    gbnf: &'g Gbnf,
    aheads: Vec<Ahead>,
    numbers: HashMap<Ahead, usize>,
    ways: HashMap<usize, Ways>,
}

/// The end of the match.
const END: usize = usize::MAX;

impl<'g> Follower<'g> {
    pub(crate) fn new(gbnf: &'g Gbnf) -> Follower<'g> {
        Follower { gbnf, aheads: Vec::new(), numbers: HashMap::new(), ways: HashMap::new() }
    }

    /// Returns an error with the place of the mismatch if the grammar does not produce the text.
    pub(crate) fn takes(&mut self, text: &str) -> Result<(), String> {
        let root = self.ahead(Ahead { node: self.gbnf.rules["root"], times: None, rest: END });
        let mut now = BTreeSet::from([root]);
        for (at, c) in text.char_indices() {
            let mut next = BTreeSet::new();
            for ahead in &now {
                self.find_ways(*ahead);
                for (node, rest) in &self.ways[ahead].chars {
                    if let Node::Char { not, ranges } = &self.gbnf.nodes[*node]
                        && ranges.iter().any(|(a, b)| (*a..=*b).contains(&c)) != *not
                    {
                        next.insert(*rest);
                    }
                }
            }
            if next.is_empty() {
                return Err(format!("stops before {:?}", &text[at..]));
            }
            now = next;
        }
        for ahead in &now {
            self.find_ways(*ahead);
        }
        let ends = now.iter().any(|ahead| self.ways[ahead].may_end);
        if ends { Ok(()) } else { Err("wants more".to_owned()) }
    }

    fn ahead(&mut self, ahead: Ahead) -> usize {
        *self.numbers.entry(ahead).or_insert_with(|| {
            self.aheads.push(ahead);
            self.aheads.len() - 1
        })
    }

    /// Finds all possible next characters, each with the state after it.
    fn find_ways(&mut self, start: usize) {
        if self.ways.contains_key(&start) {
            return;
        }
        let mut ways = Ways { chars: Vec::new(), may_end: false };
        let (mut seen, mut work) = (BTreeSet::from([start]), vec![start]);
        while let Some(number) = work.pop() {
            if number == END {
                ways.may_end = true;
                continue;
            }
            let Ahead { node, times, rest } = self.aheads[number];
            let gbnf = self.gbnf;
            let next: Vec<usize> = match (&gbnf.nodes[node], times) {
                (_, Some((min, max))) => {
                    let mut next = Vec::new();
                    if max != Some(0) {
                        let fewer = (min.saturating_sub(1), max.map(|max| max - 1));
                        let rest = self.ahead(Ahead { node, times: Some(fewer), rest });
                        next.push(self.ahead(Ahead { node, times: None, rest }));
                    }
                    next.extend(Some(rest).filter(|_| min == 0));
                    next
                }
                (Node::Char { .. }, None) => {
                    ways.chars.push((node, rest));
                    Vec::new()
                }
                (Node::All(parts), None) => {
                    let whole = parts.iter().rev().fold(rest, |rest, part| {
                        self.ahead(Ahead { node: *part, times: None, rest })
                    });
                    vec![whole]
                }
                (Node::Any(parts), None) => {
                    let each = parts.iter().map(|part| Ahead { node: *part, times: None, rest });
                    each.collect::<Vec<_>>().into_iter().map(|it| self.ahead(it)).collect()
                }
                (Node::Repeat(part, min, max), None) => {
                    vec![self.ahead(Ahead { node: *part, times: Some((*min, *max)), rest })]
                }
                (Node::Rule(name), None) => {
                    vec![self.ahead(Ahead { node: gbnf.rules[name], times: None, rest })]
                }
            };
            work.extend(next.into_iter().filter(|it| seen.insert(*it)));
        }
        self.ways.insert(start, ways);
    }
}
