#[derive(MapEntities)]
enum Order<T> {
    Wait,
    Follow(Entity),
    Guard { posts: Vec<Post>, by: T, #[entities(ignore)] of: Entity },
}
