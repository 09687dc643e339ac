
/// The names that replaced function bodies need.
pub(crate) mod mutated {
    extern crate std;
    pub(crate) use std::prelude::rust_2024::*;
    pub(crate) use std::vec;
}

static SEEDED: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(u32::MAX);

/// Returns `true` if `ECS_BUG` is this number.
#[inline]
pub(crate) fn seeded(number: u32) -> bool {
    let chosen = SEEDED.load(core::sync::atomic::Ordering::Relaxed);
    if chosen == u32::MAX { choose(number) } else { chosen == number }
}

/// Reads the environment. With `ECS_REACHED`, appends each number and the test that reaches it to that file.
#[cold]
#[inline(never)]
fn choose(number: u32) -> bool {
    extern crate std;
    use std::io::Write;
    static REACHED: std::sync::OnceLock<Option<std::ffi::OsString>> = std::sync::OnceLock::new();
    std::thread_local! {
        static SEEN: [std::cell::Cell<bool>; 1 << 14] = const { [const { std::cell::Cell::new(false) }; 1 << 14] };
    }
    let Some(file) = REACHED.get_or_init(|| std::env::var_os("ECS_REACHED")) else {
        let chosen = std::env::var("ECS_BUG").ok().and_then(|bug| bug.parse().ok()).unwrap_or(0);
        SEEDED.store(chosen, core::sync::atomic::Ordering::Relaxed);
        return chosen == number;
    };
    if SEEN.try_with(|seen| !seen[number as usize].replace(true)).unwrap_or(false) {
        let thread = std::thread::current();
        // Not on the heap: tests count allocations.
        let mut line = [0; 512];
        let mut rest = &mut line[..];
        writeln!(rest, "{number} {}", thread.name().unwrap_or("")).expect("a short name");
        let len = 512 - rest.len();
        let file = std::fs::OpenOptions::new().append(true).create(true).open(file);
        file.and_then(|mut file| file.write_all(&line[..len])).expect("the file of what is reached");
    }
    false
}
