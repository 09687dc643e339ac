//! The components of all scenes, the same types for every library.

use core::ops::AddAssign;

/// A vector in space.
#[derive(Clone, Copy, Debug)]
pub struct Vec3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

impl Vec3 {
    pub const ONE: Self = Self { x: 1.0, y: 1.0, z: 1.0 };
}

impl AddAssign for Vec3 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.x += other.x;
        self.y += other.y;
        self.z += other.z;
    }
}

/// A component whose value depends on the entity: [`of`](Self::of) the entity's number.
pub trait Telling {
    fn of(entity: usize) -> Self;
    fn x(&self) -> f32;
}

/// A number from 1 to 4, so that sums of a million products of two are exact in `f32`.
fn digit(salt: u64, entity: usize) -> f32 {
    let mixed = (entity as u64 ^ (salt << 40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    f32::from(((mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 62) as u8) + 1.0
}

macro_rules! components {
    ($($name:ident($field:ty),)*) => {$(
        #[derive(Clone, Copy, Debug, ::ecs::Component)]
        #[cfg_attr(
            feature = "peers",
            derive(
                bevy_ecs::component::Component,
                flecs_ecs::macros::Component,
                shipyard::Component,
            )
        )]
        pub struct $name(pub $field);
    )*};
}

macro_rules! vectors {
    ($($name:ident $salt:literal,)*) => {
        components!($($name(Vec3),)*);
        $(impl Telling for $name {
            fn of(entity: usize) -> Self {
                let y = $salt + 100;
                Self(Vec3 { x: digit($salt, entity), y: digit(y, entity), z: 0.5 })
            }
            #[inline]
            fn x(&self) -> f32 {
                self.0.x
            }
        })*
    };
}

vectors!(Position 1, Velocity 2, Proximity 3, Audio 4, Rotation 5, Scale 6, Colour 7, Force 8,);

components!(Matrix([f32; 16]), Data(f32),);

/// A resource that all conflicting systems write.
#[derive(Debug, ::ecs::Resource)]
#[cfg_attr(feature = "peers", derive(bevy_ecs::prelude::Resource, shipyard::Unique))]
pub struct Sum(pub usize);

/// Hands the 26 kinds, `A 0` to `Z 25`, to a macro.
macro_rules! for_letters {
    ($macro:ident) => {
        $macro!(
            A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15,
            Q 16, R 17, S 18, T 19, U 20, V 21, W 22, X 23, Y 24, Z 25,
        );
    };
}
pub(crate) use for_letters;

/// The 26 kinds of entities in the fragmented scenes.
pub mod letters {
    macro_rules! letters {
        ($($name:ident $index:tt,)*) => { components!($($name(f32),)*); };
    }
    for_letters!(letters);
}

/// The components of the frames: their sizes are like in a small game.
pub mod frame {
    components!(
        Place([f32; 4]),
        Sprite([u32; 2]),
        Speed([f32; 2]),
        Health(i32),
        Ai((u32, f32)),
        Life(f32),
        Damage(i32),
        Item(u32),
        Burning(f32),
        Hitbox([f32; 2]),
    );
}
