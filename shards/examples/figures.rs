//! The figures of the README: bytes that are sent, messages on more and more ranks, and the time of a step.
//!
//! ```text
//! shards/figures
//! shards/figures --scaling > benches/results/shards.md
//! ```
#![allow(clippy::needless_pass_by_value, dead_code, reason = "the epidemic says why")]

#[path = "../../examples/src/bin/epidemic/crowd.rs"]
mod crowd;
#[path = "epidemic/run.rs"]
mod run;
#[path = "epidemic/town.rs"]
mod town;

use clap::Parser;
use ecs_shards::{Channels, Identity, ShardError, Traffic, Transport};
use rayon::{ThreadPool, ThreadPoolBuilder};
use run::{Alone, Stripe};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use town::{Place, Stride};

/// Measures the traffic and the times of ranks.
#[derive(Debug, Parser)]
struct Args {
    /// The numbers of people
    #[arg(long, default_values_t = [200_000, 2_000_000])]
    agents: Vec<u32>,
    #[arg(long, default_value_t = 100)]
    steps: u32,
    /// Lots of steps whose time is measured; the fastest one counts
    #[arg(long, default_value_t = 30)]
    lots: u32,
    /// Rounds of MPI, whose medians count
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The program `epidemic` of `ecs_shards_mpi`, to be measured as well
    #[arg(long)]
    mpi: Option<PathBuf>,
    /// Prints how ranks scale instead: the page `benches/results/shards.md`
    #[arg(long)]
    scaling: bool,
}

/// The plain size of an agent: its identity, place and stride. An ill one has 4 bytes more, which are not counted.
const AGENT: u64 = size_of::<(Identity, Place, Stride)>() as u64;
/// The plain size of the change of a ghost. One that appears or ends has its identity besides.
const GHOST: u64 = size_of::<Place>() as u64;
const IDENTITY: u64 = size_of::<Identity>() as u64;

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start")
}

/// Returns the traffic of all ranks in this many steps.
fn traffic(ranks: usize, people: u32, steps: u32) -> Result<Traffic, ShardError> {
    let all = Channels::run(ranks, |channels| {
        pool(1).install(|| {
            let mut stripe = Stripe::new(channels, people, 1)?;
            let before = stripe.shards.traffic();
            (0..steps).try_for_each(|_| stripe.step())?;
            let mut sent = stripe.shards.traffic();
            sent.messages -= before.messages;
            sent.bytes -= before.bytes;
            Ok(sent)
        })
    })?;
    Ok(all.into_iter().fold(Traffic::default(), |mut sum, sent| {
        sum.messages += sent.messages;
        sum.bytes += sent.bytes;
        sum.migrated += sent.migrated;
        sum.migrated_bytes += sent.migrated_bytes;
        sum.shown += sent.shown;
        sum.shown_bytes += sent.shown_bytes;
        sum.appeared += sent.appeared;
        sum.ended += sent.ended;
        sum
    }))
}

#[expect(clippy::cast_precision_loss, reason = "figures")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

fn bytes(args: &Args) -> Result<(), ShardError> {
    println!(
        "agents   bytes a migrated agent   bytes a changed ghost   (both: × their plain size)"
    );
    for &people in &args.agents {
        let sent = traffic(2, people, args.steps)?;
        let agent = ratio(sent.migrated_bytes, sent.migrated);
        let of_agent = ratio(sent.migrated_bytes, sent.migrated * AGENT);
        // All shown entities have moved; some of them were not shown before.
        let changes = sent.shown + sent.ended;
        let plain = sent.shown * GHOST + (sent.appeared + sent.ended) * IDENTITY;
        let (ghost, of_ghost) = (ratio(sent.shown_bytes, changes), ratio(sent.shown_bytes, plain));
        println!("{people:>7}   {agent:>14.1} ({of_agent:.2} ×)   {ghost:>13.1} ({of_ghost:.2} ×)");
        println!(
            "          {} ghosts moved, {} appeared, {} ended",
            sent.shown - sent.appeared,
            sent.appeared,
            sent.ended
        );
    }
    Ok(())
}

fn growth(args: &Args) -> Result<(), ShardError> {
    let people = args.agents[0];
    println!(
        "\nranks   messages a step   bytes a step   of the rank that sends most: messages, bytes"
    );
    for ranks in [1, 2, 4, 8, 16] {
        let sent = traffic(ranks, people, args.steps)?;
        let [messages, bytes] =
            [sent.messages, sent.bytes].map(|sum| ratio(sum, args.steps.into()));
        // Stripes have one or two borders, and each has the same traffic.
        let borders = ratio(2.min(ranks as u64 - 1), 2 * (ranks as u64 - 1).max(1));
        let [most_messages, most_bytes] = [messages, bytes].map(|sum| sum * borders);
        println!(
            "{ranks:>5}   {messages:>15.1}   {bytes:>12.0}   {most_messages:>36.1}, {most_bytes:.0}"
        );
    }
    Ok(())
}

/// Returns the time that each thread of a pool was on a processor, as Linux counts it. Unlike the time on the wall, it
/// leaves out the time of other programs.
fn busy(pool: &ThreadPool) -> Vec<Duration> {
    let of_thread = |_: rayon::BroadcastContext<'_>| {
        let counts = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let first = counts.split(' ').next().and_then(|nanos| nanos.parse().ok());
        Duration::from_nanos(first.unwrap_or_default())
    };
    pool.broadcast(of_thread)
}

/// The times of a step.
#[derive(Clone, Copy)]
struct Times {
    /// On the wall, of the fastest lot.
    least: Duration,
    /// On a processor, the average of the threads.
    busy: Duration,
}

/// Returns the times of a step on two threads of one world, and on two ranks.
fn times(people: u32, lots: u32) -> Result<[Times; 2], ShardError> {
    let steps = (1_000_000 / people).clamp(1, 5);
    let all = Channels::run(2, |channels| {
        let rank = channels.rank();
        let mut alone = (rank == 0).then(|| (Alone::new(people, 1), pool(2)));
        let own_pool = pool(1);
        let mut stripe = Stripe::new(channels, people, 1)?;
        let mut least = [Duration::MAX; 2];
        for _ in 0..lots {
            if let Some((town, pool)) = &mut alone {
                let start = Instant::now();
                pool.install(|| (0..steps).for_each(|_| town.step()));
                least[0] = least[0].min(start.elapsed() / steps);
            }
            stripe.shards.reduce(0, |_, _| 0)?;
            let start = Instant::now();
            own_pool.install(|| (0..steps).try_for_each(|_| stripe.step()))?;
            stripe.shards.reduce(0, |_, _| 0)?;
            least[1] = least[1].min(start.elapsed() / steps);
        }
        let busy_of = |pool: &ThreadPool| busy(pool).iter().sum::<Duration>() / (steps * lots);
        let threads = alone.map_or(Duration::ZERO, |(_, pool)| busy_of(&pool) / 2);
        Ok((least, threads, busy_of(&own_pool)))
    })?;
    let ranks = all.iter().map(|(.., busy)| *busy).sum::<Duration>() / 2;
    let (least, threads, _) = all[0];
    Ok([Times { least: least[0], busy: threads }, Times { least: least[1], busy: ranks }])
}

/// Returns the time of a step that the program prints, in milliseconds.
fn time_of(command: &mut Command) -> f64 {
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim().parse().unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Returns the times of a step on two threads of one world and on two processes, in milliseconds, and their ratio: the
/// medians of this many rounds. In a round both run in turn, and the fastest of their steps counts.
fn mpi_times(program: &PathBuf, people: u32, rounds: u32) -> [f64; 3] {
    let steps = (20_000_000 / people).clamp(1, 100).to_string();
    let agents = people.to_string();
    let line = ["--agents", &agents, "--steps", &steps, "--time"];
    let mut found: [Vec<f64>; 3] = Default::default();
    for _ in 0..rounds {
        let threads = time_of(Command::new(program).args(line).args(["--threads", "2"]));
        let ranks = time_of(
            Command::new("mpirun")
                .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
                .args(["--oversubscribe", "-n", "2"])
                .arg(program)
                .args(line),
        );
        for (all, one) in found.iter_mut().zip([threads, ranks, ranks / threads]) {
            all.push(one);
        }
    }
    found.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    })
}

/// The costs of a step on some ranks.
#[derive(Clone, Copy)]
struct Costs {
    ranks: u32,
    people: u32,
    /// On a processor, the average of the ranks and the most of one, in ms.
    mean: f64,
    most: f64,
    /// The messages of all ranks, and their bytes.
    messages: f64,
    bytes: f64,
}

fn costs(ranks: u32, people: u32, steps: u32) -> Result<Costs, ShardError> {
    let all = Channels::run(ranks as usize, |channels| {
        let own_pool = pool(1);
        let mut stripe = own_pool.install(|| Stripe::new(channels, people, 1))?;
        let mut run = |steps: u32| own_pool.install(|| (0..steps).try_for_each(|_| stripe.step()));
        run(10)?; // caches are warm, and buffers have their length
        let start = busy(&own_pool);
        run(steps)?;
        Ok(busy(&own_pool)[0].saturating_sub(start[0]).as_secs_f64() * 1e3 / f64::from(steps))
    })?;
    let sent = traffic(ranks as usize, people, steps)?;
    let [messages, bytes] = [sent.messages, sent.bytes].map(|sum| ratio(sum, steps.into()));
    let mean = all.iter().sum::<f64>() / f64::from(ranks);
    let most = all.into_iter().fold(0.0, f64::max);
    Ok(Costs { ranks, people, mean, most, messages, bytes })
}

/// Returns the length of a town in squares: 13 people live on ten of them.
fn side(people: f64) -> f64 {
    (people * 10.0 / 13.0).sqrt()
}

/// Prints a table of runs. Efficiency compares the average rank with the first run's, whose people all ranks share.
fn print_costs(title: &str, all: &[Costs]) {
    println!("\n## {title}\n");
    println!(
        "| ranks | people | people a rank | ms a step and rank | the slowest rank | ns a person | efficiency | messages a step | bytes a step |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let of_person = |it: &Costs| it.mean * 1e6 * f64::from(it.ranks) / f64::from(it.people);
    for it in all {
        let Costs { ranks, people, mean, most, messages, bytes } = it;
        let (nanos, first) = (of_person(it), of_person(&all[0]));
        println!(
            "| {ranks} | {people} | {} | {mean:.2} | {most:.2} | {nanos:.1} | {:.0} % | {messages:.1} | {bytes:.0} |",
            people / ranks,
            first / nanos * 100.0
        );
    }
}

/// Prints the time of a step where ranks are processes of a cluster, from measured costs.
fn print_reckoning(measured: &Costs) {
    let people = 1e9;
    let [ranks, own] = [measured.ranks, measured.people].map(f64::from);
    let nanos = measured.mean * 1e6 * ranks / own;
    let imbalance = measured.most / measured.mean;
    // All borders have the length of the town, and bytes go over each in both directions.
    let of_square = measured.bytes / (ranks - 1.0) / side(own) / 2.0;
    let of_border = measured.messages / (ranks - 1.0);
    println!("\n## 10⁹ people on 1,000 ranks, reckoned\n");
    println!(
        "A person takes {nanos:.1} ns a step, the slowest rank {imbalance:.2} × the average. A square of a border takes \
         {of_square:.2} bytes a step and direction, and a border {of_border:.1} messages. These are the costs on {ranks} ranks above. \
         Taken as given: 10 GB/s and 2 µs a message. A stripe has two borders of {:.0} squares. Each tenth step moves the cuts, \
         which takes a reduction; so does each step that counts people.\n",
        side(people)
    );
    println!(
        "| ranks | people a rank | a step, ms | its messages, ms | a reduction, ms | share of both | columns a rank |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for ranks in [100.0, 1_000.0, 4_000.0_f64] {
        let own = people / ranks;
        let step = own * nanos * imbalance / 1e6;
        let bytes = 2.0 * side(people) * of_square; // over two borders
        let sent = bytes / 10e9 * 1e3 + of_border * 2e-3; // half of the messages of two borders
        let reduction = 2.0 * ranks.log2().ceil() * 2e-3;
        println!(
            "| {ranks:.0} | {own:.0} | {step:.1} | {sent:.3} | {reduction:.3} | {:.1} % | {:.1} |",
            (sent + reduction) / (step + sent + reduction) * 100.0,
            side(people) / ranks
        );
    }
    println!(
        "\nNot measured: networks, and the wait for the slowest of many ranks beyond the ratio above."
    );
}

fn scaling(args: &Args) -> Result<(), ShardError> {
    println!("# How ranks scale\n");
    println!(
        "Written by `shards/figures --scaling`: the epidemic, {} steps. Ranks are threads of one machine, which has fewer \
         processors than some runs have ranks; so times are times on a processor, without the waits for others. Efficiency is \
         the time of a person on one rank, divided by the time of a person on many.",
        args.steps
    );
    let weak = args.agents[0] / 2;
    let run = |people: fn(u32, u32) -> u32, base: u32| {
        let all = [1, 2, 4, 8].map(|ranks| costs(ranks, people(base, ranks), args.steps));
        all.into_iter().collect::<Result<Vec<_>, _>>()
    };
    let weak = run(|own, ranks| own * ranks, weak)?;
    print_costs("Weak scaling: as many people on each rank", &weak);
    let strong = run(|all, _| all, args.agents[0] * 4)?;
    print_costs("Strong scaling: as many people on all ranks", &strong);
    print_reckoning(&strong[3]);
    Ok(())
}

fn main() -> Result<(), ShardError> {
    let args = Args::parse();
    if args.scaling {
        return scaling(&args);
    }
    bytes(&args)?;
    growth(&args)?;
    println!("\nagents   ms a step on 2 threads   on 2 ranks");
    for &people in &args.agents {
        let [threads, ranks] = times(people, args.lots)?;
        let print = |threads: Duration, ranks: Duration, what: &str| {
            let [threads, ranks] = [threads, ranks].map(|time| time.as_secs_f64() * 1e3);
            let ratio = ranks / threads;
            println!(
                "{people:>7}   {threads:>22.2}   {ranks:.2} = {ratio:.2} × by channels, {what}"
            );
        };
        print(threads.least, ranks.least, "least time on the wall");
        print(threads.busy, ranks.busy, "average time on a processor");
        if let Some(program) = &args.mpi {
            let [threads, ranks, ratio] = mpi_times(program, people, args.rounds);
            println!(
                "{people:>7}   {threads:>22.2}   {ranks:.2} = {ratio:.2} × by MPI, medians of {} rounds",
                args.rounds
            );
        }
    }
    Ok(())
}
