::core::compile_error! {
    "write the path of a function, as in `steer`, `heal::<Player>` or `steer if is_running`; `Schedule::add` takes closures"
}
struct Frame {
    __schedule: ::ecs::__private::Schedule,
}
const _: () = {
    #[automatically_derived]
    impl ::ecs::__private::Listed for Frame {
        const LINES: &'static [::ecs::__private::Line] = &[];
    }
    const __LEN: ::core::primitive::usize = ::ecs::__private::count_steps(
        <Frame as ::ecs::__private::Listed>::LINES,
    );
    impl Frame {
        /// Which of its systems wait for which.
        const PLAN: ::ecs::__private::SchedulePlan<{ __LEN }> = ::ecs::__private::plan(
            <Frame as ::ecs::__private::Listed>::LINES,
        );
        ///A `Frame` that did not run yet.
        ///
        /// # Panics
        /// When systems in `together` conflict by generic components, which only the running process can
        /// compare, or parameters of a system alias by these.
        #[must_use]
        #[track_caller]
        fn new() -> Self {
            Self {
                __schedule: ::ecs::__private::Schedule::of_lines(
                    <Self as ::ecs::__private::Listed>::LINES,
                ),
            }
        }
    }
    #[automatically_derived]
    impl ::core::default::Default for Frame {
        fn default() -> Self {
            Self::new()
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for Frame {
        type Target = ::ecs::__private::Schedule;
        fn deref(&self) -> &::ecs::__private::Schedule {
            &self.__schedule
        }
    }
    #[automatically_derived]
    impl ::core::ops::DerefMut for Frame {
        fn deref_mut(&mut self) -> &mut ::ecs::__private::Schedule {
            &mut self.__schedule
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Frame> for ::ecs::__private::Schedule {
        fn from(__from: Frame) -> Self {
            __from.__schedule
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for Frame {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            ::core::fmt::Debug::fmt(&self.__schedule, __f)
        }
    }
};
