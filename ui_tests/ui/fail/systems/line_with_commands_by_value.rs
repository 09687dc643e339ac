use ecs::{Commands, schedule};

fn spawn(_: Commands) {}

schedule! { struct Frame { spawn } }

fn main() {}
