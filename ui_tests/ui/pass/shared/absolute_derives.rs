// All derives and `schedule!`. Only names of the derives' own items are looked up in the scope around them.

#[derive(::ecs::Component, ::core::clone::Clone, ::core::fmt::Debug, ::core::default::Default)]
#[component(clone, debug, default, track, save = "my_mass", version = 2, from(1 = MyOldMass))]
#[component(veto = MyMass::my_veto, on_insert = my_note, on_update = my_note, on_remove = my_note)]
pub struct MyMass {
    pub kilos: ::core::primitive::u32,
}

pub struct MyOldMass {
    kilos: ::core::primitive::u32,
}

// By hand, as the derives of `serde` name some types of the prelude.
impl ::serde::Serialize for MyMass {
    fn serialize<MyS: ::serde::Serializer>(&self, my_into: MyS) -> ::core::result::Result<MyS::Ok, MyS::Error> {
        ::serde::Serialize::serialize(&self.kilos, my_into)
    }
}
impl<'my> ::serde::Deserialize<'my> for MyMass {
    fn deserialize<MyD: ::serde::Deserializer<'my>>(my_from: MyD) -> ::core::result::Result<Self, MyD::Error> {
        ::core::result::Result::map(::serde::Deserialize::deserialize(my_from), |my_kilos| Self { kilos: my_kilos })
    }
}
impl<'my> ::serde::Deserialize<'my> for MyOldMass {
    fn deserialize<MyD: ::serde::Deserializer<'my>>(my_from: MyD) -> ::core::result::Result<Self, MyD::Error> {
        ::core::result::Result::map(::serde::Deserialize::deserialize(my_from), |my_kilos| Self { kilos: my_kilos })
    }
}
impl ::serde::Serialize for MyScore {
    fn serialize<MyS: ::serde::Serializer>(&self, my_into: MyS) -> ::core::result::Result<MyS::Ok, MyS::Error> {
        ::serde::Serialize::serialize(&self.0, my_into)
    }
}
impl<'my> ::serde::Deserialize<'my> for MyScore {
    fn deserialize<MyD: ::serde::Deserializer<'my>>(my_from: MyD) -> ::core::result::Result<Self, MyD::Error> {
        ::core::result::Result::map(::serde::Deserialize::deserialize(my_from), Self)
    }
}

impl ::core::convert::From<MyOldMass> for MyMass {
    fn from(my_old: MyOldMass) -> Self {
        Self { kilos: my_old.kilos }
    }
}

impl MyMass {
    fn my_veto(&mut self) -> ::core::primitive::bool {
        self.kilos > 0
    }
}

fn my_note(_: &mut ::ecs::World, _: ::ecs::Entity) {}

#[derive(::ecs::Component, ::core::clone::Clone, ::core::fmt::Debug)]
#[component(layout = "soa", clone, debug, requires(MyMass = MyMass { kilos: 4 }))]
pub struct MyBody {
    pub wide: ::core::primitive::u32,
    pub high: ::std::vec::Vec<::core::primitive::u8>,
}

#[derive(::ecs::Component)]
#[component(layout = "soa")]
pub struct MyRow<MyT: ::core::marker::Send + ::core::marker::Sync + 'static> {
    pub wide: MyT,
    pub lock: ::std::sync::Mutex<::core::primitive::u8>,
}

#[derive(::ecs::Component, ::core::clone::Clone)]
#[component(clone)]
pub enum MyShape<MyT: ::core::clone::Clone> {
    Round(MyT),
    Held(#[component(entities)] ::ecs::Entity),
}

#[derive(::ecs::Component)]
pub struct MyLock(pub ::std::sync::Mutex<::core::primitive::u8>);

#[derive(::ecs::Component)]
#[component(relation, at_end = my_end, acyclic)]
pub struct MyLeader {
    pub who: ::ecs::Entity,
}

fn my_end(_: &mut ::ecs::World, _: ::ecs::Entity, _: MyLeader) {}

#[derive(::ecs::Query)]
#[query(with(MyMass), without(MyLeader))]
pub struct MyQuery<'my> {
    pub entity: ::ecs::Entity,
    pub body: MyBodyMut<'my>,
    pub lock: ::core::option::Option<&'my MyLock>,
    pub has: ::ecs::Has<MyShape<::core::primitive::u8>>,
    pub inner: MyInner<'my, ::core::primitive::u8>,
}

#[derive(::ecs::Query)]
pub struct MyInner<'my, MyT: ::core::clone::Clone + ::core::marker::Send + ::core::marker::Sync + ::core::panic::UnwindSafe + 'static>(
    pub ::core::option::Option<&'my MyShape<MyT>>,
    pub ::core::option::Option<&'my MyLock>,
);

#[derive(::ecs::Query)]
pub enum MyChoice<'my> {
    One(&'my mut MyMass),
    Two { lock: &'my MyLock },
    Three,
}

#[derive(::ecs::Bundle)]
pub struct MyBundle {
    pub body: MyBody,
    pub pair: (MyLock, MyShape<::core::primitive::u8>),
}

#[derive(::ecs::Bundle)]
pub struct MyPair<MyT: ::core::clone::Clone>(pub MyShape<MyT>);

#[derive(::ecs::Resource, ::core::clone::Clone)]
#[resource(clone, save = "my_score")]
pub struct MyScore(pub ::core::primitive::u32);

#[derive(::ecs::Resource)]
pub struct MyAny<MyT>(pub ::std::sync::Mutex<MyT>);

#[derive(::ecs::Resource)]
pub struct MyGuarded(pub ::std::sync::Mutex<::core::primitive::u8>);

#[derive(::ecs::Views)]
pub struct MyViews<'my> {
    pub masses: ::ecs::View<'my, (&'my mut MyMass, ::ecs::Without<MyLeader>)>,
    pub score: &'my mut MyScore,
    pub count: ::ecs::Local<'my, ::core::primitive::u32>,
}

#[derive(::ecs::Views)]
pub struct MyAnyViews<'my, MyT: ::core::clone::Clone + ::core::marker::Send + ::core::marker::Sync + ::core::panic::UnwindSafe + 'static>(
    pub ::ecs::View<'my, &'my MyShape<MyT>>,
);

fn my_system(mut all: MyViews) {
    *all.count += 1;
    all.score.0 += *all.count;
}
fn my_condition(score: &MyScore) -> ::core::primitive::bool {
    score.0 < 3
}
fn my_other() {}

::ecs::schedule! {
    pub struct MyFrame {
        my_system if my_condition,
        sync,
        together(my_system, my_other),
        within: MyWithin if my_condition,
    }
}
::ecs::schedule! {
    struct MyWithin { my_other }
}

pub(super) fn try_all() {
    let mut my_world = ::ecs::World::new();
    ::ecs::World::insert_resource(&mut my_world, MyScore(0));
    let my_body = MyBody { wide: 1, high: ::std::vec![2] };
    let my_pair = (MyLock(::std::sync::Mutex::new(3)), MyShape::Round(4));
    let my_entity = ::ecs::World::spawn(&mut my_world, MyBundle { body: my_body, pair: my_pair }).id();
    ::core::assert_eq!(::ecs::World::get::<MyMass>(&my_world, my_entity).map(|my_mass| my_mass.kilos), ::core::option::Option::Some(4));
    for my_found in ::ecs::World::view_mut::<MyQuery>(&mut my_world) {
        *my_found.body.wide += 1;
        ::core::assert!(my_found.entity == my_entity && my_found.inner.1.is_some());
    }
    for my_choice in ::ecs::World::view_mut::<MyChoice>(&mut my_world) {
        if let MyChoice::One(my_mass) = my_choice {
            my_mass.kilos += 1;
        }
    }
    let mut my_frame = MyFrame::new();
    ::core::assert!(my_frame.run(&mut my_world).is_ok());
    ::core::assert_eq!(::ecs::World::resource::<MyScore>(&my_world).0, 2);
}
