//! Code of another crate that wraps a schedule, by public traits only.

use ecs::{Resource, Schedule, System, SystemOutput, World};

#[derive(Default)]
struct Frame(Schedule);

impl Frame {
    fn add<M: 'static>(
        self,
        system: impl System<M, Out: SystemOutput> + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.add(system))
    }
    fn add_if<M: 'static, N: 'static>(
        self,
        condition: impl System<N, Out = bool> + Send + Sync + 'static,
        system: impl System<M, Out: SystemOutput> + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.add_if(condition, system))
    }
    fn add_all_if<M: 'static>(
        self,
        name: &'static str,
        condition: impl System<M, Out = bool> + Send + Sync + 'static,
        systems: Schedule,
    ) -> Self {
        Self(self.0.add_all_if(name, condition, systems))
    }
}

#[derive(Resource)]
struct Sum(u32);

fn add_one(sum: &mut Sum) {
    sum.0 += 1;
}
fn fails() -> Result<(), &'static str> {
    Err("no")
}
fn is_small(sum: &Sum) -> bool {
    sum.0 < 3
}

#[test]
fn other_crates_can_wrap_adding_systems_and_conditions() {
    let systems = Schedule::new().add(add_one);
    let frame = Frame::default()
        .add(add_one)
        .add_if(is_small, |sum: &mut Sum| sum.0 += 1)
        .add_all_if("last", is_small, systems)
        .add(fails);
    let mut schedule = frame.0;
    let mut world = World::new();
    world.insert_resource(Sum(0));
    assert_eq!(schedule.run(&mut world).unwrap_err().errors().len(), 1);
    assert_eq!(world.resource::<Sum>().0, 3);
    assert!(schedule.run(&mut world).is_err());
    assert_eq!(world.resource::<Sum>().0, 4);
}
