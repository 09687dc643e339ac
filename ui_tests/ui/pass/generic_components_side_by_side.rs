use ecs::{Component, World};

#[derive(Component)]
struct Wrapper<T>(T);

pub(super) fn main() {
    let mut world = World::new();
    world.spawn_empty().insert((Wrapper(1_u8), Wrapper(2_u32)));
    for (_, byte, word) in world.view_mut::<(&Wrapper<u8>, &mut Wrapper<u32>)>() {
        word.0 += u32::from(byte.0);
    }
    let (bytes, words) = world.split_mut::<(&mut Wrapper<u8>, &mut Wrapper<u32>)>();
    assert_eq!(bytes.single().unwrap().1.0, 1);
    assert_eq!(words.single().unwrap().1.0, 3);
}
