use ecs::{Bundle, Component};
use std::rc::Rc;

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Hero(Health, Rc<u32>);

fn main() {}
