//! Selects the nodes that a person would call forms: calls and special forms. Each form counts once, although the
//! checker may make several nodes of it.

use std::sync::Arc;

use ptc_values::Program;
use ptc_values::code::Span;
use ptc_values::ir::Node;
use ptc_values::limits::Limits;

const FORM: u8 = 1;
const BREAK: u8 = 2;

pub(super) struct Forms {
    pub(super) source: Arc<str>,
    spans: Vec<Span>,
    flags: Vec<u8>,
    /// The loops of `recur` nodes, ordered by node.
    loops: Vec<(u32, Span)>,
}

impl Forms {
    pub(super) fn of(program: &Program) -> Forms {
        let mut forms = Forms {
            source: program.source.clone(),
            spans: program.spans.clone(),
            flags: vec![0; program.nodes.len()],
            loops: Vec::new(),
        };
        // A part of the language has nothing to show.
        if !program.builtin {
            forms.find(program);
        }
        forms
    }

    fn find(&mut self, program: &Program) {
        let mut inner = vec![false; program.nodes.len()];
        for at in outside_in(program) {
            let Some(node) = program.core(at as u32) else { continue };
            let span = program.span(at as u32);
            let is_inner = inner.get(at).copied().unwrap_or_default();
            // A function or binding is not a form, so its content counts as one.
            let (is_function, is_binding) =
                (matches!(node, Node::Function { .. }), matches!(node, Node::Bind { .. }));
            program.each_part(at as u32, &mut |part| {
                let same = program.span(part) == span;
                let is_do = matches!(program.nodes.get(part as usize), Some(Node::Do(_)));
                let is_own = is_binding || is_function && !is_do;
                if same
                    && (is_inner || !is_own)
                    && let Some(inner) = inner.get_mut(part as usize)
                {
                    *inner = true;
                }
            });
        }
        // The sequence of all top-level forms is not a form.
        let whole = has_several(&program.source).then(|| Span::new(0, program.source.len()));
        for at in 0..program.nodes.len() {
            let Some(node) = program.core(at as u32) else { continue };
            let span = program.span(at as u32);
            let is_whole = matches!(node, Node::Do(_)) && whole == Some(span);
            let is_inner = inner.get(at).copied().unwrap_or(true);
            if is_form(&node)
                && span.end > span.start
                && !is_inner
                && !is_whole
                && let Some(flags) = self.flags.get_mut(at)
            {
                *flags = FORM;
            }
            if let Node::Recur { target, .. } = node {
                self.loops.push((at as u32, program.span(target)));
            }
        }
    }

    #[inline]
    pub(super) fn is_form(&self, node: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|flags| flags & FORM != 0)
    }

    #[inline]
    pub(super) fn has_break(&self, node: u32) -> bool {
        self.flags.get(node as usize).is_some_and(|flags| flags & BREAK != 0)
    }

    pub(super) fn set_break(&mut self, node: u32) {
        if let Some(flags) = self.flags.get_mut(node as usize) {
            *flags |= BREAK;
        }
    }

    pub(super) fn span(&self, node: u32) -> Span {
        self.spans.get(node as usize).copied().unwrap_or_default()
    }

    /// Returns the loop of a `recur`; `None` if it targets its function.
    pub(super) fn loop_of(&self, turn: u32) -> Option<Span> {
        let at = self.loops.binary_search_by_key(&turn, |(node, _)| *node).ok()?;
        self.loops.get(at).map(|(_, span)| *span)
    }

    /// Returns the nodes of forms in source order, outer ones first.
    pub(super) fn in_order(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> =
            (0..self.flags.len() as u32).filter(|node| self.is_form(*node)).collect();
        nodes.sort_by_key(|node| {
            let span = self.span(*node);
            (span.start, std::cmp::Reverse(span.end))
        });
        nodes
    }
}

/// Returns whether a node is a call or a special form. Reads of names, literals and functions are not.
fn is_form(node: &Node) -> bool {
    !matches!(
        node,
        Node::Bind { .. }
            | Node::Vector(_)
            | Node::Map(_)
            | Node::Set(_)
            | Node::Function { .. }
            | Node::Myself
            | Node::Sibling(_)
            | Node::Global(_)
            | Node::Ctx(_)
            | Node::CtxAll
            | Node::Memory(_)
            | Node::MemoryAll
            | Node::History(_)
    )
}

fn has_several(source: &str) -> bool {
    let limits = Limits { source_bytes: u32::MAX, source_nesting: u32::MAX, ..Limits::default() };
    ptc_reader::read(source, &limits).is_ok_and(|read| read.top.len() > 1)
}

/// Orders nodes so that each comes before its parts.
fn outside_in(program: &Program) -> Vec<usize> {
    let mut seen = vec![false; program.nodes.len()];
    let mut order = Vec::with_capacity(program.nodes.len());
    let bodies = program.lambdas.first().into_iter().flat_map(|main| main.arities.iter());
    let mut work: Vec<u32> = bodies.filter_map(|arity| arity.body.node()).collect();
    while let Some(node) = work.pop() {
        match seen.get_mut(node as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        order.push(node as usize);
        program.each_part(node, &mut |part| work.push(part));
    }
    order
}
