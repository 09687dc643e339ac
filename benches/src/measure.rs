//! Timing in turns.

use crate::library::{Kind, Library, PARTS, Parts, Scene};
use crate::workload::Workload;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The length of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of turns each library gets; the median counts.
    pub rounds: u32,
    /// Loops shorter than this are repeated within a turn. Zero: loops run once, and cold.
    pub least: Duration,
}

/// The time of one library for one workload, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Its number among the measured ones.
    pub index: usize,
    /// Its kind.
    pub kind: Kind,
    /// The median of all rounds, or of all frames if the workload is one.
    pub median: f64,
    /// The quickest round.
    pub least: f64,
    /// The slowest round.
    pub most: f64,
    /// The times of its frames, if the workload is one.
    pub frames: Option<FrameTimes>,
}

/// The times of all measured frames, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct FrameTimes {
    /// The median of each of their [`PARTS`].
    pub parts: [f64; PARTS.len()],
    /// The mean of all but the slowest twentieth. Unlike a median, it counts work that is done in every tenth frame.
    pub mean: f64,
}

impl FrameTimes {
    fn of(frames: &[Parts]) -> Option<Self> {
        let part = |part: usize| frames.iter().map(|frame| micros(frame[part])).collect();
        let mut sums = sums(frames);
        sums.sort_by(f64::total_cmp);
        sums.truncate(sums.len() - sums.len() / 20);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let mean = sums.iter().sum::<f64>() / sums.len() as f64;
        let parts = std::array::from_fn(|at| median(part(at)));
        (!frames.is_empty()).then_some(Self { parts, mean })
    }
}

fn sums(frames: &[Parts]) -> Vec<f64> {
    frames.iter().map(|frame| micros(frame.iter().sum())).collect()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The median of these, or zero if there are none.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    match samples.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => samples[middle],
        _ => f64::midpoint(samples[middle - 1], samples[middle]),
    }
}

/// All libraries' timings of one workload.
#[derive(Debug)]
pub struct Measured {
    /// The workload.
    pub workload: Workload,
    /// The times of the libraries that do it, in their order.
    pub timings: Vec<Timing>,
    /// The times of the workload that it is measured [beside](Workload::beside), in the same rounds.
    pub beside: Vec<Timing>,
    /// The libraries whose answer is not the first one's.
    pub disagreeing: Vec<&'static str>,
}

impl Measured {
    /// Returns the time of the library with this number in the workload beside this one.
    #[must_use]
    pub fn beside(&self, index: usize) -> Option<&Timing> {
        self.beside.iter().find(|timing| timing.index == index)
    }

    /// The timing of this library, if it was measured.
    #[must_use]
    pub fn of(&self, index: usize) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.index == index)
    }

    /// The least median of the libraries of these kinds.
    #[must_use]
    pub fn best(&self, kinds: &[Kind]) -> Option<f64> {
        let matching = self.timings.iter().filter(|timing| kinds.contains(&timing.kind));
        matching.map(|timing| timing.median).min_by(f64::total_cmp)
    }

    /// Returns one line to show progress.
    #[must_use]
    pub fn brief(&self) -> String {
        let medians: Vec<_> =
            self.timings.iter().map(|timing| format!("{:.4}", timing.median)).collect();
        let wrong = if self.disagreeing.is_empty() { "" } else { " ANSWERS DIFFER: " };
        format!("{} µs{wrong}{}", medians.join(", "), self.disagreeing.join(", "))
    }
}

struct Runner {
    index: usize,
    scene: Box<dyn Scene>,
    /// `true` if the clock stands between two runs.
    is_stopped: bool,
    is_after_work: bool,
    is_beside: bool,
    repeats: u32,
    samples: Vec<f64>,
    frames: Vec<Parts>,
}

impl Runner {
    fn new(index: usize, scene: Box<dyn Scene>, is_after_work: bool) -> Self {
        let is_stopped = scene.is_prepared() || is_after_work;
        Self {
            index,
            scene,
            is_stopped,
            is_after_work,
            is_beside: false,
            repeats: 1,
            samples: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// Finds how often the loop must run to take at least `least`, unless caches are to be cold.
    fn calibrate(&mut self, least: Duration) {
        if least.is_zero() {
            return;
        }
        while {
            self.warm_up();
            self.time() < least && self.repeats < 1 << 20
        } {
            self.repeats *= 2;
        }
    }

    /// A turn: the others have had the caches, so the loop runs once before the clock does.
    fn turn(&mut self, cold: bool) {
        if !cold {
            self.warm_up();
        }
        self.scene.take_frames(); // the results of the warm-up
        let micros = micros(self.time()) / f64::from(self.repeats);
        self.samples.push(micros);
        self.frames.extend(self.scene.take_frames());
    }

    /// Runs the loop once, unless it takes so long that it finds nothing warm in any case.
    fn warm_up(&mut self) {
        if self.samples.last().is_none_or(|&micros| micros < 50_000.0) {
            self.scene.prepare();
            black_box(self.scene.run());
        }
    }

    fn time(&mut self) -> Duration {
        if self.is_stopped {
            return (0..self.repeats).map(|_| self.time_once()).sum();
        }
        let start = Instant::now();
        for _ in 0..self.repeats {
            black_box(self.scene.run());
        }
        start.elapsed()
    }

    fn time_once(&mut self) -> Duration {
        self.scene.prepare();
        if self.is_after_work {
            let start = Instant::now();
            while start.elapsed() < OTHER_WORK {}
        }
        let start = Instant::now();
        black_box(self.scene.run());
        start.elapsed()
    }
}

/// So long something else is done.
const OTHER_WORK: Duration = Duration::from_millis(1);

/// The number of loops before the measurement in worlds as programs have them: they are in the state of long use.
const FIRST: u32 = 128;

/// Measures one workload with all libraries that do it, in turns.
#[must_use]
pub fn measure(workload: Workload, libraries: &[Library], effort: Effort) -> Measured {
    let mut runners = Vec::new();
    let mut answers = Vec::new();
    for (index, of) in libraries.iter().enumerate() {
        if let Some(case) = of.case(workload.name) {
            let mut scene = case.scene();
            scene.warm_up();
            scene.prepare();
            let mut answer = scene.run();
            if workload.is_of_worlds() && scene.take_frames().is_empty() {
                (1..FIRST).for_each(|_| answer = scene.run());
            }
            answers.push((of.name, answer, scene.check()));
            let is_after_work = workload.is_after_work();
            let runner = Runner::new(index, scene, is_after_work);
            if let Some(beside) = workload.beside().and_then(|name| of.case(name)) {
                let is_stopped = runner.is_stopped; // so that the clock takes as long
                let plain = Runner::new(index, beside.scene(), is_after_work);
                runners.push(Runner { is_stopped, is_beside: true, ..plain });
            }
            runners.push(runner);
        }
    }
    let right = answers.first().map(|&(_, answer, state)| (answer, state));
    let disagreeing = answers.iter().filter(|&&(_, answer, state)| Some((answer, state)) != right);
    let disagreeing = disagreeing.map(|&(name, ..)| name).collect();

    for runner in &mut runners {
        runner.calibrate(effort.least);
    }
    for round in 0..effort.rounds as usize {
        // The library after one that fills the caches finds them cold: not the same one each time.
        let count = runners.len();
        for turn in 0..count {
            runners[(round + turn) % count].turn(effort.least.is_zero());
        }
    }
    let (beside, own): (Vec<_>, Vec<_>) = runners.into_iter().partition(|it| it.is_beside);
    let [timings, beside] =
        [own, beside].map(|all| all.iter().map(|it| timing(it, libraries)).collect());
    Measured { workload, timings, beside, disagreeing }
}

fn timing(runner: &Runner, libraries: &[Library]) -> Timing {
    let Runner { samples, frames, .. } = runner;
    Timing {
        index: runner.index,
        kind: libraries[runner.index].kind,
        median: median(if frames.is_empty() { samples.clone() } else { sums(frames) }),
        least: samples.iter().copied().fold(f64::INFINITY, f64::min),
        most: samples.iter().copied().fold(0.0, f64::max),
        frames: FrameTimes::of(frames),
    }
}

/// Makes glibc's allocator keep freed memory, as it does in any program that has run for a while,
/// by freeing a block of its largest threshold. Before that, it returns blocks of 128 KiB and more
/// to the kernel, and fresh pages cost time, by chance.
pub fn settle_allocator() {
    drop(black_box(vec![1_u8; (32 << 20) - 8192]));
}

#[cfg(test)]
mod tests {
    use super::FrameTimes;
    use std::time::Duration;

    #[test]
    fn a_mean_of_frames_counts_rare_work_but_not_the_slowest_twentieth() {
        let frame = |at: u64| {
            let upkeep = if at.is_multiple_of(4) { 8 } else { 0 };
            let loops = if at == 39 { 1_000 } else { 2 };
            [1, upkeep, loops].map(Duration::from_micros)
        };
        let frames: Vec<_> = (0..40).map(frame).collect();
        let times = FrameTimes::of(&frames).expect("frames");
        let are = |times: &[f64], right: &[f64]| {
            times.iter().zip(right).all(|(time, right)| (time - right).abs() < 1e-9)
        };
        assert!(are(&times.parts, &[1.0, 0.0, 2.0]), "{times:?}");
        // Left out: the frame of 1,001 and one of the ten that take 11.
        assert!(are(&[times.mean], &[(29.0 * 3.0 + 9.0 * 11.0) / 38.0]), "{times:?}");
        assert!(FrameTimes::of(&[]).is_none());
    }
}
