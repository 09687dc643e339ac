#[derive(Views)]
struct Sides<'w> {
    players: View<'w, (&'w mut Health, With<Player>)>,
    others: View<'w, (&'w mut Health, Without<Player>)>,
}
