//! Derives beside constants whose names an expansion could use for a variable.
#![allow(dead_code, non_upper_case_globals)]

mod derived {
    macro_rules! items {
        ($($name:ident)+) => {$(
            const $name: u8 = 1;
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
