//! The times of frames: a frame ends whenever the world is served.

use crate::protocol::Schedules;
use ecs::inspect::TimeStats;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The number of the longest frames that are kept, and of the last ones.
const WORST: usize = 8;
const LAST: usize = 128;

/// A system of a schedule.
#[derive(Debug, PartialEq)]
struct System {
    schedule: String,
    name: &'static str,
}

/// A frame: its number, its end, and the time of each system.
#[derive(Clone, Debug)]
struct Frame {
    number: u64,
    ended: Instant,
    took: Duration,
    systems: Vec<Duration>,
}

/// The times of all frames since the schedules got their present systems.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    systems: Vec<System>,
    /// The runs of each system until the last frame, and their time.
    until: Vec<(u64, Duration)>,
    /// The times of each system in the frames that ran it, and of whole frames.
    stats: Vec<TimeStats>,
    whole: TimeStats,
    /// The number of the last frame.
    number: u64,
    /// The longest frames, the longest first, and the last frames, the last at the end.
    worst: Vec<Frame>,
    last: VecDeque<Frame>,
}

impl Frames {
    /// Notes a frame, from the times of timed schedules. O(systems).
    pub(crate) fn note(&mut self, schedules: Schedules<'_>) {
        let all = || {
            schedules.iter().flat_map(|(schedule, systems)| {
                systems.time_stats().map(move |(name, stats)| (*schedule, name, stats))
            })
        };
        let is_same = all()
            .map(|(schedule, name, _)| (schedule, name))
            .eq(self.systems.iter().map(|it| (&*it.schedule, it.name)));
        if !is_same {
            let system =
                |(schedule, name, _): (&str, _, _)| System { schedule: schedule.into(), name };
            self.systems = all().map(system).collect();
            self.until = vec![(0, Duration::ZERO); self.systems.len()];
            self.forget();
        }
        let mut systems = Vec::with_capacity(self.systems.len());
        let mut has_run = false;
        for (at, (_, _, stats)) in all().enumerate() {
            let (runs, total) =
                std::mem::replace(&mut self.until[at], (stats.runs(), stats.total()));
            // A schedule that is timed anew begins at zero.
            let is_on = stats.runs() > runs;
            let took = if is_on { stats.total().saturating_sub(total) } else { Duration::ZERO };
            has_run |= is_on;
            if is_on && is_same {
                self.stats[at].add(took);
            }
            systems.push(took);
        }
        // The first look at systems shows the time of all their runs before.
        if !has_run || !is_same {
            return;
        }
        self.number += 1;
        let took = systems.iter().sum();
        self.whole.add(took);
        let frame = Frame { number: self.number, ended: Instant::now(), took, systems };
        let place = self.worst.partition_point(|it| it.took >= took);
        if place < WORST {
            self.worst.truncate(WORST - 1);
            self.worst.insert(place, frame.clone());
        }
        self.last.push_back(frame);
        if self.last.len() > LAST {
            self.last.pop_front();
        }
    }

    /// Forgets all frames.
    pub(crate) fn forget(&mut self) {
        self.stats = vec![TimeStats::default(); self.systems.len()];
        self.whole = TimeStats::default();
        self.worst.clear();
        self.last.clear();
    }

    /// Returns all times in microseconds, with the frames after the one of this number.
    pub(crate) fn describe(&self, after: u64) -> Value {
        let stats = |it: &TimeStats| {
            json!({
                "runs": it.runs(),
                "mean": micros(it.mean()),
                "p99": micros(it.percentile(99.0)),
                "most": micros(it.most()),
            })
        };
        let systems = self.systems.iter().zip(&self.stats).map(|(system, times)| {
            let mut json = stats(times);
            json["schedule"] = json!(system.schedule);
            json["name"] = json!(system.name);
            json
        });
        let frame = |it: &Frame| {
            json!({
                "number": it.number,
                "seconds_ago": it.ended.elapsed().as_secs_f64(),
                "micros": micros(it.took),
                "systems": it.systems.iter().map(|took| micros(*took)).collect::<Vec<f64>>(),
            })
        };
        let last = self.last.iter().filter(|it| it.number > after);
        json!({
            "frames": stats(&self.whole),
            "systems": systems.collect::<Vec<Value>>(),
            "worst": self.worst.iter().map(frame).collect::<Vec<Value>>(),
            "last": last.map(frame).collect::<Vec<Value>>(),
        })
    }
}

/// Returns microseconds, to a tenth.
fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use ecs::{Schedule, World};
    use std::cell::Cell;
    use std::thread::sleep;

    thread_local! {
        /// Milliseconds that the next run takes.
        static PAUSE: Cell<u64> = const { Cell::new(0) };
    }

    fn slow(_: &mut World) {
        sleep(Duration::from_millis(PAUSE.take()));
    }

    fn quick(_: &mut World) {}

    #[test]
    fn the_longest_frame_is_kept_with_the_times_of_its_systems() {
        let mut schedule = Schedule::new().add(quick).add(slow);
        schedule.set_timed(true);
        let (mut world, mut frames) = (World::new(), Frames::default());
        for frame in 0..300 {
            // The fixed steps of a frame are several runs.
            PAUSE.set(if frame == 60 { 20 } else { 0 });
            schedule.run(&mut world).unwrap();
            PAUSE.set(if frame == 60 { 25 } else { 0 });
            schedule.run(&mut world).unwrap();
            frames.note(&[("steps", &schedule)]);
        }
        let all = frames.describe(290);
        assert_eq!(
            (&all["frames"]["runs"], all["last"].as_array().unwrap().len()),
            (&json!(299), 9)
        );
        // The first one was not counted.
        let worst = all["worst"].as_array().unwrap().iter().find(|it| it["number"] == 60).unwrap();
        assert!(worst["micros"].as_f64() >= Some(45_000.0), "{worst}");
        let systems = worst["systems"].as_array().unwrap();
        assert!(systems[1].as_f64() >= Some(45_000.0), "{worst}");
        assert_eq!(all["systems"][1]["name"], "slow");
        assert_eq!(all["systems"][1]["schedule"], "steps");
        assert!(all["systems"][1]["most"].as_f64() >= Some(45_000.0));
        assert_eq!(all["worst"].as_array().unwrap().len(), WORST);
        frames.forget();
        assert_eq!(frames.describe(0)["worst"], json!([]));
    }

    #[test]
    fn frames_without_a_run_and_frames_of_other_systems_do_not_count() {
        let mut schedule = Schedule::new().add(quick);
        schedule.set_timed(true);
        let (mut world, mut frames) = (World::new(), Frames::default());
        let run = |schedule: &mut Schedule, world: &mut World, frames: &mut Frames| {
            schedule.run(world).unwrap();
            frames.note(&[("a", schedule)]);
        };
        (0..5).for_each(|_| run(&mut schedule, &mut world, &mut frames));
        frames.note(&[("a", &schedule)]);
        assert_eq!(frames.describe(0)["frames"]["runs"], 4);
        let mut other = Schedule::new().add(quick).add(quick);
        other.set_timed(true);
        (0..3).for_each(|_| run(&mut other, &mut world, &mut frames));
        let all = frames.describe(0);
        assert_eq!(
            (&all["frames"]["runs"], all["systems"].as_array().unwrap().len()),
            (&json!(2), 2)
        );
        schedule.set_timed(false);
        frames.note(&[("a", &schedule)]);
        assert_eq!(frames.describe(0)["systems"], json!([]));
    }
}
