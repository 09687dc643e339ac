#![allow(unused_macros)]

macro_rules! line { () => { compile_error!("not this one") }; }
macro_rules! column { () => { compile_error!("not this one") }; }
macro_rules! module_path { () => { compile_error!("not this one") }; }
macro_rules! option_env { ($name:tt) => { compile_error!("not this one") }; }
macro_rules! env { ($name:tt) => { compile_error!("not this one") }; }
macro_rules! concat { ($($name:tt)*) => { compile_error!("not this one") }; }
macro_rules! stringify { ($($name:tt)*) => { compile_error!("not this one") }; }
macro_rules! assert { ($($name:tt)*) => { compile_error!("not this one") }; }
macro_rules! panic { ($($name:tt)*) => { compile_error!("not this one") }; }

use ecs::{Bundle, Component, Query};

#[derive(Component)]
pub struct Health(pub u32);

#[derive(Query)]
#[query(with(Health))]
pub struct Living<'w>(pub &'w mut Health);

#[derive(Bundle)]
pub struct Hero(pub Health);

pub(super) fn main() {}
