//! Names in expansions. A binding that is called like a user's constant would be compared with it, and one called like a
//! static would be an error. So all emitted names begin with two underscores.

use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Block, Ident, Item, PatIdent, Stmt};

/// The names of bindings and of local items.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn note(&mut self, name: &Ident) {
        self.0.push(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.note(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for statement in &block.stmts {
            match statement {
                Stmt::Item(Item::Const(item)) if item.ident != "_" => self.note(&item.ident),
                Stmt::Item(Item::Static(item)) => self.note(&item.ident),
                Stmt::Item(Item::Fn(item)) => self.note(&item.sig.ident),
                Stmt::Item(Item::Struct(item)) => self.note(&item.ident),
                Stmt::Item(Item::Enum(item)) => self.note(&item.ident),
                Stmt::Item(Item::Type(item)) => self.note(&item.ident),
                Stmt::Item(Item::Trait(item)) => self.note(&item.ident),
                _ => {}
            }
        }
        visit::visit_block(self, block);
    }
}

#[test]
fn emitted_names_begin_with_two_underscores() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut bound = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_str().unwrap().ends_with(".expanded.rs") {
            continue;
        }
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut names = Names::default();
        names.visit_file(&file);
        bound += names.0.len();
        let plain: Vec<_> = names.0.iter().filter(|name| !name.starts_with("__")).collect();
        assert!(plain.is_empty(), "{} binds {plain:?}", path.display());
    }
    assert!(bound > 100, "expansions bind {bound} names");
}
