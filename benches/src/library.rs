//! A library, and the workloads it does.

use std::time::Duration;

/// The names of a frame's parts, which are timed apart.
pub const PARTS: [&str; 3] = ["edits", "upkeep", "loops"];

/// The times of a frame's parts.
pub type Parts = [Duration; PARTS.len()];

/// Something to be measured: a warmed world and a loop over it.
pub trait Scene {
    /// Returns `true` if it is prepared before each run, while the clock stands.
    fn is_prepared(&self) -> bool;
    /// Prepares it for a run.
    fn prepare(&mut self);
    /// The loop to be timed, and its answer.
    fn run(&mut self) -> u64;
    /// Returns a hash of the scene, to be compared with other libraries after equally many runs.
    fn check(&mut self) -> u64;
    /// Runs it, untimed, until it is in the state in which it is measured.
    fn warm_up(&mut self) {}
    /// Removes the times of the frames since the last call and returns them; a scene that is no frame has none.
    fn take_frames(&mut self) -> Vec<Parts> {
        Vec::new()
    }
}

/// The storage of a library's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Ours.
    Ours,
    /// Ours, with a group declared for the workload's query.
    OursGrouped,
    /// Ours, with a column a field.
    OursColumns,
    /// No library, but the same loop over plain `Vec`s.
    Floor,
    /// No library, but the leanest sparse sets for the same work.
    SparseFloor,
    /// A peer with a table for each combination of components.
    Archetypes,
    /// A peer with a set for each component.
    SparseSets,
    /// A peer with an array over all entities' numbers for each component, gaps included.
    Arrays,
    /// A peer with a set for each component, and a group declared for the workload's query.
    Grouped,
}

/// A library, or a way to use it.
pub struct Library {
    /// The name in tables.
    pub name: &'static str,
    /// The package it comes from.
    pub package: Option<&'static str>,
    /// The storage of its components.
    pub kind: Kind,
    cases: Vec<Case>,
}

/// A workload as a library does it.
pub struct Case {
    workload: &'static str,
    make: Box<dyn Fn() -> Box<dyn Scene>>,
}

impl Case {
    /// A new scene, not run yet.
    #[must_use]
    pub fn scene(&self) -> Box<dyn Scene> {
        (self.make)()
    }
}

impl Library {
    /// A library that does nothing yet.
    #[must_use]
    pub fn new(name: &'static str, package: Option<&'static str>, kind: Kind) -> Self {
        Self { name, package, kind, cases: Vec::new() }
    }

    /// The case of this workload, if the library does it.
    #[must_use]
    pub fn case(&self, workload: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.workload == workload)
    }

    /// The names of all workloads that the library does.
    pub fn workloads(&self) -> impl Iterator<Item = &'static str> {
        self.cases.iter().map(|case| case.workload)
    }

    /// Adds a workload whose loop returns its answer.
    pub fn add<S: 'static, A: Answer + 'static>(
        &mut self,
        workload: &'static str,
        make: impl Fn() -> S + 'static,
        run: impl Fn(&mut S) -> A + Copy + 'static,
    ) {
        self.add_checked(workload, make, run, |_| ());
    }

    /// Adds a workload whose loop leaves its answer in the scene, where `check` finds it.
    pub fn add_checked<S: 'static, A: Answer + 'static, B: Answer + 'static>(
        &mut self,
        workload: &'static str,
        make: impl Fn() -> S + 'static,
        run: impl Fn(&mut S) -> A + Copy + 'static,
        check: impl Fn(&mut S) -> B + Copy + 'static,
    ) {
        self.add_case(workload, make, None::<fn(&mut S)>, run, check);
    }

    /// Adds a workload whose scene is prepared before each run, while the clock is stopped.
    pub fn add_prepared<S: 'static, A: Answer + 'static, B: Answer + 'static>(
        &mut self,
        workload: &'static str,
        make: impl Fn() -> S + 'static,
        prepare: impl Fn(&mut S) + Copy + 'static,
        run: impl Fn(&mut S) -> A + Copy + 'static,
        check: impl Fn(&mut S) -> B + Copy + 'static,
    ) {
        self.add_case(workload, make, Some(prepare), run, check);
    }

    /// Adds a workload whose scene is a type of its own.
    pub fn add_scene<S: Scene + 'static>(
        &mut self,
        workload: &'static str,
        make: impl Fn() -> S + 'static,
    ) {
        let make = move || -> Box<dyn Scene> { Box::new(make()) };
        self.cases.push(Case { workload, make: Box::new(make) });
    }

    fn add_case<S: 'static, A: Answer + 'static, B: Answer + 'static>(
        &mut self,
        workload: &'static str,
        make: impl Fn() -> S + 'static,
        prepare: Option<impl Fn(&mut S) + Copy + 'static>,
        run: impl Fn(&mut S) -> A + Copy + 'static,
        check: impl Fn(&mut S) -> B + Copy + 'static,
    ) {
        let make =
            move || -> Box<dyn Scene> { Box::new(Made { state: make(), prepare, run, check }) };
        self.cases.push(Case { workload, make: Box::new(make) });
    }
}

struct Made<S, P, R, C> {
    state: S,
    prepare: Option<P>,
    run: R,
    check: C,
}

impl<S, A, B, P, R, C> Scene for Made<S, P, R, C>
where
    A: Answer,
    B: Answer,
    P: Fn(&mut S),
    R: Fn(&mut S) -> A,
    C: Fn(&mut S) -> B,
{
    fn is_prepared(&self) -> bool {
        self.prepare.is_some()
    }

    fn prepare(&mut self) {
        if let Some(prepare) = &self.prepare {
            prepare(&mut self.state);
        }
    }

    fn run(&mut self) -> u64 {
        (self.run)(&mut self.state).bits()
    }

    fn check(&mut self) -> u64 {
        (self.check)(&mut self.state).bits()
    }
}

/// The result of a loop. Sums are of small whole numbers, so they are exact in any order.
pub trait Answer {
    /// The answer itself.
    fn bits(self) -> u64;
}

impl Answer for () {
    fn bits(self) -> u64 {
        0
    }
}

impl Answer for usize {
    fn bits(self) -> u64 {
        self as u64
    }
}

impl Answer for u64 {
    fn bits(self) -> u64 {
        self
    }
}

impl Answer for f32 {
    fn bits(self) -> u64 {
        f64::from(self).to_bits()
    }
}

impl Answer for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// Asserts that the libraries that do a workload have equal results, in a scene that is run, looked
/// at and run again. Returns their number.
#[cfg(test)]
pub(crate) fn assert_agreed(workload: &str, libraries: &[Library]) -> usize {
    let answers = |library: &Library| {
        let mut scene = library.case(workload)?.scene();
        scene.warm_up();
        scene.prepare();
        let answers = [scene.run(), scene.check()];
        scene.prepare();
        Some((library.name, answers, scene.run()))
    };
    let answers: Vec<_> = libraries.iter().filter_map(answers).collect();
    let agree = |a: &(_, _, _), b: &(_, _, _)| (a.1, a.2) == (b.1, b.2);
    assert!(answers.windows(2).all(|two| agree(&two[0], &two[1])), "{workload}: {answers:?}");
    answers.len()
}
