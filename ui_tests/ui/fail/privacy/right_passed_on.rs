use ecs::__private::{Internal, ClaimSet, ViewSet};
use engine::Books;

struct Own;
impl ViewSet for Own {
    type Claims = <Books<'static> as ViewSet>::Claims;
    type Views<'w> = Books<'w>;
    const NAMES: &'static [&'static str] = &[];
    fn build<'w>(right: Internal<Self>, all: <Self::Claims as ClaimSet>::Claimed<'w>) -> Books<'w> {
        Books::build(right, all)
    }
}
fn main() {}
