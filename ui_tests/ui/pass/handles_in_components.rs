//! Handles in types within components, without a mark.
#![deny(private_bounds, private_interfaces, unused_imports, unused_variables)]

use ecs::Entity as Id;
use ecs::{Component, MapEntities, World};
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, OnceLock};

/// Has the name of a handle, and is none.
mod drawn {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Entity(pub u64);
}

#[derive(MapEntities, Clone, Debug, PartialEq)]
pub struct Link {
    to: Id,
    drawn: drawn::Entity,
    note: Arc<str>,
}

/// Contains itself.
#[derive(MapEntities, Clone, Debug, PartialEq)]
pub enum Tree<T> {
    Leaf(T),
    Node { parts: Vec<Tree<T>>, at: Option<Link> },
    Bare,
}

/// A component that contains itself.
#[derive(Component, MapEntities, Clone, Debug, PartialEq)]
#[component(clone)]
pub struct Group {
    parts: Vec<Group>,
    leader: Id,
}

/// Types without handles need no word.
#[derive(Clone, Debug, Default)]
struct Plain(Vec<Option<f32>>, HashMap<String, [u8; 3]>, Arc<Mutex<u32>>, Arc<OnceLock<String>>);

#[derive(Component, Clone, Debug)]
#[component(clone)]
pub struct Unit {
    tree: Tree<(u8, Id)>,
    links: BTreeMap<u8, Box<[Link]>>,
    plain: Plain,
    drawn: Option<drawn::Entity>,
    call: fn(Id) -> Id,
    of: PhantomData<Link>,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone, layout = "soa")]
pub struct Columns<const N: usize> {
    links: [Option<Link>; N],
    weights: [u32; N],
}

/// A parameter that may hold anything; the instances here hold nothing.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
pub struct Stock<T: Clone, U: Clone>(Hidden<T>, PhantomData<U>);
#[derive(Clone, Debug, PartialEq)]
struct Hidden<T>(Vec<T>);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(clone)]
pub struct Marked<T: MapEntities + Clone>(#[component(entities)] T);

fn copies<T: Clone + Send + Sync + 'static>(world: &mut World, one: Stock<T, Link>) -> Stock<T, Link>
where
    Stock<T, Link>: Component<Storage = Vec<Stock<T, Link>>>,
{
    let entity = world.spawn(one).id();
    let copy = world.spawn_copies(entity, 1).unwrap()[0];
    world.get::<Stock<T, Link>>(copy).unwrap().clone()
}

pub(super) fn main() {
    let mut prefab = World::new();
    let at = prefab.spawn_empty().id();
    let link = |to| Link { to, drawn: drawn::Entity(7), note: "a".into() };
    let unit = |at| Unit {
        tree: Tree::Node {
            parts: vec![Tree::Leaf((1, at)), Tree::Bare],
            at: Some(link(at)),
        },
        links: BTreeMap::from([(1, vec![link(at)].into_boxed_slice())]),
        plain: Plain::default(),
        drawn: None,
        call: |it| it,
        of: PhantomData,
    };
    let group = |at| Group { parts: vec![Group { parts: vec![], leader: at }], leader: at };
    let columns = |at| Columns { links: [Some(link(at)), None], weights: [1, 2] };
    prefab.spawn((unit(at), group(at), columns(at), Marked(Some(at))));
    let mut world = World::new();
    world.spawn_batch((0..5).map(|_| Marked(1)));
    let [at, copy] = world.spawn_copies_of(&prefab, 1).unwrap()[..] else { panic!("two") };
    let copied = world.get::<Unit>(copy).unwrap();
    assert_eq!((&copied.tree, &copied.links), (&unit(at).tree, &unit(at).links));
    assert_eq!((copied.call)(at), at);
    assert_eq!(world.get::<Group>(copy), Some(&group(at)));
    assert_eq!(world.get::<Columns<2>>(copy).unwrap().to_owned(), columns(at));
    assert_eq!(world.get::<Marked<Option<Id>>>(copy), Some(&Marked(Some(at))));
    let stock = Stock(Hidden(vec![3]), PhantomData);
    assert_eq!(copies(&mut world, stock.clone()), stock);
}
