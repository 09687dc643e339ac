//! The places of a file that mutants change: each is an expression that a condition can replace.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr, ExprMatch, Pat};

/// The places of one file, by byte ranges.
#[derive(Default)]
pub(crate) struct Places {
    /// Each expression, and whether `let` is one of its operands.
    expressions: Vec<(Range<usize>, bool)>,
    /// Each arm beside one that matches all others, and its pattern.
    arms: Vec<(Range<usize>, Range<usize>)>,
    /// Constants, constant functions and patterns: none can call a function.
    constants: Vec<Range<usize>>,
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn range(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

impl<'a> Visit<'a> for Places {
    fn visit_expr(&mut self, expression: &'a Expr) {
        self.expressions.push((range(expression), has_let(expression)));
        visit::visit_expr(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'a ExprMatch) {
        let is_last = |arm: &Arm| matches!(arm.pat, Pat::Wild(_)) && arm.guard.is_none();
        if expression.arms.iter().any(is_last) {
            let arms = expression.arms.iter().map(|arm| (range(arm), range(&arm.pat)));
            self.arms.extend(arms);
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.visit_body(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.visit_body(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.constants.push(range(item));
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.constants.push(range(item));
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        self.constants.push(range(item));
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.constants.push(range(item));
    }

    fn visit_expr_const(&mut self, block: &'a syn::ExprConst) {
        self.constants.push(range(block));
    }

    fn visit_expr_repeat(&mut self, array: &'a syn::ExprRepeat) {
        self.constants.push(range(&array.len));
        visit::visit_expr_repeat(self, array);
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        self.constants.push(range(variant));
    }

    fn visit_type(&mut self, name: &'a syn::Type) {
        self.constants.push(range(name));
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        self.constants.push(range(pattern));
    }
}

impl Places {
    pub(crate) fn of(source: &str) -> Self {
        let file = syn::parse_file(source).expect("the sources are Rust");
        let mut places = Self::default();
        places.visit_file(&file);
        places
    }

    fn visit_body(&mut self, signature: &syn::Signature, block: &Block) {
        if signature.constness.is_some() {
            self.constants.push(range(block));
        }
    }

    /// Returns `true` if this text is evaluated by the compiler.
    pub(crate) fn is_constant(&self, at: &Range<usize>) -> bool {
        self.constants.iter().any(|constant| constant.start <= at.start && at.end <= constant.end)
    }

    /// Returns the smallest expression around `inner`, which may be equal to it if `or_equal`.
    pub(crate) fn around(&self, inner: &Range<usize>, or_equal: bool) -> Option<Range<usize>> {
        let is_around = |(outer, _): &&(Range<usize>, bool)| {
            outer.start <= inner.start && inner.end <= outer.end && (or_equal || outer != inner)
        };
        let (around, has_let) =
            self.expressions.iter().filter(is_around).min_by_key(|(outer, _)| outer.len())?;
        (!has_let).then(|| around.clone())
    }

    /// Returns where the pattern of this arm ends.
    pub(crate) fn pattern_end(&self, arm: &Range<usize>) -> Option<usize> {
        let (_, pattern) = self.arms.iter().find(|(found, _)| found.start == arm.start)?;
        Some(pattern.end)
    }
}
