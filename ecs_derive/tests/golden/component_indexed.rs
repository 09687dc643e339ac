#[derive(Component)]
#[component(index(ordered, by = points), veto = Score::may_go)]
struct Score {
    points: u32,
}
