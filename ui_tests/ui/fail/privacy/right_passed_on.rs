use ecs::__private::{Internal, JoinSet, ViewSet};
use engine::Books;

struct Own;
impl ViewSet for Own {
    type Joins = <Books<'static> as ViewSet>::Joins;
    type Views<'w> = Books<'w>;
    const NAMES: &'static [&'static str] = &[];
    fn build<'w>(right: Internal<Self>, joins: <Self::Joins as JoinSet>::Joins<'w>) -> Books<'w> {
        Books::build(right, joins)
    }
}
fn main() {}
