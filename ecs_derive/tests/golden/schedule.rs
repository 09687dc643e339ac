schedule! {
    /// The systems of a frame.
    #[ecs(crate = game::ecs)]
    #[derive(Clone)]
    pub(crate) struct r#Frame {
        steer,
        /// They share no entity.
        together(physics::heal::<Player>, <Foe as Hurt>::hurt if is_running),
        r#move: Physics,
        menu: ui::Menu if is_running,
        show if is_running,
        sync,
    }
}
