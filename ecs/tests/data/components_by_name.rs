//! Components that are accessed by their names only.

use crate::worlds::{Friends, Generic, Number, Place, Tag, Text};
use ecs::by_name::{Kind, KindError};
use ecs::{AnyComponent, ChildOf, Component, Group, Name, RelateError, RemoveError, World};
use std::any::type_name;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Component)]
struct Plain;

fn kind_of<T: AnyComponent>(name: &str, world: &World) -> Kind {
    let kind = world.kind(name).unwrap();
    assert_eq!(kind, Kind::of::<T>());
    kind
}

#[test]
fn kinds_are_found_by_their_names() {
    let mut world = World::new();
    world.spawn((Number(1), Generic(1_u8), Generic(2_u64), Place::default()));
    kind_of::<Number>("Number", &world);
    kind_of::<Number>(type_name::<Number>(), &world);
    kind_of::<Generic<u8>>(type_name::<Generic<u8>>(), &world);
    let error = world.kind("Generic").unwrap_err();
    let both = [type_name::<Generic<u8>>(), type_name::<Generic<u64>>()];
    assert!(
        matches!(&error, KindError::Ambiguous(_, all) if both.iter().all(|it| all.contains(it)))
    );
    assert!(
        error
            .to_string()
            .starts_with("several components are called `Generic`; name one in full: `")
    );
    assert_eq!(world.kind("Text"), Err(KindError::Unknown("Text".into(), None)));
    let place = world.kind("Place").unwrap();
    assert!(place.is_in_columns() && place.size() == size_of::<Place>());
    let number = world.kind("Number").unwrap();
    assert!(!number.is_in_columns() && number.id() == Number::ID);
    assert!(Kind::of::<Friends>().is_tracked() && Kind::of::<ChildOf>().is_relation());
    assert_eq!(number.to_string(), type_name::<Number>());
}

#[cfg(feature = "serde")]
#[test]
fn kinds_are_found_by_the_names_under_which_they_are_saved() {
    let mut world = World::new();
    world.spawn((Number(1), Generic(1_u8), Generic(2_u64)));
    let number = kind_of::<Number>("number", &world);
    assert_eq!(number.saved_as(), Some(("number", 1)));
    kind_of::<Generic<u8>>("generic<u8>", &world);
    kind_of::<Generic<u64>>("generic<u64>", &world);
    assert!(world.kind("generic").is_err());
}

#[test]
fn values_are_seen() {
    let mut world = World::new();
    let place = Place { x: 0.5, label: None, y: 3 };
    let entity = world.spawn((Number(7), place, Text("a".into()), Tag)).id();
    let other = world.spawn(Number(8)).id();
    let shown: Vec<String> = world.kind_values(entity).map(|it| format!("{it:?}")).collect();
    for text in ["Number(7)", "PlaceRef { x: 0.5, label: None, y: 3 }", "Text { .. }", "Tag { .. }"]
    {
        assert!(shown.iter().any(|it| it == text), "{text} is not among {shown:?}");
    }
    let number = world.kind_value(Kind::of::<Number>(), other).unwrap();
    assert_eq!((number.entity(), number.kind()), (other, Kind::of::<Number>()));
    assert_eq!((number.get::<Number>(), number.get::<Text>()), (Some(&Number(8)), None));
    assert!(format!("{:?}", number.as_debug().unwrap()) == "Number(8)");
    assert!(world.kind_value(Kind::of::<Text>(), entity).unwrap().as_debug().is_none());
    assert_eq!(
        world.kind_value(Kind::of::<Place>(), entity).unwrap().get::<Place>().unwrap().y,
        &3
    );
    assert!(world.kind_value(Kind::of::<Tag>(), other).is_none());
    assert!(world.kind_value(Kind::of::<Plain>(), other).is_none());
    world.despawn(other).unwrap();
    assert!(
        world.kind_value(Kind::of::<Number>(), other).is_none()
            && world.kind_values(other).count() == 0
    );
    let child = world.spawn((Name::new("Bob"), ChildOf(entity))).id();
    let mut shown: Vec<String> = world.kind_values(child).map(|it| format!("{it:?}")).collect();
    shown.sort();
    assert_eq!(shown, [format!("ChildOf({entity:?})"), r#"Name("Bob")"#.to_string()]);
}

#[test]
fn impossible_edits_return_errors() {
    let mut world = World::new();
    let [a, dead] = [(); 2].map(|()| world.spawn((Plain, Name::new("it"))).id());
    world.despawn(dead).unwrap();
    let plain = Kind::of::<Plain>();
    let words = |error: KindError| error.to_string();
    assert_eq!(
        words(world.insert_kind_default(plain, a).unwrap_err()),
        "`Plain` is not inserted by default: add `#[component(default)]` to it, or declare it by `by_name::Declaration`"
    );
    assert_eq!(
        words(world.copy_kind(plain, a, a).unwrap_err()),
        "`Plain` is not copied: add `#[component(clone)]` to it, or declare it by `by_name::Declaration`"
    );
    let number = Kind::of::<Number>();
    assert_eq!(
        words(world.insert_kind_default(number, dead).unwrap_err()),
        format!("no such entity: {dead}")
    );
    assert_eq!(world.copy_kind(number, dead, a), Err(KindError::NoSuchEntity(dead)));
    assert_eq!(world.copy_kind(number, a, dead), Err(KindError::NoSuchEntity(dead)));
    assert_eq!(
        words(world.copy_kind(number, a, a).unwrap_err()),
        format!("entity {a} has no `Number`")
    );
    assert_eq!(world.remove_kind(number, dead), Err(RemoveError::NoSuchEntity(dead)));
    assert_eq!(world.remove_kind(number, a), Err(RemoveError::Missing(a, "Number")));
    world.attach(a, a).unwrap_err();
    let b = world.spawn(ChildOf(a)).id();
    let error = world.copy_kind(Kind::of::<ChildOf>(), b, a).unwrap_err();
    assert_eq!(error, KindError::Relation(RelateError::Circle("ChildOf", vec![a])));
    world.check_invariants();
}

#[derive(Component)]
#[component(veto = Locked::may_go)]
struct Locked(bool);
impl Locked {
    fn may_go(&mut self) -> bool {
        !self.0
    }
}

#[test]
fn vetoes_are_checked() {
    let mut world = World::new();
    let entity = world.spawn(Locked(true)).id();
    let refused = Err(RemoveError::Refused(entity, "Locked"));
    assert_eq!(world.remove_kind(Kind::of::<Locked>(), entity), refused);
    assert!(world.has::<Locked>(entity));
}

#[test]
fn observers_may_edit_notified_components_by_name() {
    let mut world = World::new();
    world.declare_group(Group::owning::<(Number, Tag)>()).unwrap();
    world.on_insert::<Number>(|world, entity| {
        if world.get::<Number>(entity) == Some(&Number(3)) {
            world.insert_kind_default(Kind::of::<Number>(), entity).unwrap();
            world.insert_kind_default(Kind::of::<Tag>(), entity).unwrap();
        }
    });
    world.on_remove::<Tag>(|world, entity| {
        world.remove_kind(Kind::of::<Number>(), entity).unwrap();
    });
    let entity = world.spawn(Number(3)).id();
    assert!(world.get::<Number>(entity) == Some(&Number(0)) && world.has::<Tag>(entity));
    world.check_invariants();
    world.remove_kind(Kind::of::<Tag>(), entity).unwrap();
    assert_eq!(world.kind_values(entity).count(), 0);
    world.check_invariants();
}

#[test]
fn panics_of_drops_and_defaults_leave_the_world_consistent() {
    #[derive(Component, Clone)]
    #[component(clone, default)]
    struct Bomb(bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(!self.0 || std::thread::panicking(), "boom");
        }
    }
    impl Default for Bomb {
        fn default() -> Self {
            panic!("no default")
        }
    }
    let mut world = World::new();
    let [a, b] = [true, false].map(|it| world.spawn((Bomb(it), Number(1))).id());
    let panicked = |edit: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(edit)).is_err();
    assert!(panicked(&mut || world.copy_kind(Kind::of::<Bomb>(), b, a).unwrap()));
    world.check_invariants();
    assert!(!world.get::<Bomb>(a).unwrap().0);
    assert!(panicked(&mut || world.insert_kind_default(Kind::of::<Bomb>(), a).unwrap()));
    world.check_invariants();
    assert!(world.has::<Bomb>(a));
}

#[cfg(feature = "serde")]
#[test]
fn values_are_written_and_read_by_any_format() {
    let mut world = World::new();
    let place = Place { x: 0.5, label: Some("a".into()), y: 3 };
    let entity = world.spawn((Number(7), place, Plain, Generic(3_u8))).id();
    let text = |world: &World, kind: Kind| {
        serde_json::to_string(&world.kind_value(kind, entity).unwrap()).unwrap()
    };
    assert_eq!(text(&world, Kind::of::<Place>()), r#"{"x":0.5,"label":"a","y":3}"#);
    assert_eq!(text(&world, Kind::of::<Generic<u8>>()), "3");
    let plain = world.kind_value(Kind::of::<Plain>(), entity).unwrap();
    assert!(plain.as_serialize().is_none());
    assert_eq!(serde_json::to_string(&plain).unwrap_err().to_string(), "it is not saved");
    let number = world.kind_value(Kind::of::<Number>(), entity).unwrap();
    assert_eq!(serde_json::to_string(number.as_serialize().unwrap()).unwrap(), "7");

    let mut read = |kind: Kind, text: &str| {
        world.insert_kind(kind, entity, &mut serde_json::Deserializer::from_str(text))
    };
    read(Kind::of::<Place>(), r#"{"y":9,"x":1,"label":null}"#).unwrap();
    read(Kind::of::<Generic<u64>>(), "5").unwrap();
    read(Kind::of::<Friends>(), &format!("[\"{entity}\"]")).unwrap();
    let error = read(Kind::of::<Number>(), "\"seven\"").unwrap_err();
    assert!(error.to_string().starts_with("no `Number` was read: invalid type: string"));
    let error = read(Kind::of::<Plain>(), "null").unwrap_err();
    let words = "`Plain` is not saved, so no value of it is read: add `#[component(save = \"name\")]` to it, or declare it by `by_name::Declaration`";
    assert_eq!(error.to_string(), words);
    world.check_invariants();
    assert_eq!(*world.get::<Place>(entity).unwrap().y, 9);
    assert_eq!(world.get::<Number>(entity), Some(&Number(7)));
    assert_eq!(world.get::<Generic<u64>>(entity), Some(&Generic(5)));
    assert_eq!(world.get::<Friends>(entity), Some(&Friends(vec![entity])));
}

#[test]
fn a_kind_says_whether_copies_omit_it() {
    #[derive(Component)]
    #[component(clone = skip)]
    struct NotCopied;
    #[derive(Component, Clone)]
    #[component(clone)]
    struct Copied;
    let [skipped, copied] = [Kind::of::<NotCopied>(), Kind::of::<Copied>()];
    assert!(skipped.skips_copies() && !skipped.is_copied());
    assert!(!copied.skips_copies() && copied.is_copied());
}

#[cfg(feature = "serde")]
#[test]
fn a_kind_says_whether_files_omit_it() {
    #[derive(Component)]
    #[component(save = skip)]
    struct NotSaved;
    #[derive(Component)]
    struct Unmarked;
    assert!(Kind::of::<NotSaved>().skips_saves());
    assert!(!Kind::of::<Unmarked>().skips_saves());
}
