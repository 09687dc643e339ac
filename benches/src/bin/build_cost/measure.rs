//! Builds a program and measures the build.

use crate::generate::{CHECKED, PROGRAMS, Program, QUERIES, components, manifest_of_components};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::cell::Cell;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The cost of building a program.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// CPU seconds of all its loops: optimised, not optimised, only checked.
    pub release: f64,
    pub dev: f64,
    pub check: f64,
    /// Bytes that a loop adds to the optimised program, without its symbols.
    pub bytes: f64,
    /// Lines of LLVM's language that a loop is, before it is optimised.
    pub lines: f64,
}

/// CPU seconds of checking systems, as functions and in a list.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// Seconds with new systems.
    pub new: [f64; 2],
    /// Seconds after another change.
    pub again: [f64; 2],
}

/// The cost of a component: CPU seconds, optimised and not, and bytes of the optimised program.
#[derive(Clone, Copy, Debug)]
pub struct ComponentCost {
    pub release: f64,
    pub dev: f64,
    pub bytes: f64,
}

/// The folder in which programs are built.
pub struct Builder {
    folder: PathBuf,
    ecs: PathBuf,
    /// The number of sources that were written.
    written: Cell<usize>,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

impl Builder {
    /// A folder in the workspace's own `target`.
    pub fn new() -> Result<Self> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let folder = workspace.join("target/build_cost");
        fs::create_dir_all(folder.join("src"))?;
        Ok(Self { folder, ecs: workspace.join("ecs"), written: Cell::new(0) })
    }

    /// CPU seconds of building a library from nothing, its derives included: optimised and not.
    pub fn library(&self, name: &str) -> Result<[f64; 2]> {
        let program = PROGRAMS.into_iter().find(|program| program.library == name);
        self.write(program.ok_or("no program has this library")?, 0)?;
        self.cargo(&["fetch"])?;
        let mut seconds = [0.0; 2];
        for (seconds, profile) in seconds.iter_mut().zip(["--release", "--profile=dev"]) {
            self.cargo(&["clean", "--quiet"])?;
            *seconds = self.cargo(&["build", "--quiet", profile, "--package", name])?;
        }
        Ok(seconds)
    }

    /// Returns the cost of the program's loops: the median of `rounds` builds.
    pub fn measure(&self, program: Program, rounds: u32) -> Result<Cost> {
        let mut costs = [(); 3].map(|()| Vec::new());
        let builds = [&["build", "--release"][..], &["build"], &["check"]];
        for (build, costs) in builds.into_iter().zip(&mut costs) {
            let seconds = |queries| {
                self.write(program, queries)?;
                self.cargo(&[build, &["--quiet"]].concat())
            };
            seconds(0)?; // builds its dependencies, too
            for _ in 0..rounds {
                let without = seconds(0)?;
                costs.push(seconds(QUERIES)? - without);
            }
        }
        let [release, dev, check] = costs.map(median);
        // The first query compiles the parts of the library that the others share.
        let a_further_query = |all: fn(&Self) -> Result<f64>| -> Result<f64> {
            let [mut first, mut with] = [0.0; 2];
            for (queries, amount) in [(1, &mut first), (QUERIES, &mut with)] {
                self.write(program, queries)?;
                *amount = all(self)?;
            }
            Ok((with - first) / 99.0)
        };
        Ok(Cost {
            release,
            dev,
            check,
            bytes: a_further_query(Self::bytes)?,
            lines: a_further_query(Self::lines)?,
        })
    }

    /// Returns the cost of checking a list, beside checking its systems: the median of `rounds` checks.
    pub fn check_lists(&self, rounds: u32) -> Result<Checked> {
        let [mut new, mut again] = [(); 2].map(|()| [(); 2].map(|()| Vec::new()));
        for _ in 0..rounds {
            for (at, program) in CHECKED.into_iter().enumerate() {
                let seconds = |queries| {
                    self.write(program, queries)?;
                    self.cargo(&["check", "--quiet"])
                };
                seconds(0)?;
                new[at].push(seconds(QUERIES)?);
                again[at].push(seconds(QUERIES)?); // only the mark is another one
            }
        }
        Ok(Checked { new: new.map(median), again: again.map(median) })
    }

    /// Returns the costs of a saved component and of another one.
    pub fn components(&self, rounds: u32) -> Result<[ComponentCost; 2]> {
        Ok([self.component(true, rounds)?, self.component(false, rounds)?])
    }

    /// Returns the cost of a component: a fortieth of the difference between programs of 44 and 4, as the median of `rounds`
    /// builds.
    fn component(&self, are_saved: bool, rounds: u32) -> Result<ComponentCost> {
        let (few, many) = (4, 44);
        let manifest = manifest_of_components(&self.ecs.display().to_string());
        let write =
            |count| self.write_source(&manifest, &|mark| components(count, are_saved, mark));
        let [release, dev] = ["--release", "--profile=dev"].map(|profile| -> Result<f64> {
            let seconds = |count| {
                write(count)?;
                self.cargo(&["build", "--quiet", profile])
            };
            seconds(few)?; // builds its dependencies, too
            let mut all = Vec::new();
            for _ in 0..rounds {
                let less = seconds(few)?;
                all.push((seconds(many)? - less) / 40.0);
            }
            Ok(median(all))
        });
        let [less, more] = [few, many].map(|count| write(count).and_then(|()| self.bytes()));
        Ok(ComponentCost { release: release?, dev: dev?, bytes: (more? - less?) / 40.0 })
    }

    fn write(&self, program: Program, queries: usize) -> Result<()> {
        let manifest = program.manifest(&self.ecs.display().to_string());
        self.write_source(&manifest, &|mark| program.source(queries, mark))
    }

    /// Writes a program; `source` gets a mark that makes it another file each time.
    fn write_source(&self, manifest: &str, source: &dyn Fn(usize) -> String) -> Result<()> {
        let path = self.folder.join("Cargo.toml");
        if fs::read_to_string(&path).ok().as_deref() != Some(manifest) {
            fs::write(&path, manifest)?;
            // So that versions are the workspace's.
            fs::copy(self.ecs.join("../Cargo.lock"), self.folder.join("Cargo.lock"))?;
        }
        self.written.set(self.written.get() + 1);
        fs::write(self.folder.join("src/main.rs"), source(self.written.get()))?;
        Ok(())
    }

    /// Runs a command of cargo. Returns the CPU seconds of it and of all processes that it starts.
    fn cargo(&self, arguments: &[&str]) -> Result<f64> {
        let before = spent()?;
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.folder);
        // These variables are of the workspace's program, not of this one.
        for variable in [
            "CARGO_TARGET_DIR",
            "RUSTFLAGS",
            "CARGO_MANIFEST_DIR",
            "CARGO_INCREMENTAL",
            "CARGO_PROFILE_DEV_CODEGEN_UNITS",
            "CARGO_PROFILE_DEV_DEBUG",
        ] {
            command.env_remove(variable);
        }
        // Profiles are cargo's own, whatever the workspace has for its tests.
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for variable in names.filter(|name| name.starts_with("CARGO_PROFILE_")) {
            command.env_remove(variable);
        }
        let status = command.env("CARGO_TARGET_DIR", "target").status()?;
        if !status.success() {
            return Err(format!("cargo {}: {status}", arguments.join(" ")).into());
        }
        Ok(spent()? - before)
    }

    /// The size of the optimised program.
    #[expect(clippy::cast_precision_loss, reason = "some megabytes")]
    fn bytes(&self) -> Result<f64> {
        self.cargo(&["build", "--quiet", "--release"])?;
        Ok(fs::metadata(self.folder.join("target/release/build_cost"))?.len() as f64)
    }

    /// The lines of its functions as rustc hands them to LLVM.
    #[expect(clippy::cast_precision_loss, reason = "some millions")]
    fn lines(&self) -> Result<f64> {
        let emitted = self.folder.join("target/release/build_cost.ll");
        let emit = format!("--emit=llvm-ir={}", emitted.display());
        let options = [emit.as_str(), "-Cno-prepopulate-passes", "-Ccodegen-units=1"];
        self.cargo(&[&["rustc", "--quiet", "--release", "--"], &options[..]].concat())?;
        let text = fs::read_to_string(emitted)?;
        Ok(text.lines().filter(|line| line.starts_with("  ")).count() as f64)
    }
}

fn median(mut costs: Vec<f64>) -> f64 {
    costs.sort_by(f64::total_cmp);
    costs[costs.len() / 2]
}

/// The CPU seconds of all processes that were started and have ended.
#[expect(clippy::cast_precision_loss, reason = "microseconds of some minutes")]
fn spent() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(micros as f64 / 1e6)
}
