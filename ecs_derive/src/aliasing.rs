//! Refuses a query that would borrow one component twice, once to write.
//!
//! Types are compared as tokens, for an error at the field. Aliases and nested queries are left to
//! the library, which compares the components' ids.

use crate::errors::Errors;
use crate::field_type::{Leaf, leaves};
use crate::spell::spell;
use syn::{Type, TypeReference};

/// One component, borrowed by one field.
struct Borrow<'a> {
    component: String,
    field: &'a str,
    at: &'a TypeReference,
}

impl Borrow<'_> {
    fn writes(&self) -> bool {
        self.at.mutability.is_some()
    }

    fn verb(&self) -> &'static str {
        if self.writes() { "writes" } else { "reads" }
    }

    fn conflicts(&self, other: &Self) -> bool {
        self.component == other.component && (self.writes() || other.writes())
    }
}

/// Compares the borrows of all fields, given by name, the type that they ask for and the one that
/// they have, each with those before it.
pub fn check<'a>(
    query: &str,
    fields: impl Iterator<Item = (&'a str, (&'a Type, &'a Type))>,
    errors: &mut Errors,
) {
    let mut seen: Vec<Borrow> = Vec::new();
    let borrows = fields.flat_map(|(field, (asked, own))| {
        // They differ in the borrowed types only.
        borrows(asked).zip(borrows(own)).map(move |(asked, at)| (field, asked, at))
    });
    for (field, asked, at) in borrows {
        let second = Borrow { component: spell(&asked.elem), field, at };
        if let Some(first) = seen.iter().find(|first| first.conflicts(&second)) {
            report(query, first, &second, errors);
        }
        seen.push(second);
    }
}

fn borrows(ty: &Type) -> impl Iterator<Item = &TypeReference> {
    leaves(ty).into_iter().filter_map(|leaf| match leaf {
        Leaf::Borrow(reference) => Some(reference),
        Leaf::Has(_) | Leaf::Path(_) => None,
    })
}

fn report(query: &str, first: &Borrow, second: &Borrow, errors: &mut Errors) {
    let Borrow { component, field, at } = second;
    if first.field == *field {
        let message =
            format!("query `{query}`: field `{field}` borrows `{component}` twice, once to write");
        return errors.at(at, message);
    }
    let also = if first.writes() && second.writes() { "also " } else { "" };
    let message = format!(
        "query `{query}`: field `{field}` {} `{component}`, which field `{}` {also}{}",
        second.verb(),
        first.field,
        first.verb(),
    );
    errors.at(at, message);
}
