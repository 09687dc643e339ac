use ecs::__private::{Internal, SupplySet, ViewSet};
use engine::Books;

struct Own;
impl ViewSet for Own {
    type Supplies = <Books<'static> as ViewSet>::Supplies;
    type Views<'w> = Books<'w>;
    const NAMES: &'static [&'static str] = &[];
    fn build<'w>(_: Internal<Self>, all: <Self::Supplies as SupplySet>::Given<'w>) -> Books<'w> {
        Books::build(all)
    }
}
fn main() {}
