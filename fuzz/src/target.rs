//! Parts of all fuzzers: `ECS_FUZZ` names the target that libFuzzer calls with the bytes it makes.

use crate::mutate::Mutate;
use crate::numbers::Random;
use std::sync::LazyLock;
use std::{env, fs};

/// A function that may be called with any bytes, and how to find some that reach far into it.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
    pub mutate: Mutate,
}

/// The target that was asked for, and its seeds.
pub struct Chosen {
    pub target: &'static Target,
    seeds: LazyLock<Vec<Vec<u8>>>,
}

impl Chosen {
    pub fn of(targets: &'static [Target]) -> Self {
        let name = env::var("ECS_FUZZ").expect("ECS_FUZZ names a target");
        let target = targets.iter().find(|target| target.name == name).expect("a target");
        Self { target, seeds: LazyLock::new(target.seeds) }
    }

    /// Writes the seeds into a folder that libFuzzer reads next.
    pub fn write_seeds(&self) {
        let Ok(folder) = env::var("ECS_FUZZ_SEEDS") else { return };
        for (at, seed) in self.seeds.iter().enumerate() {
            fs::write(format!("{folder}/seed-{at}"), seed).unwrap();
        }
    }

    pub fn mutate(&self, bytes: &mut [u8], len: usize, most: usize, seed: u32) -> usize {
        (self.target.mutate)(bytes, len, most, &self.seeds, &mut Random(seed.into()))
    }
}

/// Makes these targets a program that libFuzzer drives.
macro_rules! fuzz {
    ($($name:literal: $run:path, $seeds:expr, $mutate:path;)*) => {
        const TARGETS: &[target::Target] = &[
            $(target::Target { name: $name, run: $run, seeds: $seeds, mutate: $mutate }),*
        ];

        static CHOSEN: std::sync::LazyLock<target::Chosen> =
            std::sync::LazyLock::new(|| target::Chosen::of(TARGETS));

        libfuzzer_sys::fuzz_target!(
            init: CHOSEN.write_seeds(),
            |bytes: &[u8]| (CHOSEN.target.run)(bytes)
        );
        libfuzzer_sys::fuzz_mutator!(|bytes: &mut [u8], len: usize, most: usize, seed: u32| {
            CHOSEN.mutate(bytes, len, most, seed)
        });
    };
}
pub(crate) use fuzz;
