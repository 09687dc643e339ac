//! The machine, the time and the versions of a measurement.

use crate::library::Library;
use crate::measure::Effort;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Instant, SystemTime};

/// The head of the table of a program that measures libraries, or whatever it calls them: date,
/// processor, compiler, versions, command.
#[must_use]
pub fn describe(
    program: &str,
    called: &str,
    libraries: &[Library],
    effort: Effort,
) -> Vec<(&'static str, String)> {
    let mut packages: Vec<_> = libraries.iter().filter_map(|library| library.package).collect();
    packages.dedup();
    let mut facts = facts(program, &packages);
    facts.push(("rounds", rounds(called, effort)));
    facts
}

/// Returns the machine, the time and the versions of a program that measures these packages.
#[must_use]
pub fn facts(program: &str, packages: &[&'static str]) -> Vec<(&'static str, String)> {
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let features = if cfg!(feature = "peers") { " --features peers" } else { "" };
    let arguments: Vec<_> = env::args().skip(1).collect();
    let separator = if arguments.is_empty() { "" } else { " -- " };
    vec![
        ("date", date),
        ("processor", processor()),
        ("compiler", compiler()),
        ("versions", versions(packages).join(", ")),
        (
            "command",
            format!(
                "`cargo run{} -p ecs_benches{features} --bin {program}{separator}{}`",
                profile(),
                arguments.join(" ")
            ),
        ),
    ]
}

/// Returns the profile of this program, which is the name of its folder.
fn profile() -> String {
    let program = env::current_exe().unwrap_or_default();
    let folder = program.parent().and_then(Path::file_name).unwrap_or_default();
    match folder.to_str() {
        Some("release") => " --release".into(),
        Some("debug") | None => String::new(),
        Some(profile) => format!(" --profile {profile}"),
    }
}

fn rounds(called: &str, effort: Effort) -> String {
    let caches = if effort.least.is_zero() { "cold" } else { "warmed by a run before each" };
    format!("median of {}, every round visits each {called} once, caches {caches}", effort.rounds)
}

fn processor() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or(env::consts::ARCH, |line| line.trim_start_matches([' ', '\t', ':']));
    format!("{model}, {cores} cores, {}", env::consts::OS)
}

/// Returns the version of the compiler.
#[must_use]
pub fn compiler() -> String {
    let rustc = Command::new("rustc").arg("--version").output();
    let version = rustc.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "unknown".into(), |version| version.trim().into())
}

/// The versions of packages, from the lock file.
fn versions(packages: &[&'static str]) -> Vec<String> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut locks = above.map(|folder| fs::read_to_string(folder.join("Cargo.lock")));
    let lock = locks.find_map(Result::ok).unwrap_or_default();
    let version = |package| {
        let name = format!("name = \"{package}\"\nversion = \"");
        let version = lock.split_once(&name).and_then(|(_, rest)| rest.split('"').next());
        format!("{package} {}", version.unwrap_or("?"))
    };
    packages.iter().map(version).collect()
}

/// The load of other programs during a run.
#[derive(Debug)]
pub struct Others {
    begin: Instant,
    load: String,
    spent: f64,
}

impl Others {
    /// From now on.
    #[must_use]
    pub fn begin() -> Self {
        Self { begin: Instant::now(), load: load(), spent: spent_by_others() }
    }

    /// In words, up to now.
    #[must_use]
    pub fn told(&self) -> String {
        let busy = (spent_by_others() - self.spent) / self.begin.elapsed().as_secs_f64();
        format!(
            "{busy:.2} cores on average; load of a minute, this program included: {} at first, {} at the end",
            self.load,
            load()
        )
    }
}

/// Returns the number of processes that ran or waited for a core, on the average of a minute.
fn load() -> String {
    let averages = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    averages.split(' ').next().unwrap_or_default().into()
}

/// Returns CPU seconds of all programs but this one, since the machine started; zero where the system does not report
/// them.
#[expect(clippy::cast_precision_loss, reason = "microseconds of some minutes")]
fn spent_by_others() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks = stat.lines().next().unwrap_or_default().split_whitespace().skip(1);
    let ticks: Vec<f64> = ticks.map_while(|number| number.parse().ok()).collect();
    // For users, nice ones, the kernel, (idle, waiting for a disk,) interrupts of both kinds, other machines on this one.
    let [user, nice, kernel, _, _, hard, soft, stolen, ..] = ticks[..] else { return 0.0 };
    let all = (user + nice + kernel + hard + soft + stolen) / TICKS_A_SECOND;
    let own = getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| {
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds()
    });
    all - own as f64 / 1e6
}
