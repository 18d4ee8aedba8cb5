//! The table of the groups, and the figures with a bar.

use std::io::{self, Write};

use crate::Failure;

/// A spelling of a group, with figures of one item.
pub(crate) struct Cell {
    pub(crate) name: String,
    pub(crate) cost: f64,
    pub(crate) clones: Option<f64>,
    /// Whether no figure counts it.
    pub(crate) is_apart: bool,
}

/// A group: the spellings that count come first, from the fastest to the slowest, and the others follow.
pub(crate) struct Row {
    name: String,
    cells: Vec<Cell>,
    /// The number of spellings that count, one or more.
    counted: usize,
}

impl Row {
    pub(crate) fn new(name: String, mut cells: Vec<Cell>) -> Result<Row, Failure> {
        cells.sort_by(|a, b| a.is_apart.cmp(&b.is_apart).then(a.cost.total_cmp(&b.cost)));
        let counted = cells.iter().filter(|it| !it.is_apart).count();
        if counted == 0 {
            return Err(format!("{name} has no spelling that counts").into());
        }
        Ok(Row { name, cells, counted })
    }

    fn best(&self) -> &Cell {
        &self.cells[0]
    }

    fn worst(&self) -> &Cell {
        &self.cells[self.counted - 1]
    }

    /// Returns the cost of a spelling beside that of the fastest.
    fn factor(&self, cell: &Cell) -> f64 {
        cell.cost / self.best().cost
    }

    fn worst_factor(&self) -> f64 {
        self.factor(self.worst())
    }
}

/// The rows so far.
pub(crate) struct Table {
    rows: Vec<Row>,
    /// The unit of the costs.
    unit: &'static str,
    /// Whether it shows clones.
    clones: bool,
}

impl Table {
    pub(crate) fn new(unit: &'static str, clones: bool) -> Table {
        Table { rows: Vec::new(), unit, clones }
    }

    pub(crate) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Prints the rows by their factors, with all spellings if `all` asks for it, and the figures with a bar.
    pub(crate) fn print(&mut self, all: bool) -> Result<(), Failure> {
        self.rows.sort_by(|a, b| b.worst_factor().total_cmp(&a.worst_factor()));
        let mut out = io::stdout().lock();
        let unit = self.unit;
        let clones = if self.clones { " clones |" } else { "" };
        let line = if self.clones { "--:|" } else { "" };
        if all {
            writeln!(
                out,
                "| work | spelling | {unit} |{clones} beside the best |\n|---|---|--:|{line}--:|"
            )?;
        } else {
            writeln!(
                out,
                "| work | best spelling | {unit} |{clones} worst spelling | {unit} |{clones} factor |"
            )?;
            writeln!(out, "|---|---|--:|{line}---|--:|{line}--:|")?;
        }
        for row in &self.rows {
            if all {
                for cell in &row.cells {
                    let (text, factor) = (self.cell(cell), row.factor(cell));
                    let apart = if cell.is_apart { " (apart)" } else { "" };
                    writeln!(out, "| {} | {text} | {factor:.1}{apart} |", row.name)?;
                }
            } else {
                let (best, worst) = (self.cell(row.best()), self.cell(row.worst()));
                writeln!(out, "| {} | {best} | {worst} | {:.1} |", row.name, row.worst_factor())?;
            }
        }
        self.print_bars(&mut out)
    }

    fn cell(&self, cell: &Cell) -> String {
        let figure = |of: f64| if of < 10.0 { format!("{of:.1}") } else { format!("{of:.0}") };
        let cost = figure(cell.cost);
        match cell.clones {
            Some(clones) => format!("{} | {cost} | {}", cell.name, figure(clones)),
            None if self.clones => format!("{} | {cost} |", cell.name),
            None => format!("{} | {cost}", cell.name),
        }
    }

    fn print_bars(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mean = |factors: &[f64]| {
            let logs: f64 = factors.iter().map(|it| it.ln()).sum();
            (logs / factors.len().max(1) as f64).exp()
        };
        let counted = self
            .rows
            .iter()
            .flat_map(|row| row.cells[..row.counted].iter().map(|it| row.factor(it)));
        let all: Vec<f64> = counted.collect();
        let worst: Vec<f64> = self.rows.iter().map(Row::worst_factor).collect();
        let over = worst.iter().filter(|it| **it > 2.0).count();
        let share = 100.0 * over as f64 / worst.len().max(1) as f64;
        let apart = self.rows.iter().map(|row| row.cells.len() - row.counted).sum::<usize>();
        let (groups, spellings, most) = (worst.len(), all.len(), worst.first().unwrap_or(&1.0));
        let rows = [
            (
                "groups with a spelling over twice their best",
                format!("{over} ({share:.0} %)"),
                "≤ 10 %",
            ),
            ("the worst spelling beside its best", format!("{most:.1}"), "≤ 5"),
            (
                "all spellings beside their best, geometric mean",
                format!("{:.2}", mean(&all)),
                "≤ 1.4",
            ),
            (
                "the worst of each group beside its best, geometric mean",
                format!("{:.2}", mean(&worst)),
                "",
            ),
        ];
        writeln!(
            out,
            "\n| {groups} groups, {spellings} spellings that count, {apart} apart | now | bar |"
        )?;
        writeln!(out, "|---|--:|--:|")?;
        for (figure, now, bar) in rows {
            writeln!(out, "| {figure} | {now} | {bar} |")?;
        }
        Ok(())
    }
}
