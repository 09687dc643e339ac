use crate::fixtures::panics;
use ecs::{Component, EventCursor, Events, Local, Resource, Schedule, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the events that a reader reads, and how many it missed.
fn read(events: &Events<u32>, seen: &mut EventCursor) -> (Vec<u32>, u64) {
    let unread = events.read(seen);
    let missed = unread.missed();
    (unread.copied().collect(), missed)
}

#[test]
fn readers_miss_nothing_in_any_order_of_turns() {
    // Between two updates, each reader reads once: at any time among the senders.
    for turns in 0..4_u32.pow(5) {
        let (mut events, mut sent) = (Events::new(), Vec::new());
        let mut seen = [EventCursor::default(), EventCursor::default()];
        let mut got = [vec![], vec![]];
        for frame in 0..5 {
            let turn = turns / 4_u32.pow(frame) % 4;
            for at in 0..4 {
                for reader in 0..2 {
                    if at == (turn + reader * (frame % 3)) % 4 {
                        let reader = reader as usize;
                        let (new, missed) = read(&events, &mut seen[reader]);
                        got[reader].extend(new);
                        assert_eq!(missed, 0);
                    }
                }
                events.send(frame * 4 + at);
                sent.push(frame * 4 + at);
            }
            events.update();
        }
        for (got, seen) in got.iter_mut().zip(&mut seen) {
            got.extend(read(&events, seen).0);
            assert_eq!(*got, sent);
        }
    }
}

#[test]
fn events_last_until_the_second_update() {
    let mut events = Events::new();
    events.send(1);
    events.update();
    events.extend([2, 3]);
    assert!(events.iter_kept().eq(&[1, 2, 3]) && events.len() == 3);
    events.update();
    assert!(events.iter_kept().eq(&[2, 3]));
    events.update();
    assert!(events.is_empty());
    events.update();
    events.send(4);
    assert_eq!(format!("{events:?}"), "[4]");
}

#[test]
fn a_loop_in_each_frame_handles_each_event_once() {
    fn update(hits: &mut Events<u32>) {
        hits.update();
    }
    fn before(hits: &Events<u32>, mut seen: Local<EventCursor>, handled: &mut Handled) {
        for hit in hits.read(&mut seen) {
            handled.before.push(*hit);
        }
    }
    fn send(hits: &mut Events<u32>, mut sent: Local<u32>) {
        hits.send(*sent);
        *sent += 1;
    }
    fn behind(hits: &Events<u32>, mut seen: Local<EventCursor>, handled: &mut Handled) {
        for hit in hits.read(&mut seen) {
            handled.behind.push(*hit);
        }
        handled.kept += hits.iter_kept().len();
    }
    #[derive(Resource, Default)]
    struct Handled {
        before: Vec<u32>,
        behind: Vec<u32>,
        kept: usize,
    }

    let mut world = World::new();
    world.insert_resource(Events::<u32>::new());
    world.insert_resource(Handled::default());
    let mut frame = Schedule::new().add(update).add(before).add(send).add(behind);
    for _ in 0..5 {
        frame.run(&mut world).unwrap();
    }
    let handled = world.resource::<Handled>();
    assert_eq!(handled.before, [0, 1, 2, 3]);
    assert_eq!(handled.behind, [0, 1, 2, 3, 4]);
    assert_eq!(handled.kept, 1 + 4 * 2, "each is kept for two frames");
}

#[test]
fn a_lagging_reader_gets_the_number_of_missed_events_once() {
    let mut events: Events<_> = (0..10).collect();
    let mut seen = EventCursor::default();
    assert_eq!(events.read(&mut seen).nth(3), Some(&3));
    events.update();
    events.extend(10..12);
    events.update();
    assert_eq!(read(&events, &mut seen), (vec![10, 11], 6));
    assert_eq!(read(&events, &mut seen), (vec![], 0));
    events.send(12);
    events.clear();
    events.send(13);
    assert_eq!(read(&events, &mut seen), (vec![13], 1));
    assert_eq!(read(&events, &mut events.cursor()), (vec![13], 0));
    let mut late = events.cursor_at_end();
    events.send(14);
    assert_eq!(read(&events, &mut late), (vec![14], 0));
    assert_eq!(read(&events, &mut seen), (vec![14], 0));
}

#[test]
fn a_first_read_returns_the_number_of_missed_events() {
    let mut events = Events::from_iter([1, 2, 3]);
    let [mut early, mut late] = [EventCursor::default(), EventCursor::default()];
    assert_eq!(read(&events, &mut early), (vec![1, 2, 3], 0));
    events.update();
    events.send(4);
    events.update();
    assert_eq!(read(&events, &mut late), (vec![4], 3));
    assert_eq!(read(&events, &mut late), (vec![], 0));
    assert_eq!(read(&events, &mut early), (vec![4], 0));
}

#[test]
fn a_queue_that_is_never_updated_keeps_a_limited_number() {
    let mut events = Events::new();
    let mut seen = EventCursor::default();
    for event in 0..200_000 {
        events.send(event);
        assert!(events.len() <= 1 << 16);
    }
    let first = 200_000 - (1 << 16);
    let (new, missed) = read(&events, &mut seen);
    assert!(new.into_iter().eq(first..200_000));
    assert_eq!(missed, u64::from(first));
    events.extend(200_000..400_000);
    assert_eq!((events.len(), events.iter_kept().next()), (1 << 16, Some(&(400_000 - (1 << 16)))));
}

#[test]
fn events_dropped_by_the_limit_do_not_shift_updates() {
    let mut events = Events::with_limit(3);
    events.extend([1, 2, 3]);
    events.update();
    events.extend([4, 5]);
    assert!(events.iter_kept().eq(&[3, 4, 5]));
    events.update();
    assert!(events.iter_kept().eq(&[4, 5]), "they were sent after the last update");
    events.update();
    assert!(events.is_empty());
    let all: Events<u32> = (0..(1 << 16) + 5).collect();
    assert_eq!((all.len(), all.iter_kept().next()), (1 << 16, Some(&5)));
}

#[test]
#[should_panic(expected = "a queue keeps at least one event: its limit is not zero")]
fn a_queue_has_no_limit_of_zero() {
    _ = Events::<u32>::with_limit(0);
}

#[test]
fn a_loop_that_ends_early_leaves_the_others() {
    let events: Events<_> = (0..6).collect();
    let mut seen = EventCursor::default();
    let mut unread = events.read(&mut seen);
    assert_eq!((unread.next(), unread.len(), unread.size_hint()), (Some(&0), 5, (5, Some(5))));
    assert_eq!(read(&events, &mut seen).0, [1, 2, 3, 4, 5]);

    // From the back, they are passed only all together.
    let mut seen = EventCursor::default();
    assert!(events.read(&mut seen).rev().take(2).eq(&[5, 4]));
    let mut unread = events.read(&mut seen);
    assert_eq!(
        (unread.next(), unread.next_back(), unread.next_back()),
        (Some(&0), Some(&5), Some(&4))
    );
    let mut unread = events.read(&mut seen);
    assert!(unread.by_ref().rev().eq(&[5, 4, 3, 2, 1]));
    assert_eq!((unread.next(), unread.next_back()), (None, None));
    assert_eq!(read(&events, &mut seen), (vec![], 0));
}

#[test]
fn draining_hands_the_events_over() {
    let mut events = Events::from_iter([1, 2]);
    events.update();
    events.send(3);
    let mut seen = EventCursor::default();
    assert_eq!(events.read(&mut seen).next(), Some(&1));
    let drained = events.drain();
    assert_eq!(drained.len(), 3);
    assert!(drained.rev().eq([3, 2, 1]));
    events.send(4);
    assert_eq!(read(&events, &mut seen), (vec![4], 2));
    events.update();
    assert!(events.iter_kept().eq(&[4]), "it is of the last frame only");
    // One that is never dropped takes them, too.
    let _ = std::mem::ManuallyDrop::new(events.drain());
    assert!(events.is_empty());
    events.send(5);
    assert_eq!(read(&events, &mut seen), (vec![5], 0));
}

#[test]
fn a_cursor_of_another_queue_begins_anew() {
    let long: Events<_> = (0..100).collect();
    let mut short = Events::from_iter([1]);
    let mut seen = long.cursor_at_end();
    assert_eq!(read(&short, &mut seen), (vec![1], 0));
    short.send(2);
    assert_eq!(read(&short, &mut seen), (vec![2], 0));
}

/// Counts drops, and panics at one of them.
#[derive(Clone)]
struct Bomb(Arc<AtomicUsize>, usize);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.0.fetch_add(1, Ordering::Relaxed) != self.1, "dropped");
    }
}

#[test]
fn events_that_panic_when_dropped_are_dropped_once() {
    let end: [fn(&mut Events<Bomb>); 3] = [Events::update, Events::clear, |it| drop(it.drain())];
    for end in end {
        for at in 0..4 {
            let drops = Arc::new(AtomicUsize::new(0));
            let mut events: Events<_> = (0..4).map(|_| Bomb(drops.clone(), at)).collect();
            events.update();
            let mut seen = EventCursor::default();
            assert_eq!(events.read(&mut seen).len(), 4);
            assert_eq!(panics(|| end(&mut events)).as_deref(), Some("dropped"));
            assert_eq!((events.len(), drops.load(Ordering::Relaxed)), (0, 4));
            events.send(Bomb(drops.clone(), at));
            assert_eq!(events.read(&mut seen).count(), 1);
            drop(events);
            assert_eq!(drops.load(Ordering::Relaxed), 5);
        }
    }
}

#[test]
fn a_queue_is_a_resource_a_field_or_a_variable() {
    #[derive(Component)]
    struct Inbox(Events<char>);
    let mut world = World::new();
    world.insert_resource(Events::<u32>::new());
    let entity = world.spawn(Inbox(Events::from_iter(['a']))).id();
    world.resource_mut::<Events<u32>>().send(3);
    world.get_mut::<Inbox>(entity).unwrap().0.send('b');
    assert_eq!(world.resource::<Events<u32>>().len(), 1);
    assert!(world.get::<Inbox>(entity).unwrap().0.iter_kept().eq(&['a', 'b']));
    // Events that are neither `Send` nor `Clone`.
    let mut local = Events::new();
    local.send(std::rc::Rc::new(()));
    assert_eq!(local.drain().count(), 1);
}
