use ecs::__private::{Column, ColumnAt, Here, Target};
use engine::Seal;

ecs_ui_tests::component_around!(Own, Seal);
impl ColumnAt for OwnColumn<Code> {
    type Path = Here;
}
struct Code;
impl Target for Code {
    type Projection = Column<Own, Self>;
    const NAME: &'static str = "code";
}

fn main() {}
