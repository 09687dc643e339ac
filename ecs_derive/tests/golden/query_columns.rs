#[derive(Query)]
struct Pan<'w> {
    #[query(column = proximity::angle)]
    angle: &'w f32,
    #[query(column = proximity::distance)]
    distance: Option<&'w mut f32>,
    audio: AudioMut<'w>,
}
