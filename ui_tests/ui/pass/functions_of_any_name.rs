//! Derives beside functions, modules and macros whose names an expansion could use.
#![allow(dead_code, unused_macros)]

mod derived {
    macro_rules! items {
        ($($name:ident)+) => {$(
            fn $name() -> u8 { 1 }
            mod $name {}
            macro_rules! $name { () => { compile_error!("not this one") }; }
        )+};
    }
    items! {
        a b c f s t w x y z any at key map new now old this that value values item items entity
        entities world target targets source schedule schedules system systems list line lines name
        names text pool pools step steps condition component components bundle bundles query queries
        view views resource resources given whole part parts field fields handle handles index
        number len left right column columns slot same other saving veto hook hooks asked answer
        item_of build fetch take put get set from into fmt ty id ids bit kind path plan args call
        run ecs core std alloc serde
    }

    include!("shared/every_derive.rs");
}
use derived::*;

include!("shared/uses_every_derive.rs");
