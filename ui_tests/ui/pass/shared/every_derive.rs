// All derives and `schedule!`, with most keys of their attributes.

#[derive(Clone, Debug, Default, PartialEq, ::ecs::Component, ::serde::Serialize, ::serde::Deserialize)]
#[component(clone, debug, default, track, save = "mass", version = 2, from(1 = OldMass))]
#[component(veto = may_be_lost, on_insert = note, on_update = note, on_remove = note)]
pub struct Mass(pub u32);

#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
pub struct OldMass(u32);

impl From<OldMass> for Mass {
    fn from(OldMass(mass): OldMass) -> Self {
        Self(mass)
    }
}

fn may_be_lost(mass: &mut Mass) -> bool {
    mass.0 > 0
}

fn note(worlds: &mut ::ecs::World, _: ::ecs::Entity) {
    worlds.send(&7_u8);
}

#[derive(Clone, Debug, Default, PartialEq, ::ecs::Component)]
#[component(layout = "soa", clone, debug, requires(Mass = Mass(4), Tag))]
pub struct Body {
    pub height: u32,
    pub width: u32,
    pub weights: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, ::ecs::Component)]
#[component(layout = "soa")]
pub struct Wide<T: Send + Sync + 'static> {
    pub height: T,
    pub width: T,
}

#[derive(Clone, Debug, Default, ::ecs::Component)]
pub struct Tag;

#[derive(Clone, Debug, ::ecs::Component)]
pub enum Shape<T: Send + Sync + 'static> {
    Round(T),
    Square { side: T },
}

#[derive(Clone, Debug, ::ecs::Component, ::serde::Serialize, ::serde::Deserialize)]
#[component(clone, save = "aim")]
pub enum Aim {
    At(#[component(entities)] ::ecs::Entity),
    Between {
        #[component(entities)]
        one: ::ecs::Entity,
        #[component(entities = ignore)]
        another: ::ecs::Entity,
    },
}

#[derive(Clone, Debug, ::ecs::MapEntities, ::serde::Serialize, ::serde::Deserialize)]
pub enum Link<T> {
    Nowhere,
    To(T, ::ecs::Entity),
    Back {
        #[entities(ignore)]
        origin: ::ecs::Entity,
        reason: Reason,
    },
}

#[derive(Clone, Debug, ::serde::Serialize, ::serde::Deserialize)]
pub struct Reason(pub Option<u8>);

#[derive(Clone, Debug, ::ecs::Component, ::serde::Serialize, ::serde::Deserialize)]
#[component(clone, save = "links")]
pub struct Links(pub Vec<Link<u8>>, pub Reason);

#[derive(Clone, Debug, ::ecs::Component)]
#[component(clone = skip, save = skip)]
pub struct Kept<T: Send + Sync + 'static>(pub Vec<T>);

#[derive(Clone, Debug, ::ecs::Component)]
#[component(relation, at_end = let_go, acyclic, clone)]
pub struct Under {
    #[component(entities)]
    pub leader: ::ecs::Entity,
    pub rank: u8,
}

fn let_go(_: &mut ::ecs::World, _: ::ecs::Entity, under: Under) {
    assert!(under.rank == 3);
}

#[derive(::ecs::Query)]
#[query(with(Mass), without(Under))]
pub struct Moving<'w> {
    pub who: ::ecs::Entity,
    pub body: BodyMut<'w>,
    pub tag: Option<&'w Tag>,
    pub is_round: ::ecs::Has<Shape<u8>>,
    #[query(column = wide::height<u64>)]
    pub height: Option<&'w u64>,
    pub inner: Inner<'w, u8>,
}

#[derive(::ecs::Query)]
pub struct Inner<'w, T: Send + Sync + 'static>(pub Option<&'w Shape<T>>, pub &'w Mass);

#[derive(::ecs::Bundle)]
pub struct Hero {
    pub body: Body,
    pub pair: (Wide<u64>, Shape<u8>),
}

#[derive(::ecs::Bundle)]
pub struct Pair<A: ::ecs::Component, B: ::ecs::Component>(pub A, pub B);

#[derive(Clone, Debug, Default, ::ecs::Resource, ::serde::Serialize, ::serde::Deserialize)]
#[resource(clone, save = "score")]
pub struct Score(pub u32);

#[derive(Clone, Debug, ::ecs::Resource, ::serde::Serialize, ::serde::Deserialize)]
#[resource(clone = skip, save = "fleet")]
pub struct Fleet {
    pub links: Vec<Link<u8>>,
    #[resource(entities = ignore)]
    pub flagship: Option<::ecs::Entity>,
}

#[derive(::ecs::Views)]
pub struct Sides<'w> {
    pub light: ::ecs::View<'w, (&'w mut Body, ::ecs::Without<Tag>)>,
    pub heavy: ::ecs::View<'w, (&'w mut Body, ::ecs::With<Tag>)>,
    pub score: &'w mut Score,
}

#[derive(::ecs::Views)]
pub struct OfAny<'w, T: Send + Sync + 'static>(pub ::ecs::View<'w, &'w Shape<T>>, pub &'w Score);

fn count(sides: Sides) {
    sides.score.0 += u32::try_from(sides.light.count() + sides.heavy.count()).unwrap();
}
fn is_early(score: &Score) -> bool {
    score.0 < 2
}
fn rest() {}
fn record(commands: &mut ::ecs::Commands) {
    commands.queue(|_| ());
}

::ecs::schedule! {
    /// The systems of the program.
    pub struct Frame {
        count if is_early,
        record,
        sync,
        together(rest, count),
        within: Within if is_early,
    }
}
::ecs::schedule! {
    struct Within { rest }
}
