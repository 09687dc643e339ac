//! Derives beside types, constants and functions that are called like any word of theirs, or like any of the prelude.

macro_rules! names {
    ([$($emitted:ident)+] [$($plain:ident)+]) => {
        mod types {
            // Bindings of derives are called like these: a constant or a unit struct of that name would be a pattern.
            $(pub enum $emitted {})+
            $(pub struct $plain;)+

            include!("absolute_derives.rs");
        }
        mod modules {
            $(mod $emitted {})+
            $(mod $plain {})+

            include!("absolute_derives.rs");
        }
        mod traits {
            $(pub trait $emitted {
                fn $emitted(&self) {}
            }
            impl<MyX: ?::core::marker::Sized> $emitted for MyX {})+
            // By value, so that the compiler finds these before methods of ours that borrow.
            $(pub trait $plain: ::core::marker::Sized {
                fn $plain(self) {}
            }
            impl<MyX> $plain for MyX {})+

            include!("absolute_derives.rs");
        }
        mod functions {
            $(fn $emitted() {})+
            $(fn $plain() {})+

            include!("absolute_derives.rs");
        }
        mod macros {
            $(macro_rules! $emitted { () => { ::core::compile_error!("not this one") }; })+
            $(macro_rules! $plain { () => { ::core::compile_error!("not this one") }; })+

            include!("absolute_derives.rs");
        }
    };
}

/// Parameters hide all types of these names from the derived item.
macro_rules! parameters {
    ($($name:ident)+) => {
        mod parameters {
            type My<MyT> = ::core::marker::PhantomData<fn() -> MyT>;

            #[derive(::ecs::Component)]
            #[component(track, veto = Self::my_veto)]
            pub struct MyMany<$($name),+>($(pub My<$name>),+);

            impl<$($name),+> MyMany<$($name),+> {
                fn my_veto(&mut self) -> ::core::primitive::bool {
                    true
                }
            }

            #[derive(::ecs::Component)]
            #[component(layout = "soa")]
            pub struct MyRow<$($name: 'static),+> {
                pub my_all: My<($(My<$name>,)+)>,
                pub my_len: ::core::primitive::usize,
            }

            #[derive(::ecs::Component)]
            pub enum MyEnum<$($name),+> {
                My(My<($(My<$name>,)+)>),
                $($name(My<$name>),)+
            }

            #[derive(::ecs::Query)]
            pub struct MyQuery<'my, $($name: 'static),+>(
                pub &'my mut MyMany<$($name),+>,
                pub ::core::option::Option<&'my MyEnum<$($name),+>>,
                pub ::ecs::Has<MyEnum<$($name),+>>,
            );

            #[derive(::ecs::Bundle)]
            pub struct MyBundle<$($name: 'static),+>(pub MyMany<$($name),+>, pub (MyEnum<$($name),+>, MyRow<$($name),+>));

            #[derive(::ecs::Resource)]
            pub struct MyResource<$($name),+>($(pub My<$name>),+);

            #[derive(::ecs::Views)]
            pub struct MyViews<'my, $($name: 'static),+>(
                pub ::ecs::View<'my, &'my mut MyMany<$($name),+>>,
                pub &'my MyResource<$($name),+>,
            );
        }
    };
}
parameters! {
    A F I K M N Q S T U W Bundle Clone Component Copy Debug Default Drop Entity Error Fetch Field Fn Fetched Item Iterator None
    Option Output Query Resource Result Self_ Send Sized Some Storage String Sync Target Term Terms Vec View Views Window World
    alloc bool core ecs f32 r#type std str u8 usize
}

include!("shared/names.rs");

macro_rules! names {
    ([$($emitted:ident)+] [$($plain:ident)+]) => {
        mod components {
            $(pub enum $emitted {})+
            $(#[derive(::ecs::Component)] pub struct $plain;)+

            include!("absolute_derives.rs");
        }
    };
}
include!("shared/few_names.rs");

pub(super) fn main() {
    types::try_all();
    components::try_all();
    modules::try_all();
    traits::try_all();
    functions::try_all();
    macros::try_all();
}
