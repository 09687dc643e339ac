struct Config;

ecs::check_query!((&Config,));

fn main() {}
