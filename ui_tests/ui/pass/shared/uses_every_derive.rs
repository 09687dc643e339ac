pub(super) fn main() {
    let mut all = ecs::World::new();
    all.insert_resource(Score::default());
    let body = Body { height: 1, width: 2, weights: vec![3] };
    let pair = (Wide { height: 4_u64, width: 5 }, Shape::Round(6_u8));
    let hero = all.spawn(Hero { body: body.clone(), pair }).id();
    assert_eq!(all.get::<Mass>(hero), Some(&Mass(4)));
    all.spawn(Pair(Shape::Square { side: 7_u16 }, Aim::At(hero)));
    all.view_mut::<Moving>().for_each(|mut moving| {
        assert!(moving.who == hero && moving.tag.is_some() && moving.is_round.get());
        assert_eq!((moving.height, moving.inner.1), (Some(&4), &Mass(4)));
        assert!(matches!(moving.inner.0, Some(Shape::Round(6))));
        *moving.body.height += 1;
        assert_eq!(moving.body.as_ref().to_owned().height, 2);
        moving.body.reborrow().set(body.clone());
        assert_eq!(format!("{:?}", moving.body.replace(body.clone())), format!("{body:?}"));
        assert!(format!("{:?}", moving.body).starts_with("Body"));
    });
    let leader = all.spawn_empty().id();
    all.insert(hero, Under { leader, rank: 3 }).unwrap();
    all.despawn(leader).unwrap();
    assert!(!all.has::<Under>(hero));
    let mut frame = Frame::default();
    frame.run(&mut all).unwrap();
    frame.run(&mut all).unwrap();
    assert_eq!(all.resource::<Score>().0, 3);
    assert!(format!("{frame:?}").contains("count") && Frame::PLAN.depth() > 1);
    let _: ecs::Schedule = frame.into();
    let copies = all.spawn_copies(hero, 2);
    assert!(copies.is_err(), "`Wide` and `Shape` are not copied");
    let OfAny(shapes, score) = all.split_mut::<OfAny<u16>>();
    assert_eq!((shapes.count(), score.0), (1, 3));
}
