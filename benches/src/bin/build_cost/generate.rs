//! The programs whose build is measured.

use std::fmt::Write;

/// The number of loops a program has.
pub const QUERIES: usize = 100;
/// The number of components they are over.
const COMPONENTS: usize = 20;

/// The loops over a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    For,
    ForEach,
    Chunk,
    /// By `for`, as systems of a list.
    System,
}

/// A program: a library, and how its queries are iterated.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub library: &'static str,
    pub form: Form,
    /// Its dependency.
    dependency: &'static str,
    /// The attribute before a component.
    derive: &'static str,
    /// A loop: a function `q0` over the components `A` and `B`; or over `C+3+`, the third one after `A`.
    query: &'static str,
    /// Makes the world and calls the loops, which stand at `CALLS`, each as `call` says.
    main: &'static str,
    call: &'static str,
}

const ECS: Program = Program {
    library: "ecs",
    form: Form::For,
    dependency: "ecs = { path = \"ECS\" }",
    derive: "#[derive(ecs::Component)]",
    query: "fn QUERY(world: &mut ecs::World) {
    for (_, a, b) in world.view_mut::<(&mut A, &B)>() { a.0[0] += b.0[0]; }
}",
    main: "fn main() {
    let mut world = ecs::World::new();
    std::hint::black_box(&mut world);
CALLS}",
    call: "    QUERY(&mut world);",
};

const HECS: Program = Program {
    library: "hecs",
    form: Form::For,
    dependency: "hecs = { version = \"0.11\", features = [\"macros\"] }",
    derive: "",
    query: "fn QUERY(world: &mut hecs::World) {
    for (a, b) in world.query_mut::<(&mut A, &B)>() { a.0[0] += b.0[0]; }
}",
    main: "fn main() {
    let mut world = hecs::World::new();
    std::hint::black_box(&mut world);
CALLS}",
    call: "    QUERY(&mut world);",
};

const BEVY: Program = Program {
    library: "bevy_ecs",
    form: Form::For,
    dependency: "bevy_ecs = { version = \"0.20\", default-features = false, features = [\"std\"] }",
    derive: "#[derive(bevy_ecs::component::Component)]",
    query: "fn QUERY(mut query: bevy_ecs::system::Query<(&mut A, &B)>) {
    for (mut a, b) in &mut query { a.0[0] += b.0[0]; }
}",
    main: "fn main() {
    let mut world = bevy_ecs::world::World::new();
    let mut schedule = bevy_ecs::schedule::Schedule::default();
CALLS    schedule.run(std::hint::black_box(&mut world));
}",
    call: "    schedule.add_systems(QUERY);",
};

/// Each library beside the others, in each form that it has.
pub const PROGRAMS: [Program; 8] = [
    ECS,
    HECS,
    BEVY,
    Program {
        form: Form::ForEach,
        query: "fn QUERY(world: &mut ecs::World) {
    world.view_mut::<(&mut A, &B)>().for_each(|(_, a, b)| a.0[0] += b.0[0]);
}",
        ..ECS
    },
    Program {
        form: Form::ForEach,
        query: "fn QUERY(world: &mut hecs::World) {
    world.query_mut::<(&mut A, &B)>().into_iter().for_each(|(a, b)| a.0[0] += b.0[0]);
}",
        ..HECS
    },
    Program {
        form: Form::ForEach,
        query: "fn QUERY(mut query: bevy_ecs::system::Query<(&mut A, &B)>) {
    query.iter_mut().for_each(|(mut a, b)| a.0[0] += b.0[0]);
}",
        ..BEVY
    },
    Program {
        form: Form::Chunk,
        query: "fn QUERY(world: &mut ecs::World) {
    world.view_mut::<(&mut A, &B)>().for_each_chunk(|(_, a, b)| {
        for (a, b) in a.iter_mut().zip(b) { a.0[0] += b.0[0]; }
    });
}",
        ..ECS
    },
    Program {
        form: Form::System,
        query: "fn QUERY(view: ecs::View<(&mut A, &B)>) {
    for (_, a, b) in view { a.0[0] += b.0[0]; }
}",
        ..LISTED
    },
];

/// These systems as functions that are never called, and in a list.
pub const CHECKED: [Program; 2] =
    [Program { main: "fn main() {\nCALLS}", call: "    let _ = QUERY;", ..LISTED }, LISTED];

const LISTED: Program = Program {
    form: Form::System,
    query: "fn QUERY(
    one: ecs::View<(&mut C+0+, &C+1+, &C+2+)>,
    two: ecs::View<(&mut C+3+, &C+4+, &C+5+)>,
) {
    for (_, a, b, c) in one { a.0[0] += b.0[0] + c.0[0]; }
    for (_, a, b, c) in two { a.0[0] += b.0[0] + c.0[0]; }
}",
    main: "ecs::schedule! { struct Frame {
CALLS} }
fn main() {
    let mut world = ecs::World::new();
    Frame::new().run(std::hint::black_box(&mut world)).expect(\"no system fails\");
}",
    call: "    QUERY,",
    ..ECS
};

impl Program {
    /// Its manifest, where this is the way to our library.
    pub fn manifest(&self, ecs: &str) -> String {
        let dependency = self.dependency.replace("ECS", ecs);
        format!(
            "[package]\nname = \"build_cost\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n\n[profile.release]\nstrip = true\n\n[workspace]\n"
        )
    }

    /// Its source, with this many loops. A mark makes it another file each time, so that it is
    /// built again.
    pub fn source(&self, queries: usize, mark: usize) -> String {
        let mut text = format!("//! Program {mark}.\n");
        let mut calls = String::new();
        let add = |text: &mut String, line: String| {
            writeln!(text, "{line}").expect("a String takes all");
        };
        for component in 0..COMPONENTS {
            add(&mut text, format!("{}\npub struct C{component}(pub [f32; 3]);", self.derive));
        }
        for query in 0..queries {
            // Each pair of components once: by distances from 1 to 5.
            let (a, distance) = (query % COMPONENTS, 1 + query / COMPONENTS);
            let [a, b] = [a, (a + distance) % COMPONENTS].map(|number| format!("C{number}"));
            let name = format!("q{query}");
            let named = |text: &str| text.replace("QUERY", &name);
            let mut body = named(self.query).replace("&mut A", &format!("&mut {a}"));
            for further in 0..6 {
                let number = (query + further) % COMPONENTS;
                body = body.replace(&format!("+{further}+"), &number.to_string());
            }
            add(&mut text, format!("#[inline(never)]\n{}", body.replace("&B", &format!("&{b}"))));
            add(&mut calls, named(self.call));
        }
        add(&mut text, self.main.replace("CALLS", &calls));
        text
    }
}

/// The manifest of a program of components, where this is the way to our library.
pub fn manifest_of_components(ecs: &str) -> String {
    format!(
        "[package]\nname = \"build_cost\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\necs = {{ path = \"{ecs}\", features = [\"serde\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\n\
         [profile.release]\nstrip = true\n\n[workspace]\n"
    )
}

/// The source of a program of this many components of four shapes, which spawns each and, if they are saved, saves
/// and loads the world as bytes and as JSON.
pub fn components(count: usize, are_saved: bool, mark: usize) -> String {
    let mut text = format!(
        "//! Program {mark}.\nuse ecs::save::Limits;\nuse ecs::{{Component, World}};\n\
         use serde::{{Deserialize, Serialize}};\n"
    );
    let (mut spawned, mut registered) = (String::new(), String::new());
    for number in 0..count {
        let (body, value) = match number % 4 {
            0 => ("struct C% { x: f32, y: f32, z: f32 }", "C% { x: 1.0, y: 2.0, z: 3.0 }"),
            1 => (
                "struct C% { id: u32, score: i64, title: String }",
                "C% { id: 1, score: 2, title: String::new() }",
            ),
            2 => ("struct C%(u64);", "C%(3)"),
            _ => ("enum C% { Idle, Moving { to: u32 }, Hurt(f32) }", "C%::Moving { to: 4 }"),
        };
        let derive = if are_saved {
            "#[derive(Component, Serialize, Deserialize)]\n#[component(save = \"c%\")]\n"
        } else {
            "#[derive(Component)]\n"
        };
        let named = |text: &str| text.replace('%', &number.to_string());
        text.push_str(&named(&format!("{derive}{body}\n")));
        spawned.push_str(&named(&format!("    world.spawn({value});\n")));
        if are_saved {
            registered.push_str(&named("    world.register::<C%>();\n"));
        }
    }
    let saved = "    let mut bytes = Vec::new();
    world.save().to_bytes(&mut bytes).expect(\"it is saved\");
    world.load(&bytes, &Limits::default()).expect(\"it is read\");
    let text = serde_json::to_string(&world.save()).expect(\"it is saved\");
    world.read_from(&mut serde_json::Deserializer::from_str(&text)).expect(\"it is read\");\n";
    let saved = if are_saved { saved } else { "" };
    format!(
        "#![allow(dead_code, unused_imports)]\n{text}fn main() {{\n    let mut world = World::new();\n\
         {registered}{spawned}{saved}    std::hint::black_box(&mut world);\n}}\n"
    )
}
