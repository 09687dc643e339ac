/// The systems of a frame.
#[derive(Clone)]
pub(crate) struct r#Frame {
    __schedule: game::ecs::__private::Schedule,
}
const _: () = {
    #[automatically_derived]
    impl game::ecs::__private::Listed for r#Frame {
        const LINES: &'static [game::ecs::__private::Line] = &[
            game::ecs::__private::Line::System {
                system: game::ecs::__private::system("steer", &steer),
                condition: ::core::option::Option::None,
            },
            game::ecs::__private::Line::Together {
                lines: &[
                    game::ecs::__private::Line::System {
                        system: game::ecs::__private::system(
                            "heal<Player>",
                            &physics::heal::<Player>,
                        ),
                        condition: ::core::option::Option::None,
                    },
                    game::ecs::__private::Line::System {
                        system: game::ecs::__private::system(
                            "hurt",
                            &<Foe as Hurt>::hurt,
                        ),
                        condition: ::core::option::Option::Some(
                            game::ecs::__private::condition("is_running", &is_running),
                        ),
                    },
                ],
            },
            game::ecs::__private::Line::Set {
                name: "move",
                lines: <Physics as game::ecs::__private::Listed>::LINES,
                condition: ::core::option::Option::None,
            },
            game::ecs::__private::Line::Set {
                name: "menu",
                lines: <ui::Menu as game::ecs::__private::Listed>::LINES,
                condition: ::core::option::Option::Some(
                    game::ecs::__private::condition("is_running", &is_running),
                ),
            },
            game::ecs::__private::Line::System {
                system: game::ecs::__private::system("show", &show),
                condition: ::core::option::Option::Some(
                    game::ecs::__private::condition("is_running", &is_running),
                ),
            },
            game::ecs::__private::Line::Sync,
        ];
    }
    const __LEN: ::core::primitive::usize = game::ecs::__private::count_steps(
        <r#Frame as game::ecs::__private::Listed>::LINES,
    );
    const _: () = game::ecs::__private::check_system(
        &<r#Frame as game::ecs::__private::Listed>::LINES[0usize],
    );
    const _: () = game::ecs::__private::check_system(
        &game::ecs::__private::Line::member(
            &<r#Frame as game::ecs::__private::Listed>::LINES[1usize],
            0usize,
        ),
    );
    const _: () = game::ecs::__private::check_member(
        &<r#Frame as game::ecs::__private::Listed>::LINES[1usize],
        0usize,
    );
    const _: () = game::ecs::__private::check_system(
        &game::ecs::__private::Line::member(
            &<r#Frame as game::ecs::__private::Listed>::LINES[1usize],
            1usize,
        ),
    );
    const _: () = game::ecs::__private::check_condition(
        &game::ecs::__private::Line::member(
            &<r#Frame as game::ecs::__private::Listed>::LINES[1usize],
            1usize,
        ),
    );
    const _: () = game::ecs::__private::check_member(
        &<r#Frame as game::ecs::__private::Listed>::LINES[1usize],
        1usize,
    );
    const _: () = game::ecs::__private::check_condition(
        &<r#Frame as game::ecs::__private::Listed>::LINES[3usize],
    );
    const _: () = game::ecs::__private::check_system(
        &<r#Frame as game::ecs::__private::Listed>::LINES[4usize],
    );
    const _: () = game::ecs::__private::check_condition(
        &<r#Frame as game::ecs::__private::Listed>::LINES[4usize],
    );
    impl r#Frame {
        /// Which of its systems wait for which.
        pub(crate) const PLAN: game::ecs::__private::SchedulePlan<{ __LEN }> = game::ecs::__private::plan(
            <r#Frame as game::ecs::__private::Listed>::LINES,
        );
        ///A `Frame` that did not run yet.
        ///
        /// # Panics
        /// When systems in `together` conflict by generic components, which only the running process can
        /// compare, or parameters of a system alias by these.
        #[must_use]
        #[track_caller]
        pub(crate) fn new() -> Self {
            Self {
                __schedule: game::ecs::__private::Schedule::of_lines(
                    <Self as game::ecs::__private::Listed>::LINES,
                ),
            }
        }
    }
    #[automatically_derived]
    impl ::core::default::Default for r#Frame {
        fn default() -> Self {
            Self::new()
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for r#Frame {
        type Target = game::ecs::__private::Schedule;
        fn deref(&self) -> &game::ecs::__private::Schedule {
            &self.__schedule
        }
    }
    #[automatically_derived]
    impl ::core::ops::DerefMut for r#Frame {
        fn deref_mut(&mut self) -> &mut game::ecs::__private::Schedule {
            &mut self.__schedule
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<r#Frame> for game::ecs::__private::Schedule {
        fn from(__from: r#Frame) -> Self {
            __from.__schedule
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for r#Frame {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            ::core::fmt::Debug::fmt(&self.__schedule, __f)
        }
    }
};
