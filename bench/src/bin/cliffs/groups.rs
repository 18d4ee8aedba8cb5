//! The groups of `bench/cliffs`: programs that do the same work. A test of `ptc-tests` reads them too.

/// Programs that do the same work.
pub(crate) struct Group {
    pub(crate) name: String,
    /// The items of the work; times are those of one item.
    pub(crate) items: u64,
    /// The program that makes the data.
    data: String,
    spellings: Vec<Spelling>,
}

/// A program of a group.
#[derive(Clone)]
pub(crate) struct Spelling {
    pub(crate) name: String,
    pub(crate) source: String,
    /// Whether it gets the value by more or less work than the others, so that no figure counts it.
    pub(crate) is_apart: bool,
}

impl Group {
    /// Returns the program that makes the data for a number of items; its value is a map of the keys of `ctx`.
    pub(crate) fn data(&self, items: u64) -> String {
        if self.data.is_empty() { "{}".to_owned() } else { sized(&self.data, items) }
    }

    /// Returns the programs for a number of items.
    pub(crate) fn spellings(&self, items: u64) -> impl Iterator<Item = Spelling> {
        self.spellings
            .iter()
            .map(move |it| Spelling { source: sized(&it.source, items), ..it.clone() })
    }
}

fn sized(source: &str, items: u64) -> String {
    source.replace("COUNT", &items.to_string())
}

/// Reads the groups of a file.
///
/// `;;; NAME: ITEMS` begins a group and `;; NAME` a spelling, or `;;~ NAME` if it is apart. The part `;; data` comes
/// first, if the spellings read data. In all programs `COUNT` is the number of items.
pub(crate) fn groups(text: &str) -> Result<Vec<Group>, String> {
    let mut groups: Vec<Group> = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix(";;; ") {
            let (name, items) = head.rsplit_once(": ").ok_or(format!("{line}: no items"))?;
            let items = items.parse().map_err(|error| format!("{line}: {error}"))?;
            groups.push(Group {
                name: name.to_owned(),
                items,
                data: String::new(),
                spellings: Vec::new(),
            });
            continue;
        }
        let Some(group) = groups.last_mut() else { continue };
        let name = line.strip_prefix(";; ").or_else(|| line.strip_prefix(";;~ "));
        match (name, group.spellings.last_mut()) {
            (Some("data"), None) => {}
            (Some(name), _) => group.spellings.push(Spelling {
                name: name.to_owned(),
                source: String::new(),
                is_apart: line.starts_with(";;~"),
            }),
            (None, Some(spelling)) => spelling.source.extend([line, "\n"]),
            (None, None) => group.data.extend([line, "\n"]),
        }
    }
    Ok(groups)
}
