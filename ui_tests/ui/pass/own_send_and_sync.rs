//! Types with guarantees that their fields lack: the bound is one of the type.
#![allow(unsafe_code)]

use ecs::{Bundle, Component, Entity, Query, Resource, World};
use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::ptr;
use std::rc::Rc;

macro_rules! shared {
    ($([$($param:tt)*] $ty:ty,)+) => {$(
        // SAFETY: the program has one thread that follows pointers or counts references.
        unsafe impl<$($param)*> Send for $ty {}
        // SAFETY: as above.
        unsafe impl<$($param)*> Sync for $ty {}
    )+};
}
shared! {
    [] Body, [] Handle, [] Engine, [] Node, [] Held, [] Config, [] Mode, [] Pointer,
    [T: Send] Buffer<T>, [T: Send] Cache<T>,
}

#[derive(Component)]
struct Body(*mut u8);

#[derive(Component, Clone, Debug)]
#[component(clone, debug, track, requires(Body = Body(ptr::null_mut())))]
struct Handle {
    #[component(entities = ignore)]
    shared: Rc<Cell<u8>>,
    plain: u32,
}

#[derive(Component)]
enum Engine {
    Off,
    On(*const u8, Rc<u8>),
}

/// A field of its own type beside one that is not `Send`.
#[derive(Component)]
struct Node {
    next: Option<Box<Node>>,
    at: *mut Self,
}

#[derive(Component)]
#[component(relation)]
struct Held(Entity, UnsafeCell<u8>);

#[derive(Component)]
struct Buffer<T>(*mut T);

#[derive(Resource)]
struct Config(*mut u8);

#[derive(Resource)]
enum Mode {
    One(Rc<u8>),
}

#[derive(Resource)]
struct Cache<T>(*mut T, PhantomData<Rc<T>>);

/// Threads may share each column alone, so the guarantee is one of the field's type.
struct Pointer(*mut u8);

#[derive(Component)]
#[component(layout = "soa")]
struct Row {
    at: Pointer,
    len: usize,
}

#[derive(Bundle)]
struct All(Body, (Engine, Node), Buffer<u8>, Row);

#[derive(Query)]
struct Seen<'w> {
    body: &'w mut Body,
    engine: &'w Engine,
    buffer: Option<&'w Buffer<u8>>,
}

pub(super) fn main() {
    let mut world = World::new();
    let node = Node { next: None, at: ptr::null_mut() };
    let row = Row { at: Pointer(ptr::null_mut()), len: 0 };
    let all = All(Body(ptr::null_mut()), (Engine::On(ptr::null(), Rc::new(3)), node), Buffer(ptr::null_mut()), row);
    let entity = world.spawn(all).id();
    world.spawn(Held(entity, UnsafeCell::new(4)));
    world.insert_resource(Config(ptr::null_mut()));
    world.insert_resource(Mode::One(Rc::new(5)));
    world.insert_resource(Cache::<u8>(ptr::null_mut(), PhantomData));
    world.view_mut::<Seen>().par_for_each(|seen| assert!(seen.body.0.is_null() && seen.buffer.is_some()));
    let handle = world.spawn(Handle { shared: Rc::new(Cell::new(6)), plain: 7 }).id();
    assert!(world.has::<Body>(handle));
}
