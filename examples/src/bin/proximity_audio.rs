//! Which listeners hear something: entities that are near and audible at once.
//!
//! Twice: with `Proximity` in one piece and with a column a field. The systems are the same code:
//! reads by methods and in formats look through a reference to a field.
//!
//! ```sh
//! cargo run --profile example -p ecs_examples --bin proximity_audio
//! ```

/// The components in one layout, and their systems.
macro_rules! in_layout {
    ($layout:ident, $(#[$attribute:meta])*) => {
        mod $layout {
            use ecs::{Component, World};

            /// The place of an entity, seen from the listener.
            #[derive(Component, Debug, Default)]
            $(#[$attribute])*
            struct Proximity {
                distance: f32,
                angle: f32,
                occlusion: f32,
            }

            /// The sound of an entity.
            #[derive(Component, Debug, Default)]
            struct Audio {
                volume: f32,
                pitch: f32,
                pan: f32,
            }

            /// Alice is near and audible, Bob is near, Charlie is audible only.
            fn scene() -> World {
                let mut world = World::new();
                world
                    .spawn_named("Alice")
                    .insert(Proximity { distance: 1.0, angle: 2.0, occlusion: 3.0 })
                    .insert(Audio { volume: 4.0, pitch: 5.0, pan: 6.0 });
                world.spawn_named("Bob").add::<Proximity>();
                world.spawn_named("Charlie").insert(Audio { volume: 7.0, pitch: 8.0, pan: 9.0 });
                world
            }

            /// Pans near sounds by their place.
            fn pan_by_angle(world: &mut World) {
                for (_, proximity, audio) in world.view_mut::<(Proximity, &mut Audio)>() {
                    audio.pan = proximity.angle.sin() * (1.0 - proximity.occlusion.min(1.0));
                    audio.pitch = audio.pitch.max(1.0);
                }
            }

            /// One line for every entity that is near and audible.
            fn process_audio(world: &World) -> Vec<String> {
                let mut lines = Vec::new();
                for (entity, proximity, audio) in world.view::<(Proximity, Audio)>() {
                    let name = world.name(entity).unwrap_or("somebody");
                    let (distance, volume) = (proximity.distance, audio.volume);
                    lines.push(format!(
                        "Processing audio for {name} (distance = {distance}, volume = {volume})"
                    ));
                }
                lines
            }

            /// All of it.
            pub(crate) fn lines() -> Vec<String> {
                let mut world = scene();
                pan_by_angle(&mut world);
                process_audio(&world)
            }
        }
    };
}

in_layout!(rows,);
in_layout!(columns, #[component(layout = "soa")]);

fn main() {
    let lines = rows::lines();
    assert_eq!(columns::lines(), lines);
    for line in lines {
        println!("{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alice_is_heard_in_both_layouts() {
        let lines = ["Processing audio for Alice (distance = 1, volume = 4)"];
        assert_eq!(rows::lines(), lines);
        assert_eq!(columns::lines(), lines);
    }
}
