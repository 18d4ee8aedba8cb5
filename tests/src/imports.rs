//! The imports among the modules of a crate, read from its sources as text.

use std::collections::{BTreeMap, BTreeSet};

/// A path of names below the root of the crate.
type Path = Vec<String>;

/// The name of the root of a crate.
pub const ROOT: &str = "lib";

/// A directed graph of names.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// The modules of a crate with their imports.
pub struct Imports {
    modules: BTreeMap<Path, Module>,
}

struct Module {
    /// The paths of its `use` items, each with the name it gives.
    uses: Vec<(Path, String)>,
    /// The text without `use` items, comments, strings and tests.
    code: String,
}

impl Imports {
    /// Reads sources, given by their paths below `src` and their texts.
    pub fn of<'s>(sources: impl IntoIterator<Item = (&'s str, &'s str)>) -> Imports {
        let modules = sources.into_iter().map(|(path, text)| (module_path(path), Module::of(text)));
        Imports { modules: modules.collect() }
    }

    /// Returns the files that each file imports from, without their ends. The root of the crate is [`ROOT`]. A name that a
    /// module exports again belongs to the file that defines it.
    pub fn files(&self) -> Graph {
        let mut graph = Graph::new();
        for (path, module) in &self.modules {
            let own = name(path);
            let targets = graph.entry(own.clone()).or_default();
            for imported in self.imported(path, module) {
                let target = name(&self.definer(&imported, &mut BTreeSet::new()));
                if target != own {
                    targets.insert(target);
                }
            }
        }
        graph
    }

    /// Returns the absolute paths that a module names.
    fn imported(&self, path: &Path, module: &Module) -> Vec<Path> {
        let mut named: BTreeMap<&str, Path> = BTreeMap::new();
        let mut all = Vec::new();
        for (used, name) in &module.uses {
            if let Some(used) = self.absolute(path, used) {
                named.insert(name, used.clone());
                all.push(used);
            }
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for word in module.code.split(|c| !is_word(c)).filter(|word| word.contains("::")) {
            let parts: Path = word.split("::").map(str::to_owned).collect();
            let Some((first, rest)) = parts.split_first() else { continue };
            match named.get(first.as_str()) {
                Some(start) => all.push([start.as_slice(), rest].concat()),
                None => all.extend(self.absolute(path, &parts)),
            }
        }
        all
    }

    /// Returns a path from the root; none if it leads out of the crate.
    fn absolute(&self, from: &Path, path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([from.as_slice(), rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let above = from.get(..from.len().checked_sub(ups)?)?;
                Some([above, path.get(ups..)?].concat())
            }
            _ => {
                let inside = [from.as_slice(), path].concat();
                self.modules.contains_key(inside.get(..=from.len())?).then_some(inside)
            }
        }
    }

    /// Returns the module that defines what a path names, behind all that export it again.
    fn definer(&self, path: &[String], seen: &mut BTreeSet<Path>) -> Path {
        let at = (0..=path.len())
            .rev()
            .find(|at| path.get(..*at).is_some_and(|start| self.modules.contains_key(start)));
        let (module, rest) = path.split_at(at.unwrap_or(0));
        let Some((name, rest)) = rest.split_first() else { return module.to_vec() };
        let uses = self.modules.get(module).into_iter().flat_map(|it| &it.uses);
        let mut exported = uses.filter(|(_, given)| given == name);
        match exported.find_map(|(used, _)| self.absolute(&module.to_vec(), used)) {
            Some(used) if seen.insert(path.to_vec()) => {
                self.definer(&[used.as_slice(), rest].concat(), seen)
            }
            _ => module.to_vec(),
        }
    }
}

impl Module {
    fn of(text: &str) -> Module {
        let text = plain(text.split("#[cfg(test)]\nmod ").next().unwrap_or_default());
        let text = without_scopes(&without_inner_modules(&text));
        let mut uses = Vec::new();
        let mut code = String::new();
        let mut rest = text.as_str();
        while let Some(at) = use_item(rest) {
            let (before, item) = rest.split_at(at);
            let (tree, after) = item.split_once(';').unwrap_or((item, ""));
            let (_, tree) = tree.split_once("use ").unwrap_or_default();
            leaves(tree, &[], &mut uses);
            code.push_str(before);
            rest = after;
        }
        code.push_str(rest);
        Module { uses, code }
    }
}

/// Returns the strongly connected groups of more than one name, the largest first.
pub fn cycles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|name| (name, reachable(graph, name))).collect();
    let meets = |a: &String, b: &String| reach.get(a).is_some_and(|all| all.contains(b));
    let mut all: Vec<BTreeSet<String>> = Vec::new();
    for name in graph.keys() {
        let group: BTreeSet<String> = graph
            .keys()
            .filter(|other| *other == name || meets(name, other) && meets(other, name))
            .cloned()
            .collect();
        if group.len() > 1 && !all.contains(&group) {
            all.push(group);
        }
    }
    all.sort_by_key(|group| std::cmp::Reverse(group.len()));
    all
}

/// Joins the files of a graph below a folder: its files and folders, without the folder itself.
pub fn siblings(files: &Graph, folder: &str) -> Graph {
    let child = |name: &str| {
        let inside =
            if folder.is_empty() { name } else { name.strip_prefix(folder)?.strip_prefix('/')? };
        inside.split('/').next().map(str::to_owned)
    };
    let mut graph = Graph::new();
    for (from, targets) in files {
        let Some(from) = child(from) else { continue };
        let known = graph.entry(from.clone()).or_default();
        known.extend(targets.iter().filter_map(|to| child(to)).filter(|to| *to != from));
    }
    graph
}

fn reachable<'g>(graph: &'g Graph, from: &'g String) -> BTreeSet<&'g String> {
    let mut found = BTreeSet::new();
    let mut work = vec![from];
    while let Some(name) = work.pop() {
        for next in graph.get(name).into_iter().flatten() {
            if found.insert(next) {
                work.push(next);
            }
        }
    }
    found
}

fn name(module: &[String]) -> String {
    if module.is_empty() { ROOT.to_owned() } else { module.join("/") }
}

fn module_path(file: &str) -> Path {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if path == ROOT { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Returns where the next `use` item begins, with its visibility.
fn use_item(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let item = match start.strip_prefix("pub") {
            Some(rest) => rest.split_once(") ").map_or(rest, |(_, rest)| rest).trim_start(),
            None => start,
        };
        if item.starts_with("use ") {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Lists the paths of a `use` tree.
fn leaves(tree: &str, before: &[String], found: &mut Vec<(Path, String)>) {
    let names = |path: &str| -> Path {
        path.split("::")
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    };
    if let Some((start, inside)) = tree.split_once('{') {
        let start = [before, names(start).as_slice()].concat();
        let inside = inside.rsplit_once('}').map_or(inside, |(inside, _)| inside);
        let (mut depth, mut from) = (0, 0);
        for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    let part = inside.get(from..at).unwrap_or_default().trim();
                    if !part.is_empty() {
                        leaves(part, &start, found);
                    }
                    from = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path = [before, names(path).as_slice()].concat();
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    let last = path.last().cloned().unwrap_or_default();
    found.push((path, if name.is_empty() { last } else { name.trim().to_owned() }));
}

/// Joins the modules inside a file with the file: their `super` is the file itself.
fn without_inner_modules(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = inner_module(rest) {
        let (before, module) = rest.split_at(at);
        let mut depth = 0;
        let end = module.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == '}' && depth == 0
        });
        let (module, after) = module.split_at(end.unwrap_or(module.len()));
        out.push_str(before);
        out.push_str(&from_below(&without_inner_modules(module.get(1..).unwrap_or_default())));
        rest = after;
    }
    out + rest
}

/// Moves paths one module up: their first `super` is the file itself.
fn from_below(text: &str) -> String {
    let parts: Vec<&str> = text.split("super::").collect();
    let mut out = String::with_capacity(text.len());
    for (at, part) in parts.iter().enumerate() {
        let follows = at > 1 && parts.get(at - 1).is_some_and(|before| before.is_empty());
        out.push_str(match (at, follows, part.is_empty()) {
            (0, ..) | (_, false, true) => "",
            (_, false, false) => "self::",
            (_, true, _) => "super::",
        });
        out.push_str(part);
    }
    out
}

/// Returns where the block of the next module inside a file begins.
fn inner_module(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let item = line.trim_end();
        let item = item.strip_suffix('{').filter(|it| {
            let mut words = it.split_whitespace().rev();
            words.next().is_some() && words.next() == Some("mod")
        });
        if let Some(item) = item {
            return Some(at + item.len());
        }
        at += line.len();
    }
    None
}

/// Removes the places in which items are visible: a file does not import its folder by `pub(in …)`.
fn without_scopes(text: &str) -> String {
    let mut parts = text.split("pub(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "pub " + part.split_once(')').map_or("", |it| it.1))
}

/// Removes comments and the insides of strings.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '/' if rest.starts_with("//") => Some(rest.find('\n').unwrap_or(rest.len())),
            'r' if rest.starts_with("r#\"") => rest.find("\"#").map(|end| end + 2),
            '\'' if rest.starts_with("'\"'") => Some(3),
            '\'' if rest.starts_with("'\\") => {
                rest.get(2..).and_then(|it| it.find('\'')).map(|at| at + 3)
            }
            '"' => Some(string_end(rest)),
            _ => None,
        };
        match end {
            Some(end) => rest = rest.get(end..).unwrap_or_default(),
            None => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Returns the end of the string at the start of a text.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
