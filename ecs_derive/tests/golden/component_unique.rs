#[derive(Component)]
#[component(unique(by = Callsign::text, key = String))]
struct Callsign(String);
