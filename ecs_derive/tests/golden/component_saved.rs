#[derive(Component)]
#[component(save = "stock", instance = T::NAME, version = 3, from(1 = Old, 2 = Older<T>), clone)]
struct Stock<T: Goods> {
    #[component(entities = ignore)]
    owner: Entity,
    #[component(entities)]
    buyers: Vec<Entity>,
    goods: T,
}
