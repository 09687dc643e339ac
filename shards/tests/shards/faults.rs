//! Ranks that panic, end or send wrong messages, and runs that go on from a checkpoint.
//!
//! With `ECS_HISTORIES`, a rank dies after each number of exchanges, else after each third one.

use crate::run::Stripe;
use ecs::{Component, World};
use ecs_shards::{Channels, Identity, ShardError, Shards, Transport};
use serde::{Deserialize, Serialize, Serializer, ser::Error as _};
use std::path::Path;
use std::{env, fs};

const PEOPLE: u32 = 500;

/// A fault in the messages of a rank.
type Fault = fn(&mut Vec<(usize, Vec<u8>)>);

/// A rank that does something with its messages, once it has made some exchanges.
struct Faulty<'c> {
    channels: &'c mut Channels,
    /// The exchanges until then.
    left: usize,
    fault: Fault,
}

impl Transport for Faulty<'_> {
    fn rank(&self) -> usize {
        self.channels.rank()
    }

    fn ranks(&self) -> usize {
        self.channels.ranks()
    }

    fn exchange(
        &mut self,
        mut outgoing: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, ShardError> {
        if self.left == 0 {
            (self.fault)(&mut outgoing);
        }
        self.left = self.left.wrapping_sub(1);
        self.channels.exchange(outgoing, from)
    }
}

/// Runs the epidemic on three ranks; the second fails after this many exchanges.
fn fail(
    left: usize,
    fault: Fault,
    steps: u32,
    folder: Option<&Path>,
) -> Result<Vec<Vec<String>>, ShardError> {
    Channels::run(3, |channels| {
        let left = if channels.rank() == 1 { left } else { usize::MAX };
        let mut stripe = Stripe::new(Faulty { channels, left, fault }, PEOPLE, 1)?;
        if let Some(folder) = folder {
            stripe.shards.load_last(&mut stripe.world, folder)?;
        }
        stripe.run(steps, folder)
    })
}

fn die(_: &mut Vec<(usize, Vec<u8>)>) {
    panic!("the power is out");
}

fn expected(steps: u32) -> Vec<String> {
    fail(usize::MAX, die, steps, None).unwrap().swap_remove(0)
}

#[test]
fn a_panic_on_one_rank_ends_all_with_its_message() {
    for left in [0, 5, 30] {
        let error = fail(left, die, 100, None).unwrap_err();
        let what = "the power is out".to_owned();
        assert_eq!(error, ShardError::Failed { rank: 1, what });
    }
}

#[test]
fn a_rank_that_returns_early_ends_all_with_its_number() {
    for ranks in [2, 3, 4, 5] {
        for (early, after) in (0..ranks).flat_map(|early| [(early, 0), (early, 1), (early, 3)]) {
            let run = Channels::run(ranks, |channels| {
                let mut world = World::new();
                let mut shards = Shards::new(channels, &mut world)?;
                for step in 0..6 {
                    if shards.rank() == early && step == after {
                        return Ok(());
                    }
                    if step % 2 == 0 {
                        shards.reduce(1, |a, b| a + b)?;
                    } else {
                        shards.migrate::<Identity>(&mut world, |_| 0)?;
                    }
                }
                Ok(())
            });
            let error = run.unwrap_err();
            let ShardError::Failed { rank, what } = &error else { panic!("{error}") };
            assert_eq!(*rank, early, "of {ranks}: {error}");
            assert!(what.starts_with("it returned while rank "), "{error}");
        }
    }
}

#[test]
fn a_rank_that_waits_for_itself_is_an_error() {
    let error = Channels::run(2, |channels| {
        let own = channels.rank();
        let sent = channels.exchange(vec![(own, vec![7])], &[own])?;
        assert_eq!(sent, [[7]]);
        channels.exchange(Vec::new(), &[own])
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("ended before it sent its message"), "{error}");
}

#[test]
fn a_malformed_message_is_refused() {
    let faults: [Fault; 3] = [
        |messages| {
            for (_, bytes) in messages {
                let at = bytes.len() / 2;
                bytes[at] ^= 1;
            }
        },
        |messages| messages.iter_mut().for_each(|(_, bytes)| bytes.truncate(3)),
        |messages| messages.iter_mut().for_each(|(_, bytes)| *bytes = b"hello, world".to_vec()),
    ];
    for fault in faults {
        // Not every exchange of a rank sends something.
        let errors = (2..10).filter_map(|left| fail(left, fault, 10, None).err());
        let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
        assert!(errors.len() > 4, "{errors:?}");
        for error in errors {
            assert!(error.contains("refused a message from rank 1"), "{error}");
        }
    }
}

/// Changes a message, and makes its checksum fit again.
fn forge(bytes: &mut Vec<u8>, change: impl FnOnce(&mut Vec<u8>)) {
    bytes.truncate(bytes.len() - 4);
    change(bytes);
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
}

#[test]
fn a_message_with_the_values_of_more_or_fewer_ranks_is_refused() {
    /// Returns the first error of three ranks that make their shards; one forges its messages.
    fn refusal(forger: usize, left: usize, fault: Fault) -> String {
        let run = Channels::run(3, |channels| {
            let left = if channels.rank() == forger { left } else { usize::MAX };
            Shards::new(Faulty { channels, left, fault }, &mut World::new()).map(drop)
        });
        run.unwrap_err().to_string()
    }
    // Behind the kind and the call comes the count of values.
    let none: Fault = |messages| {
        for (_, bytes) in messages {
            forge(bytes, |bytes| {
                bytes.truncate(2);
                bytes.push(0);
            });
        }
    };
    let twice: Fault = |messages| {
        for (_, bytes) in messages {
            forge(bytes, |bytes| {
                assert_eq!(bytes[2], 1);
                bytes[2] = 2;
                bytes.extend_from_within(3..);
            });
        }
    };
    let error = refusal(1, 0, twice);
    assert!(error.ends_with("rank 1: it has the values of 2 ranks instead of 1"), "{error}");
    let error = refusal(1, 0, none);
    assert!(error.ends_with("rank 1: it has the values of 0 ranks instead of 1"), "{error}");
    let error = refusal(0, 2, none);
    assert!(error.ends_with("rank 0: it has the values of 0 ranks instead of 3"), "{error}");
}

#[test]
fn a_change_set_that_does_not_follow_on_the_last_one_is_refused() {
    let fault: Fault = |messages| {
        for (_, bytes) in messages {
            let Some(at) = bytes.windows(3).position(|three| three == b"ecs") else { continue };
            forge(bytes, |bytes| bytes[at + 5] = 99); // the number of the set
        }
    };
    let errors = (0..12).filter_map(|left| fail(left, fault, 10, None).err());
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    for what in ["its ghosts do not follow on the last ones", "its components follow on others"] {
        let what = format!("refused a message from rank 1: {what}");
        assert!(errors.iter().any(|error| error.contains(&what)), "{errors:?}");
    }
}

#[test]
fn ranks_that_make_other_calls_are_refused() {
    let error = Channels::run(2, |channels| {
        let mut world = World::new();
        let mut shards = Shards::new(channels, &mut world)?;
        if shards.rank() == 0 {
            shards.migrate::<Identity>(&mut world, |_| 0).map(drop)
        } else {
            shards.show_ghosts::<Identity>(&mut world);
            shards.refresh(&mut world, |_, _| {})
        }
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("all ranks must make the same collective calls"), "{error}");
}

#[test]
fn a_run_goes_on_from_its_last_checkpoint() {
    let expected = expected(60);
    let folder = tempfile::tempdir().unwrap();
    assert!(fail(100, die, 60, Some(folder.path())).is_err());
    let lines = fail(usize::MAX, die, 60, Some(folder.path())).unwrap().swap_remove(0);
    assert!((1..6).contains(&lines.len()), "it went on in the middle: {lines:?}");
    assert_eq!(lines, expected[6 - lines.len()..]);
}

#[test]
fn a_checkpoint_is_complete_or_absent_whenever_a_rank_dies() {
    let expected = expected(20);
    let mut went_on_from = [0; 3];
    let every = env::var("ECS_HISTORIES").map_or(3, |_| 1);
    for left in (0..).step_by(every) {
        let folder = tempfile::tempdir().unwrap();
        let first = fail(left, die, 20, Some(folder.path()));
        let lines = fail(usize::MAX, die, 20, Some(folder.path())).unwrap().swap_remove(0);
        assert_eq!(lines, expected[2 - lines.len()..], "after {left} exchanges");
        went_on_from[2 - lines.len()] += 1;
        let entries: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(entries, ["20"], "others are deleted");
        if first.is_ok() {
            break;
        }
    }
    assert!(went_on_from.iter().all(|count| *count > 0), "{went_on_from:?}");
}

#[test]
fn checkpoints_of_other_runs_and_broken_ones_are_refused() {
    let load = |ranks: usize, folder: &Path| {
        let loaded = Channels::run(ranks, |channels| {
            let mut stripe = Stripe::new(channels, PEOPLE, 1)?;
            stripe.shards.load_last(&mut stripe.world, folder)
        });
        loaded.map(|steps| steps[0])
    };
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(load(3, &folder.path().join("none")), Ok(None));
    assert_eq!(load(3, folder.path()), Ok(None));
    fail(usize::MAX, die, 10, Some(folder.path())).unwrap();
    fs::create_dir(folder.path().join("20.partial")).unwrap();
    assert_eq!(load(3, folder.path()), Ok(Some(10)));
    let error = load(2, folder.path()).unwrap_err().to_string();
    assert!(error.contains("it has 3 worlds, and there are 2 ranks"), "{error}");
    let file = folder.path().join("10/2");
    let mut bytes = fs::read(&file).unwrap();
    bytes[100] ^= 1;
    fs::write(&file, bytes).unwrap();
    let error = load(3, folder.path()).unwrap_err().to_string();
    assert!(error.contains("10/2: its checksum is wrong"), "{error}");
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_an_error_on_all_ranks() {
    let folder = tempfile::NamedTempFile::new().unwrap(); // a file, where no folder can be
    let errors = Channels::run(2, |channels| {
        let mut world = World::new();
        let mut shards = Shards::new(channels, &mut world)?;
        Ok(shards.save(&world, folder.path(), 1).unwrap_err().to_string())
    });
    let errors = errors.unwrap();
    assert!(errors[0] == errors[1] && errors[0].starts_with("checkpoint "), "{errors:?}");
}

/// A component whose values cannot be written.
#[derive(Component, Deserialize)]
#[component(save = "secret")]
struct Secret;

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("it is secret"))
    }
}

#[test]
fn a_rank_that_cannot_be_saved_leaves_no_checkpoint_on_any() {
    let folder = tempfile::tempdir().unwrap();
    let errors = Channels::run(3, |channels| {
        let mut world = World::new();
        world.register::<Secret>();
        let mut shards = Shards::new(channels, &mut world)?;
        shards.save(&world, folder.path(), 1)?;
        if shards.rank() == 2 {
            world.spawn(Secret);
        }
        let error = shards.save(&world, folder.path(), 2).unwrap_err().to_string();
        assert_eq!(shards.load_last(&mut world, folder.path()), Ok(Some(1)));
        Ok(error)
    });
    let errors = errors.unwrap();
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    assert!(
        errors[0].contains("2.partial/2: ") && errors[0].contains("it is secret"),
        "{errors:?}"
    );
}
