use ecs::{Component, GroupMut};

#[derive(Component)]
struct Call<F: Send + Sync + 'static>(F);

type Any = Call<fn(&String)>;
type Static = Call<fn(&'static String)>;

fn change(group: GroupMut<'_, Any>) -> GroupMut<'_, Static> {
    group
}

fn main() {}
