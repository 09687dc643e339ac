//! Rules and requirements of components that are defined while the program runs.

use ecs::by_name::{
    DefineError, FieldType, FieldValue, Fields, Kind, KindError, Redefinition, RestoreError, Values,
};
use ecs::{
    ChildOf, Commands, Component, ComponentRule, CopyError, Entity, Name, RelateError, RemoveError,
    World,
};

#[derive(Component, Default, Clone, Debug, PartialEq)]
#[component(default, clone, debug, track)]
struct Health(u32);
#[derive(Component, Default, Clone, Debug, PartialEq)]
#[component(default, clone, debug, track)]
struct Immune;
#[derive(Component, Default)]
#[component(default, requires(Health = Health(9)), needs(Health))]
struct Blessed;
/// Has no default for tools.
#[derive(Component)]
struct Bare;
#[derive(Component, Default, Clone, PartialEq, Eq, Hash)]
#[component(default, unique)]
struct Callsign(u32);

/// Makes the pools of components, so that a world knows their names.
macro_rules! know {
    ($world:expr, $($ty:ty),+) => { $(_ = $world.pool_mut::<$ty>();)+ };
}

fn ruled() -> Fields {
    Fields::new().f32("damage").requires("Health").needs("Health").excludes("Immune")
}

/// Returns a world with typed components, `Poison`, which has rules, and an entity.
fn poisonous() -> (World, Kind, Entity) {
    let mut world = World::new();
    know!(world, Health, Immune);
    let kind = world.define("RuledPoison", ruled()).unwrap();
    let entity = world.spawn_empty().id();
    (world, kind, entity)
}

const NEEDED: ComponentRule = ComponentRule::Needs("RuledPoison", "Health");
const EXCLUDED: ComponentRule = ComponentRule::Excludes("RuledPoison", "Immune");

#[test]
fn required_components_come_with_a_defined_one() {
    let (mut world, kind, a) = poisonous();
    world.insert_fields(kind, a, &[2.5_f32.into()]).unwrap();
    assert_eq!(world.get::<Health>(a), Some(&Health(0)));

    // A value that is there stays; one that comes beside it, too.
    let b = world.spawn(Health(7)).id();
    world.insert_kind_default(kind, b).unwrap();
    world.copy_kind(kind, a, b).unwrap();
    assert_eq!(world.get::<Health>(b), Some(&Health(7)));
    let mut values = Values::new();
    values.add_default(&mut world, kind).unwrap();
    values.add_default(&mut world, Kind::of::<Health>()).unwrap();
    let c = world.spawn_values(values).unwrap();
    assert!(world.has::<Health>(c));

    // Requirements of required components follow, of both sorts, and with their values.
    know!(world, Blessed);
    let [deep, deeper] = ["RuledDeep", "RuledDeeper"];
    let kinds = world
        .define_all(&[
            (deep, Fields::new().requires(deeper)),
            (deeper, Fields::new().u8("depth").requires("Blessed").requires("RuledPoison")),
        ])
        .unwrap();
    let deepest = world.spawn_empty().id();
    world.insert_fields(kinds[0], deepest, &[]).unwrap();
    assert_eq!(
        world.get::<Health>(deepest),
        Some(&Health(9)),
        "the first that requires it decides"
    );
    assert!(world.has::<Blessed>(deepest));
    assert_eq!(world.kind_entities(kinds[1]), [deepest]);
    assert!(world.kind_value(kind, deepest).is_some());

    // They may go, unless they are needed, and come again with the component.
    let last = world.spawn_empty().id();
    let only = world.define("RuledRequiring", Fields::new().requires("Health")).unwrap();
    world.insert_fields(only, last, &[]).unwrap();
    assert_eq!(world.remove::<Health>(last), Some(Health(0)));
    let taken = world.take_kind(only, last).unwrap();
    world.insert_value(last, taken).unwrap();
    assert!(world.has::<Health>(last));
    assert_eq!(only.required(), [Kind::of::<Health>()]);
    assert_eq!(only.rules().count(), 0);
    world.check_invariants();
}

#[test]
fn observers_see_a_defined_component_with_all_that_it_requires() {
    let (mut world, kind, a) = poisonous();
    world.on_insert_kind(kind, |world: &mut World, entity: Entity| {
        assert!(world.has::<Health>(entity));
        world.spawn_named("seen");
    });
    world.on_insert::<Health>(|world, entity| {
        let poison = world.kind("RuledPoison").unwrap();
        assert!(world.kind_value(poison, entity).is_some());
        world.spawn_named("seen");
    });
    world.insert_fields(kind, a, &[2.5_f32.into()]).unwrap();
    assert_eq!(world.pool::<Name>().len(), 2);
    world.check_invariants();
}

#[test]
fn rules_of_definitions_hold_against_types_and_each_other() {
    let (mut world, kind, a) = poisonous();
    let rules: Vec<String> = kind.rules().map(|rule| rule.to_string()).collect();
    assert_eq!(rules, [NEEDED.to_string(), EXCLUDED.to_string()]);
    world.insert_kind_default(kind, a).unwrap();

    // The typed side is refused.
    assert_eq!(world.try_insert(a, Immune), Err(RelateError::Rule(a, EXCLUDED)));
    let text = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.insert(a, Immune)));
    let text = *text.unwrap_err().downcast::<String>().unwrap();
    assert!(text.starts_with("entity 0v1 would have both `RuledPoison` and `Immune`"), "{text}");
    assert_eq!(world.remove::<Health>(a), None);
    assert_eq!(world.try_remove::<Health>(a), Err(RemoveError::Rule(a, "Health", NEEDED)));
    assert_eq!(world.remove_batch::<Health>(&[a, a]), 0);
    let mut commands = Commands::new();
    commands.insert(a, Immune);
    commands.remove::<Health>(a);
    assert_eq!(commands.apply(&mut world).refused, 2);
    assert!(world.has::<Health>(a) && !world.has::<Immune>(a));

    // So is the defined side: nothing changes.
    let b = world.spawn(Immune).id();
    let refused = Err(KindError::Relation(RelateError::Rule(b, EXCLUDED)));
    assert_eq!(world.insert_fields(kind, b, &[1.0_f32.into()]), refused);
    assert_eq!(world.insert_kind_default(kind, b), refused);
    assert_eq!(world.copy_kind(kind, a, b), refused);
    assert!(!world.has::<Health>(b));
    let mut values = Values::new();
    values.add_default(&mut world, kind).unwrap();
    values.add_default(&mut world, Kind::of::<Immune>()).unwrap();
    let error = world.spawn_values(values).unwrap_err().to_string();
    assert!(error.contains("`RuledPoison` excludes `Immune`"), "{error}");
    let taken = world.take_kind(kind, a).unwrap();
    let (taken, error) = world.insert_value(b, taken).unwrap_err();
    assert_eq!(Err(error), refused);
    world.insert_value(a, taken).unwrap();

    // A component without a type that needs another one.
    let boots = world.define("RuledBoots", Fields::new().needs("RuledPoison")).unwrap();
    let rule = ComponentRule::Needs("RuledBoots", "RuledPoison");
    let c = world.spawn_empty().id();
    let error = world.insert_fields(boots, c, &[]).unwrap_err();
    assert_eq!(error, KindError::Relation(RelateError::Rule(c, rule)));
    world.insert_fields(boots, a, &[]).unwrap();
    assert_eq!(world.remove_kind(kind, a), Err(RemoveError::Rule(a, "RuledPoison", rule)));
    assert_eq!(world.take_kind(kind, a).unwrap_err(), RemoveError::Rule(a, "RuledPoison", rule));
    world.remove_except::<Name>(a).unwrap();
    world.check_invariants();
}

#[test]
fn defined_states_replace_each_other_and_types() {
    let (mut world, kind, a) = poisonous();
    let kinds = world
        .define_all(&[
            (
                "RuledWalking",
                Fields::new().f32("speed").replaces("RuledSwimming").replaces("Immune"),
            ),
            ("RuledSwimming", Fields::new().f32("depth").replaces("RuledWalking")),
        ])
        .unwrap();
    let [walking, swimming] = [kinds[0], kinds[1]];
    world.insert(a, Immune).unwrap();
    world.on_remove::<Immune>(|world, entity| {
        let walking = world.kind("RuledWalking").unwrap();
        assert!(world.kind_value(walking, entity).is_none());
        world.spawn_named("gone");
    });
    world.insert_fields(walking, a, &[1.5_f32.into()]).unwrap();
    assert!(!world.has::<Immune>(a) && world.pool::<Name>().len() == 1);
    world.insert_fields(swimming, a, &[2.5_f32.into()]).unwrap();
    assert!(world.kind_value(walking, a).is_none());
    world.insert_fields(walking, a, &[1.5_f32.into()]).unwrap();
    assert!(world.kind_value(swimming, a).is_none());
    let rule = ComponentRule::Replaces("RuledWalking", "Immune");
    assert_eq!(world.try_insert(a, Immune), Err(RelateError::Rule(a, rule)));

    // A veto of the replaced component keeps it.
    world.set_kind_veto(walking, |_| false).unwrap();
    let error = world.insert_fields(swimming, a, &[0.0_f32.into()]).unwrap_err();
    assert_eq!(error, KindError::Relation(RelateError::Refused(a, "RuledWalking")));
    assert!(world.kind_value(walking, a).is_some() && world.kind_value(kind, a).is_none());
    world.check_invariants();
}

/// A world that knows some components, and refuses definitions.
struct Refusing(World);

impl Refusing {
    fn new() -> Self {
        let mut world = World::new();
        know!(world, Health, Immune, Blessed, Bare, Callsign, ChildOf);
        world.define("RuledA", Fields::new().excludes("Health")).unwrap();
        Self(world)
    }

    #[track_caller]
    fn is(&mut self, all: &[(&str, Fields)], text: &str) {
        let Self(world) = self;
        let before = world.kinds().count();
        let error = world.define_all(all).unwrap_err();
        assert_eq!((error.to_string().as_str(), world.kinds().count()), (text, before));
        if let [(name, fields)] = all {
            assert_eq!(world.define(name, fields.clone()), Err(error));
        }
    }
}

#[test]
fn rules_that_name_a_wrong_component_are_refused_and_nothing_is_defined() {
    let (mut refused, new) = (Refusing::new(), Fields::new);
    refused.is(
        &[("RuledX", new().needs("Helth"))],
        "a rule names `Helth`, and the world knows no such component (the nearest is `Health`): make its pool by \
         `World::pool_mut` or `World::register`, or define both by `World::define_all`",
    );
    refused.is(
        &[("RuledX", new().excludes("RuledX"))],
        "component `RuledX` excludes itself; name other components",
    );
    refused.is(
        &[("RuledX", new().requires("RuledX"))],
        "component `RuledX` requires itself; name the components that come with it",
    );
    refused.is(
        &[("RuledX", new().requires("Health").requires("Health"))],
        "component `RuledX` requires `Health` twice; name it once",
    );
    refused.is(
        &[("RuledX", new().excludes("Health").replaces("Health"))],
        "component `RuledX` has two rules for `Health`; leave one of them out",
    );
    refused.is(
        &[("RuledX", new().requires("Bare"))],
        "component `RuledX` cannot require `Bare`: add `#[component(default)]` to that, or declare it by \
         `by_name::Declaration`",
    );
    refused.is(
        &[("RuledX", new().requires("ChildOf"))],
        "component `RuledX` cannot require `ChildOf`: a relation has no target by default",
    );
    refused.is(
        &[("RuledX", new().requires("Callsign"))],
        "component `RuledX` cannot require `Callsign`: it is unique, so only one entity could have its default",
    );
}

#[test]
fn rules_that_cannot_hold_are_refused_and_nothing_is_defined() {
    let (mut refused, new) = (Refusing::new(), Fields::new);
    let out = "leave one of these out";
    refused.is(
        &[
            ("RuledX", new().needs("RuledY")),
            ("RuledY", new().needs("RuledZ")),
            ("RuledZ", new().needs("RuledX")),
        ],
        &format!(
            "component `RuledX` needs `RuledY`, which needs `RuledZ`, which needs `RuledX`: none of them could be inserted \
             first; {out}"
        ),
    );
    refused.is(
        &[
            ("RuledY", new()),
            ("RuledX", new().requires("RuledZ")),
            ("RuledZ", new().requires("RuledX")),
        ],
        &format!(
            "component `RuledX` requires `RuledZ`, which requires `RuledX`: a component cannot come with itself; {out}"
        ),
    );
    let rules = "leave one of these rules out";
    refused.is(
        &[("RuledX", new().needs("RuledA").requires("Blessed"))],
        &format!(
            "no entity can have `RuledX` with all that it needs and requires: `RuledA` excludes `Health`; {rules}"
        ),
    );
    refused.is(
        &[("RuledX", new().requires("Health").replaces("Health"))],
        &format!(
            "no entity can have `RuledX` with all that it needs and requires: `RuledX` replaces `Health`; {rules}"
        ),
    );
    refused.is(
        &[("RuledX", new().replaces("RuledY")), ("RuledY", new().excludes("RuledX"))],
        &format!("`RuledY` excludes `RuledX`, which replaces it: {rules}"),
    );
    refused.is(
        &[("RuledY", new().excludes("RuledX")), ("RuledX", new().replaces("RuledY"))],
        &format!("`RuledY` excludes `RuledX`, which replaces it: {rules}"),
    );
    refused.is(
        &[("RuledX", new().record("at", new().u8("x").needs("Health")))],
        "the record `at` has rules or an index: state them of the component that has it",
    );
    let differs = "the world has a `RuledA` with other fields, rules or another index: define the same ones, or change the \
                   fields by `World::redefine`";
    refused.is(&[("RuledA", new())], differs);
    refused.is(&[("RuledA", new().excludes("Immune"))], differs);
    refused.is(
        &[("RuledX", new().u8("a")), ("RuledX", new().u8("b"))],
        &differs.replace("RuledA", "RuledX"),
    );
}

#[test]
fn components_that_need_and_require_each_other_are_inserted_by_requirement() {
    let (Refusing(mut world), new) = (Refusing::new(), Fields::new);
    let kinds = world
        .define_all(&[("RuledX", new().needs("RuledY")), ("RuledY", new().requires("RuledX"))])
        .unwrap();
    let a = world.spawn_empty().id();
    assert!(world.insert_fields(kinds[0], a, &[]).is_err());
    world.insert_fields(kinds[1], a, &[]).unwrap();
    assert!(world.kind_value(kinds[0], a).is_some());
    // Equal definitions are one kind, also within one call.
    let again = world.define_all(&[
        ("RuledY", new().requires("RuledX")),
        ("RuledV", new()),
        ("RuledV", new()),
    ]);
    let again = again.unwrap();
    assert!(again[0] == kinds[1] && again[1] == again[2]);
    world.check_invariants();
}

mod other {
    use ecs::Component;

    #[derive(Component, Default)]
    #[component(default)]
    pub struct Health;
}

#[test]
fn a_name_of_several_components_is_named_in_full() {
    let (mut world, ..) = poisonous();
    know!(world, other::Health);
    let error = world.define("RuledOther", Fields::new().needs("Health")).unwrap_err();
    assert!(
        matches!(&error, DefineError::AmbiguousComponent(name, all) if name == "Health" && all.len() == 2)
    );
    let text = "a rule names `Health`, as several components are called; name one in full:";
    assert!(error.to_string().starts_with(text));
    let full = std::any::type_name::<other::Health>();
    let kind = world.define("RuledOther", Fields::new().requires(full)).unwrap();
    assert_eq!(kind.required(), [Kind::of::<other::Health>()]);
}

#[test]
fn names_stand_for_the_components_of_each_world() {
    let mut worlds = [World::new(), World::new()];
    know!(worlds[0], Health);
    know!(worlds[1], other::Health);
    let fields = || Fields::new().requires("Health");
    let [a, b] = worlds.each_mut().map(|world| world.define("RuledByName", fields()).unwrap());
    assert_ne!(a, b);
    let [mut one, mut two] = worlds;
    let (c, d) = (one.spawn_empty().id(), two.spawn_empty().id());
    one.insert_fields(a, c, &[]).unwrap();
    two.insert_fields(a, d, &[]).unwrap(); // as the component is there
    assert!(one.has::<Health>(c) && two.has::<other::Health>(d) && !two.has::<Health>(d));
    let text = one.merge(&mut two).unwrap_err().to_string();
    assert!(
        text.starts_with("`RuledByName` is defined with other fields or rules in the other world")
    );
}

#[test]
fn a_redefinition_keeps_rules_and_requirements() {
    let (mut world, kind, a) = poisonous();
    world.insert_kind_default(kind, a).unwrap();
    let changes = Redefinition::new().rename("damage", "harm").add("days", FieldType::U8, 3_u8);
    let new = world.redefine(kind, &changes).unwrap();
    assert_eq!((new.required(), new.rules().count()), (kind.required(), 2));
    assert_eq!(world.try_insert(a, Immune), Err(RelateError::Rule(a, EXCLUDED)));
    let b = world.spawn_empty().id();
    world.insert_kind_default(new, b).unwrap();
    assert!(world.has::<Health>(b) && world.remove::<Health>(b).is_none());

    // One that others require comes with its present fields.
    let by = world.define("RuledBy", Fields::new().requires("RuledPoison")).unwrap();
    let newer = world.redefine(new, &Redefinition::new().drop("days")).unwrap();
    let c = world.spawn_empty().id();
    world.insert_fields(by, c, &[]).unwrap();
    let value = world.kind_value(newer, c).map(|value| format!("{value:?}"));
    assert_eq!(value.as_deref(), Some("RuledPoison { harm: 0.0 }"));
    // A definition with these fields, but without the rules, is another one.
    let fields = Fields::new().f32("harm").version(3);
    assert_eq!(
        world.define("RuledPoison", fields),
        Err(DefineError::Differs("RuledPoison".into()))
    );
    let fields = Fields::new().f32("harm").version(3);
    let fields = fields.requires("Health").needs("Health").excludes("Immune");
    assert_eq!(world.define("RuledPoison", fields), Ok(newer));
    world.check_invariants();
}

#[test]
fn copies_prefabs_and_merges_keep_rules() {
    let (mut world, kind, a) = poisonous();
    world.insert_kind_default(kind, a).unwrap();
    let copy = world.spawn_copies(a, 3).unwrap()[2];
    assert_eq!(world.try_insert(copy, Immune), Err(RelateError::Rule(copy, EXCLUDED)));

    // The rules come with the component.
    let mut other = World::new();
    let made = other.spawn_copies_of(&world, 1).unwrap()[0];
    assert_eq!(other.try_insert(made, Immune), Err(RelateError::Rule(made, EXCLUDED)));
    let fresh = other.spawn_empty().id();
    other.insert_fields(kind, fresh, &[1.0_f32.into()]).unwrap();
    assert!(other.has::<Health>(fresh));
    let mut third = World::new();
    let moved = *third.merge(&mut other).unwrap().get(made).unwrap();
    assert_eq!(third.try_insert(moved, Immune), Err(RelateError::Rule(moved, EXCLUDED)));
    let mut whole = world.try_clone().unwrap();
    assert_eq!(whole.try_insert(a, Immune), Err(RelateError::Rule(a, EXCLUDED)));

    // A copy cannot leave a needed component out.
    let copies = ecs::copies::Copies::default().leave_out::<Health>();
    let error = world.try_clone_by(&copies).map(drop).unwrap_err();
    assert_eq!(error, CopyError::Rule(NEEDED));

    // A world that becomes a copy has the rules of the copied one, and no others.
    let mut free = World::new();
    know!(free, Immune, Health);
    let unruled = free.define("RuledPoison", Fields::new().f32("damage")).unwrap();
    let b = free.spawn_empty().id();
    free.insert_kind_default(unruled, b).unwrap();
    let other_rules = Fields::new().excludes("Health");
    free.define("RuledStranger", other_rules).unwrap();
    let mut was_free = free.try_clone().unwrap();
    was_free.copy_from(&world).unwrap();
    assert_eq!(was_free.kind("RuledPoison"), Ok(kind));
    assert_eq!(was_free.try_insert(a, Immune), Err(RelateError::Rule(a, EXCLUDED)));
    let stranger = was_free.kind("RuledStranger").unwrap();
    assert!(was_free.insert_fields(stranger, a, &[]).is_err());
    was_free.check_invariants();
    whole.copy_from(&free).unwrap();
    assert_eq!(whole.kind("RuledPoison"), Ok(unruled));
    whole.insert(b, Immune).unwrap();
    assert!(!whole.has::<Health>(b) && whole.kind_value(unruled, b).is_some());
    whole.check_invariants();
}

#[derive(Component, Clone)]
#[component(relation, clone)]
struct Aims(Entity);

#[test]
fn undo_keeps_rules() {
    let (mut world, kind, a) = poisonous();
    world.insert_kind_default(kind, a).unwrap();
    let taken = world.take_entity(a).unwrap();
    world.restore(taken).unwrap();
    assert!(world.kind_value(kind, a).is_some() && world.has::<Health>(a));

    // A relation that is given back to an entity which got another component meanwhile.
    let target = world.spawn_empty().id();
    know!(world, Aims);
    let free = world.spawn(Aims(target)).id();
    let still = world.define("RuledStill", Fields::new().excludes("Aims")).unwrap();
    let taken = world.take_entity(target).unwrap();
    world.insert_fields(still, free, &[]).unwrap();
    let rule = RelateError::Rule(free, ComponentRule::Excludes("RuledStill", "Aims"));
    assert_eq!(world.check_restore(&taken), Err(RestoreError::Relation(rule)));
    let taken = world.restore(taken).unwrap_err();
    world.remove_kind(still, free).unwrap();
    world.restore(taken).unwrap();
    world.check_invariants();
}

#[cfg(feature = "serde")]
mod saved {
    use super::*;
    use crate::saves::bytes_of;
    use crate::worlds::{Random, seeds};
    use ecs::by_name::{Despawned, OwnedValue};
    use ecs::save::{
        ChangeSet, ChangeSets, Delta, Follower, Limits, PrefabSeed, Prefabs, Received,
    };
    use serde::{Deserialize, Serialize};
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};

    /// The components of both sorts of worlds.
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "twin::Life")]
    struct Life(u32);
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "twin::Safe", excludes(Marked))]
    struct Safe;
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "twin::Marked")]
    struct Marked;

    /// Types with the declarations of [`definitions`].
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(
        default,
        clone,
        debug,
        track,
        save = "Venom",
        requires(Life),
        needs(Life),
        excludes(Safe)
    )]
    struct Venom {
        damage: u32,
    }
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Cure", replaces(Venom), requires(Dose))]
    struct Cure;
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Dose", excludes(Marked))]
    struct Dose {
        amount: u16,
    }
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Running", replaces(Resting))]
    struct Running;
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Resting", replaces(Running))]
    struct Resting;
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Boots", needs(Running), requires(Safe))]
    struct Boots {
        size: u8,
    }

    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Team", index(by = team))]
    struct Team {
        note: String,
        team: u8,
    }
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Score", index(ordered, by = points), excludes(Venom))]
    struct Score {
        points: i32,
    }
    #[derive(Component, Serialize, Deserialize, Default, Clone, Debug, PartialEq)]
    #[component(default, clone, debug, track, save = "Badge", unique(by = name), needs(Life))]
    struct Badge {
        name: String,
    }

    fn definitions() -> [(&'static str, Fields); 9] {
        let new = Fields::new;
        [
            ("Venom", new().u32("damage").requires("Life").needs("Life").excludes("Safe")),
            ("Cure", new().replaces("Venom").requires("Dose")),
            ("Dose", new().u16("amount").excludes("Marked")),
            ("Running", new().replaces("Resting")),
            ("Resting", new().replaces("Running")),
            ("Boots", new().u8("size").needs("Running").requires("Safe")),
            ("Team", new().text("note").u8("team").index("team")),
            ("Score", new().i32("points").ordered_index("points").excludes("Venom")),
            ("Badge", new().text("name").unique("name").needs("Life")),
        ]
    }

    fn typed() -> World {
        let mut world = World::new();
        world.register::<(Life, Safe, Marked)>();
        world.register::<(Venom, Cure, Dose, Running, Resting, Boots, Team, Score, Badge)>();
        world
    }

    fn defined() -> World {
        let mut world = World::new();
        world.register::<(Life, Safe, Marked)>();
        world.define_all(&definitions()).unwrap();
        world
    }

    fn kinds(world: &World) -> [Kind; 12] {
        let all = [
            "Life", "Safe", "Marked", "Venom", "Cure", "Dose", "Running", "Resting", "Boots",
            "Team", "Score", "Badge",
        ];
        all.map(|name| world.kind(name).unwrap())
    }

    const NAMES: [&str; 4] = ["", "ann", "bob", "zoe"];

    /// Returns the answers of the indexes of types.
    fn by_types(world: &World) -> Vec<Vec<Entity>> {
        let teams = (0..4_u8).map(|team| world.index::<Team>().get(&team).collect());
        let scores = (-4..4).map(|from| world.index::<Score>().range(from..=from + 2).collect());
        let names = NAMES.map(|name| world.index::<Badge>().get(name).collect());
        teams.chain(scores).chain(names).collect()
    }

    /// Returns the answers of the indexes of definitions.
    fn by_definitions(world: &World) -> Vec<Vec<Entity>> {
        let index = |name| world.kind_index(world.kind(name).unwrap()).unwrap();
        let teams = (0..4_u8).map(|team| index("Team").get(team).unwrap().collect());
        let scores = (-4..4).map(|from: i32| {
            let range = FieldValue::I32(from)..=FieldValue::I32(from + 2);
            index("Score").range(range).unwrap().collect()
        });
        let names = NAMES.map(|name| index("Badge").get(name).unwrap().collect());
        teams.chain(scores).chain(names).collect()
    }

    /// A world, all answers that it gave, and all that its observers saw.
    struct Trial {
        world: World,
        random: Random,
        log: Arc<Mutex<Vec<String>>>,
        taken: Vec<OwnedValue>,
        despawned: Vec<Despawned>,
    }

    impl Trial {
        fn new(mut world: World, seed: u64) -> Self {
            let log = Arc::new(Mutex::new(Vec::new()));
            if seed.is_multiple_of(2) {
                for kind in kinds(&world) {
                    let [inserted, updated, removed] =
                        ["inserted", "updated", "removed"].map(|what| {
                            let log = Arc::clone(&log);
                            move |world: &mut World, entity: Entity| {
                                let values = world.kind_values(entity);
                                let shown: Vec<String> =
                                    values.map(|it| format!("{it:?}")).collect();
                                log.lock()
                                    .unwrap()
                                    .push(format!("{what} {} {entity} {shown:?}", kind.name()));
                            }
                        });
                    world.on_insert_kind(kind, inserted);
                    world.on_update_kind(kind, updated);
                    world.on_remove_kind(kind, removed);
                }
            }
            if seed.is_multiple_of(3) {
                world.order_pools();
            }
            Self { world, random: Random(seed), log, taken: Vec::new(), despawned: Vec::new() }
        }

        fn note(&self, answer: impl Debug) {
            self.log.lock().unwrap().push(format!("{answer:?}"));
        }

        /// Makes a random edit, by names: the same one for the same numbers.
        fn edit(&mut self) {
            let kind = kinds(&self.world)[self.random.below(12)];
            let all: Vec<Entity> = self.world.entities().collect();
            let Some(&entity) = all.get(self.random.below(all.len() + 1)) else {
                let spawned = self.world.spawn_empty().id();
                return self.note(spawned);
            };
            let (world, random) = (&mut self.world, &mut self.random);
            match random.below(18) {
                0..4 => {
                    let answer = world.insert_kind_default(kind, entity);
                    self.note(answer);
                }
                4 | 16 | 17 => {
                    let number = random.below(9);
                    let (name, value) = match random.below(4) {
                        0 => ("Venom", serde_json::json!({ "damage": number })),
                        1 => ("Team", serde_json::json!({ "note": "x", "team": number % 4 })),
                        2 => (
                            "Score",
                            serde_json::json!({ "points": i64::try_from(number).unwrap() - 4 }),
                        ),
                        _ => ("Badge", serde_json::json!({ "name": NAMES[number % 4] })),
                    };
                    let answer = world.insert_kind(world.kind(name).unwrap(), entity, value);
                    self.note(answer);
                }
                5 | 6 => {
                    let answer = world.remove_kind(kind, entity);
                    self.note(answer);
                }
                7 => match world.take_kind(kind, entity) {
                    Ok(value) => self.taken.push(value),
                    Err(error) => self.note(error),
                },
                8 => {
                    if let Some(value) = self.taken.pop()
                        && let Err((value, error)) = world.insert_value(entity, value)
                    {
                        self.taken.insert(0, value);
                        self.note(error);
                    }
                }
                9 => match world.take_entity(entity) {
                    Ok(despawned) => self.despawned.push(despawned),
                    Err(error) => self.note(error),
                },
                10 => {
                    if let Some(despawned) = self.despawned.pop() {
                        self.note(self.world.check_restore(&despawned));
                        let answer = self.world.restore(despawned).is_ok();
                        self.note(answer);
                    }
                }
                11 => {
                    let mut values = Values::new();
                    for _ in 0..=random.below(3) {
                        let kind = kinds(world)[random.below(12)];
                        values.add_default(world, kind).unwrap();
                    }
                    if random.below(2) == 0 {
                        let answer = world.spawn_values(values);
                        self.note(answer);
                    } else {
                        let answer = world.insert_values(entity, values);
                        self.note(answer);
                    }
                }
                12 => {
                    let answer = world.spawn_copies(entity, 1 + random.below(2));
                    self.note(answer);
                }
                13 => {
                    let mut commands = Commands::new();
                    for entity in &all[random.below(all.len())..] {
                        match random.below(4) {
                            0 => commands.insert(*entity, Safe),
                            1 => commands.insert(*entity, (Marked, Life(3))),
                            2 => commands.remove::<Life>(*entity),
                            _ => commands.remove::<Marked>(*entity),
                        }
                    }
                    let answer = commands.apply(world);
                    self.note(answer);
                }
                14 if random.below(3) == 0 => {
                    let answer = world.despawn(entity);
                    self.note(answer);
                }
                14 => {
                    let answer = (world.try_insert(entity, Safe), world.try_remove::<Life>(entity));
                    self.note(answer);
                }
                _ => {
                    let to = all[random.below(all.len())];
                    let answer = world.copy_kind(kind, entity, to);
                    self.note(answer);
                }
            }
        }
    }

    #[test]
    fn a_definition_with_rules_answers_like_a_type_with_them() {
        let limits = Limits::default();
        let (mut most, mut found) = (0, 0);
        for seed in seeds(12) {
            let mut trials = [Trial::new(typed(), seed), Trial::new(defined(), seed)];
            // Each is followed by a world of the other sort.
            let mut clients = [defined(), typed()];
            let mut known = [Follower::default(), Follower::default()];
            let mut sets = <[ChangeSets; 2]>::default();
            let mut old = trials.each_ref().map(|trial| trial.world.try_clone().unwrap());
            // Ordered pools are in the order of the full names of their types.
            let is_ordered = seed.is_multiple_of(3);
            for step in 0..30 {
                for trial in &mut trials {
                    (0..8).for_each(|_| trial.edit());
                    trial.world.check_invariants();
                }
                let [of_types, of_definitions] =
                    trials.each_ref().map(|trial| trial.log.lock().unwrap().clone());
                assert_eq!(of_types, of_definitions, "seed {seed}");
                most = most.max(of_types.len());
                let [a, b] = trials.each_ref().map(|trial| bytes_of(&trial.world));
                assert!(is_ordered || a == b, "seed {seed}");
                let [answers, of_definitions] =
                    [by_types(&trials[0].world), by_definitions(&trials[1].world)];
                assert_eq!(answers, of_definitions, "seed {seed}");
                found += answers.iter().map(Vec::len).sum::<usize>();

                // Deltas, change sets, files and texts are read by the other sort.
                let drained = [0, 1].map(|at| sets[at].drain(&mut trials[at].world).unwrap());
                let [a, b] = drained.map(ChangeSet::into_bytes);
                assert!(a == b, "seed {seed}");
                for (client, known) in clients.iter_mut().zip(&mut known) {
                    let received = client.apply_change_set(&a, known, &limits).unwrap();
                    assert_eq!(received, Received::Applied);
                    client.check_invariants();
                }
                let counts = |answers: Vec<Vec<Entity>>| -> Vec<usize> {
                    answers.iter().map(Vec::len).collect()
                };
                let expected = counts(answers);
                assert_eq!(counts(by_definitions(&clients[0])), expected);
                assert_eq!(counts(by_types(&clients[1])), expected);
                let deltas = [0, 1].map(|at| Delta::between(&old[at], &trials[at].world).unwrap());
                let deltas = deltas.map(Delta::into_bytes);
                assert!(is_ordered || deltas[0] == deltas[1], "seed {seed}");
                for (old, delta) in old.iter_mut().zip(&deltas[usize::from(!is_ordered)..]) {
                    old.apply_delta(delta, &limits).unwrap();
                    old.check_invariants();
                }
                if !is_ordered {
                    old[1].apply_delta(&deltas[0], &limits).unwrap();
                }
                assert_eq!(by_types(&old[0]), by_definitions(&old[1]));
                if step % 10 == 9 {
                    let bytes = bytes_of(&trials[0].world);
                    for Trial { world, taken, despawned, .. } in &mut trials {
                        taken.clear();
                        despawned.clear();
                        world.load(&bytes, &limits).unwrap();
                        let text = serde_json::to_string(&world.save()).unwrap();
                        let from = &mut serde_json::Deserializer::from_str(&text);
                        world.read_from(from).unwrap().0.check_invariants();
                    }
                    sets = <_>::default();
                    known = [Follower::default(), Follower::default()];
                    clients = [defined(), typed()];
                }
                old = trials.each_ref().map(|trial| trial.world.try_clone().unwrap());
            }
        }
        assert!(most > 200 && found > 500, "edits and questions are answered: {most}, {found}");
    }

    #[test]
    fn a_type_is_defined_again_with_its_rules_alone() {
        let mut world = typed();
        for (name, fields) in definitions() {
            let kind = world.define(name, fields).unwrap();
            assert!(kind.type_name().ends_with(&format!("::{name}")));
        }
        let error = world.define("Dose", Fields::new().u16("amount")).unwrap_err();
        assert_eq!(error, DefineError::Differs("Dose".into()));
        let fields = Fields::new().u16("amount").excludes("Life");
        assert_eq!(world.define("Dose", fields), Err(DefineError::Differs("Dose".into())));
        let fields = Fields::new().u32("amount").excludes("Marked");
        assert!(matches!(world.define("Dose", fields), Err(DefineError::Taken(..))));
    }

    /// Returns a world with the definitions, without their rules.
    fn without_rules() -> World {
        let mut world = World::new();
        world.register::<(Life, Safe, Marked)>();
        // In the order in which the names get their numbers elsewhere.
        world.define("Venom", Fields::new().u32("damage")).unwrap();
        world.define("Cure", Fields::new()).unwrap();
        world.define("Dose", Fields::new().u16("amount")).unwrap();
        world
    }

    #[test]
    fn files_texts_deltas_and_change_sets_that_break_rules_are_refused() {
        let limits = Limits::default();
        let mut other = without_rules();
        let entity = other.spawn_empty().id();
        let before = other.try_clone().unwrap();
        let mut sets = other.change_sets();
        let first = sets.drain(&mut other).unwrap();
        other.insert_kind_default(other.kind("Dose").unwrap(), entity).unwrap();
        other.insert(entity, Marked).unwrap();
        let text = "entity 0v1 would have both `Dose` and `Marked`: `Dose` excludes `Marked`";

        let mut world = defined();
        let was = world.spawn(Life(7)).id();
        let error = world.load(&bytes_of(&other), &limits).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        let json = serde_json::to_string(&other.save()).unwrap();
        let error = world.read_from(&mut serde_json::Deserializer::from_str(&json));
        let error = error.map(drop).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        assert_eq!(world.get::<Life>(was), Some(&Life(7)));
        let mut follower = Follower::default();
        let received = world.apply_change_set(first.as_bytes(), &mut follower, &limits);
        assert_eq!(received, Ok(Received::Applied));
        let set = sets.drain(&mut other).unwrap();
        let error = world.apply_change_set(set.as_bytes(), &mut follower, &limits).unwrap_err();
        assert!(error.to_string().contains("`Dose` excludes `Marked`"), "{error}");
        world.load(&bytes_of(&before), &limits).unwrap();
        let delta = Delta::between(&before, &other).unwrap().into_bytes();
        let error = world.apply_delta(&delta, &limits).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        assert!(world.kind_entities(world.kind("Dose").unwrap()).is_empty());
        world.check_invariants();
    }

    #[test]
    fn loaded_values_bring_the_components_that_they_require_since() {
        let limits = Limits::default();
        let mut other = without_rules();
        let entity = other.spawn_empty().id();
        other.insert_kind_default(other.kind("Venom").unwrap(), entity).unwrap();
        let cured = other.spawn_empty().id();
        other.insert_kind_default(other.kind("Cure").unwrap(), cured).unwrap();

        // By a file and a text; `Group`s and observers see all, and a component that was removed before does not return.
        let mut world = defined();
        world.load(&bytes_of(&other), &limits).unwrap();
        assert_eq!(world.get::<Life>(entity), Some(&Life(0)));
        let dose = world.kind("Dose").unwrap();
        assert_eq!(world.kind_entities(dose), [cured]);
        world.remove_kind(dose, cured).unwrap();
        let bytes = bytes_of(&world);
        world.load(&bytes, &limits).unwrap();
        assert!(world.kind_entities(dose).is_empty());
        let json = serde_json::to_string(&other.save()).unwrap();
        let (read, _) =
            defined().read_from(&mut serde_json::Deserializer::from_str(&json)).unwrap();
        assert!(read.has::<Life>(entity) && read.kind_entities(dose) == [cured]);
        read.check_invariants();

        // By one entity, by a prefab, and by a change set of a world that saves no such component.
        let json = r#"{ "components": { "Cure": null, "twin::Life": 3 } }"#;
        let made = world.spawn_from(&mut serde_json::Deserializer::from_str(json)).unwrap()[0];
        assert_eq!(world.kind_entities(dose), [made]);
        let json = r#"{ "cured": { "components": { "Cure": null } },
                        "poisoned": { "components": { "Venom": { "damage": 3 } } } }"#;
        let mut prefabs = Prefabs::new();
        let read = |seed: PrefabSeed<'_>| seed.read(&mut serde_json::Deserializer::from_str(json));
        prefabs.read(&world, read).unwrap();
        let cured = world.spawn_prefab(prefabs.get("cured").unwrap()).unwrap().id();
        let poisoned = world.spawn_prefab(prefabs.get("poisoned").unwrap()).unwrap().id();
        assert!(world.kind_entities(dose) == [made, cured] && world.has::<Life>(poisoned));
        let rule = ComponentRule::Excludes("Venom", "Safe");
        assert_eq!(world.try_insert(poisoned, Safe), Err(RelateError::Rule(poisoned, rule)));
        world.check_invariants();
    }

    /// Not saved, so no set carries it.
    #[derive(Component, Default, Debug, PartialEq)]
    #[component(default, save = skip)]
    struct Local(u8);

    #[test]
    fn a_follower_makes_required_components_that_no_set_carries() {
        let limits = Limits::default();
        let mut other = World::new();
        let kind = other.define("TwinPlace", Fields::new().u8("x")).unwrap();
        let mut sets = other.change_sets();
        let entity = other.spawn_empty().id();
        other.insert_kind_default(kind, entity).unwrap();
        let mut world = World::new();
        know!(world, Local);
        world.define("TwinPlace", Fields::new().u8("x").requires("Local")).unwrap();
        world.on_insert::<Local>(|world, entity| {
            let place = world.kind("TwinPlace").unwrap();
            assert!(world.kind_value(place, entity).is_some());
            world.spawn_named("seen");
        });
        let mut follower = Follower::default();
        let set = sets.drain(&mut other).unwrap();
        let received = world.apply_change_set(set.as_bytes(), &mut follower, &limits);
        assert_eq!(received, Ok(Received::Applied));
        let here = follower.get(entity).unwrap();
        assert_eq!(world.get::<Local>(here), Some(&Local(0)));
        assert!(world.entity_named("seen").is_some());
        world.check_invariants();
    }

    #[test]
    fn definitions_in_files_have_no_rules() {
        let mut other = defined();
        let a = other.spawn_empty().id();
        other.insert_kind_default(other.kind("Dose").unwrap(), a).unwrap();
        let bytes = other.save().with_definitions().to_vec().unwrap();
        let mut world = World::new();
        world.register::<(Life, Safe, Marked)>();
        world.load(&bytes, &Limits::default().keep_unknown()).unwrap();
        let dose = world.kind("Dose").unwrap();
        assert_eq!(dose.rules().count(), 0);
        world.insert(a, Marked).unwrap(); // a file does not refuse an edit of the program
        assert_eq!(
            world.define("Dose", definitions()[2].1.clone()),
            Err(DefineError::Differs("Dose".into()))
        );
        // If the program defines it before, its rules hold.
        let mut world = defined();
        world.load(&bytes, &Limits::default().keep_unknown()).unwrap();
        assert!(world.try_insert(a, Marked).is_err());
    }
}
