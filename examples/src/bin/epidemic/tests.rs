use super::*;
use ecs::__private::eagerly;
use ecs::Sharing;

fn args(line: &str) -> Args {
    let line = line.split_whitespace();
    Args::try_parse_from(["epidemic"].into_iter().chain(line)).expect("it is a command line")
}

/// The line of a town that has all systems and loops shared that can be, item by item.
fn line(args: &Args, threads: usize) -> String {
    let mut run = Run::new(args, threads);
    run.step.set_sharing(Sharing::Always);
    for _ in 0..args.steps {
        let Run { world, step, pool, .. } = &mut run;
        pool.install(|| eagerly(|| step.run(world))).expect("no system fails");
    }
    run.line()
}

/// The expected result was not computed by hand: it must stay equal on all machines and any number of threads.
#[test]
fn threads_change_nothing() {
    let args = args("--agents 3000 --steps 120");
    let expected = "steps=120 caught=2362 ill=351 peak=672 at=84 checksum=c341880f1ff235f6";
    for threads in 1..4 {
        assert_eq!(line(&args, threads), expected, "on {threads}");
    }
    let mut plain = Run::new(&args, 2);
    (0..args.steps).for_each(|_| plain.step());
    assert_eq!(plain.line(), expected, "as it is run");
}

#[test]
fn seeds_change_all() {
    let [one, other] =
        [1, 2].map(|seed| line(&args(&format!("--agents 500 --steps 3 --seed {seed}")), 1));
    assert_ne!(one, other);
}

#[test]
fn draws_are_even_and_apart() {
    let town = Town { seed: 1, step: 7, side: 1 };
    for what in [Draw::Home, Draw::Turn, Draw::Stride, Draw::Catch] {
        let all: Vec<[f32; 2]> = (0..10_000).map(|who| town.draw(who, what)).collect();
        assert!(all.iter().flatten().all(|part| (0.0..1.0).contains(part)));
        for axis in 0..2 {
            let mean = all.iter().map(|draw| draw[axis]).sum::<f32>() / 10_000.0;
            assert!((0.48..0.52).contains(&mean), "{mean}");
        }
    }
    let draw = |step, who, what| Town { step, ..town }.draw(who, what);
    let turn = draw(7, 1, Draw::Turn);
    let others = [draw(8, 1, Draw::Turn), draw(7, 2, Draw::Turn), draw(7, 1, Draw::Catch)];
    assert!(!others.contains(&turn));
}
