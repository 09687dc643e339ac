//! The floor: the same loops over plain `Vec`s that hold just the matches, in order.

use crate::components::{
    Audio, Colour, Data, Force, Matrix, Position, Proximity, Rotation, Scale, Telling, Vec3,
    Velocity,
};
use crate::library::{Kind, Library};
use crate::scene::{self, Factors, Orders};
use std::hint::black_box;

type Movers = (Vec<Position>, Vec<Velocity>);

/// The loops without a library.
pub fn library() -> Library {
    let mut floor = Library::new("Vec (floor)", None, Kind::Floor);
    insertion(&mut floor);
    iteration(&mut floor);
    terms(&mut floor);
    joins(&mut floor);
    fields(&mut floor);
    sorts(&mut floor);
    floor
}

fn fields(floor: &mut Library) {
    let places = || (0..scene::MANY).map(Position::of);
    floor.add_checked(
        "field_1m",
        move || (places().map(|position| position.x()).collect::<Vec<_>>(), Factors::default()),
        |(xs, factors)| {
            let factor = factors.next();
            for x in xs {
                *x *= factor;
            }
        },
        |(xs, _)| xs.iter().map(|x| f64::from(*x)).sum::<f64>(),
    );
    floor.add_checked(
        "fields_1m",
        move || {
            let (mut xs, mut ys, mut zs) = (Vec::new(), Vec::new(), Vec::new());
            for Position(at) in places() {
                xs.push(at.x);
                ys.push(at.y);
                zs.push(at.z);
            }
            (xs, ys, zs)
        },
        |(xs, ys, zs)| {
            for (x, (y, z)) in xs.iter_mut().zip(ys.iter().zip(zs.iter())) {
                *x += *y * *z;
            }
        },
        |(xs, _, _)| xs.iter().map(|x| f64::from(*x)).sum::<f64>(),
    );
}

/// Sorted with their entities, and put in order in the way of `EnTT`'s `sort_as`.
fn sorts(floor: &mut Library) {
    floor.add(
        "sort_1m",
        || {
            let pairs: Vec<(usize, f32)> = (0..).zip(scene::numbers()).collect();
            (pairs, Orders::default())
        },
        |(pairs, orders)| {
            let key = orders.next();
            pairs.sort_unstable_by_key(|pair| key(pair.1));
            scene::ends(|at| pairs[at].1)
        },
    );
    floor.add(
        "sort_as_1m",
        || {
            let positions: Vec<_> = (0..scene::MANY).map(Position::of).collect();
            let identity: Vec<_> = (0..scene::MANY).collect();
            (identity.clone(), identity, positions, [1, 2].map(scene::order))
        },
        |(sparse, dense, values, orders)| {
            for order in orders {
                for (at, &entity) in order.iter().enumerate() {
                    let from = sparse[entity];
                    (sparse[dense[at]], sparse[entity]) = (from, at);
                    dense.swap(at, from);
                    values.swap(at, from);
                }
            }
            scene::ends(|at| values[at].x())
        },
    );
}

fn insertion(floor: &mut Library) {
    floor.add_checked("simple_insert", || (), |()| pushed(0).0.len(), |()| mesh_sum(&pushed(0)));
    floor.add_checked(
        "bulk_insert",
        || (),
        |()| pushed(scene::FEW).0.len(),
        |()| mesh_sum(&pushed(scene::FEW)),
    );
    floor.add(
        "random_get",
        || {
            let mut order: Vec<_> = (0..scene::MANY).collect();
            scene::shuffle(&mut order, 1);
            (movers(scene::MANY).0, order)
        },
        |(positions, order)| order.iter().map(|&at| positions[at].x()).sum::<f32>(),
    );
}

type Meshes = (Vec<Matrix>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

fn pushed(room: usize) -> Meshes {
    let mut meshes = (
        Vec::with_capacity(room),
        Vec::with_capacity(room),
        Vec::with_capacity(room),
        Vec::with_capacity(room),
    );
    for _ in 0..scene::FEW {
        let mesh = scene::mesh();
        meshes.0.push(mesh.0);
        meshes.1.push(mesh.1);
        meshes.2.push(mesh.2);
        meshes.3.push(mesh.3);
    }
    black_box(meshes)
}

fn mesh_sum((m, p, r, v): &Meshes) -> f32 {
    let rows = m.iter().zip(p).zip(r).zip(v);
    rows.map(|(((m, p), r), v)| m.0[15] + p.x() + r.x() + v.x()).sum()
}

fn movers(count: usize) -> Movers {
    ((0..count).map(Position::of).collect(), (0..count).map(Velocity::of).collect())
}

fn moved((positions, velocities): &Movers) -> f64 {
    positions.iter().zip(velocities).map(|(p, v)| f64::from(p.x() * (v.x() + 1.0))).sum()
}

fn iteration(floor: &mut Library) {
    let mut moving = |name, count| {
        floor.add_checked(
            name,
            move || movers(count),
            |(positions, velocities)| {
                for (p, v) in positions.iter_mut().zip(velocities) {
                    p.0 += v.0;
                }
            },
            |movers| moved(movers),
        );
    };
    for (name, count) in scene::MOVERS {
        moving(name, count);
    }
    moving("iter_churned", scene::CHURNED);
    moving("frag_tags", scene::TAGGED);
    moving("terms_2", scene::WIDE);

    floor.add_checked(
        "frag_iter",
        || vec![Data(1.0); 26 * scene::KIND],
        |data| {
            for data in data {
                data.0 *= 2.0;
            }
        },
        |data| data.iter().map(|data| data.0).sum::<f32>(),
    );
}

fn terms(floor: &mut Library) {
    floor.add_checked(
        "terms_1",
        || movers(scene::WIDE),
        |(positions, _)| {
            for p in positions {
                p.0 += Vec3::ONE;
            }
        },
        |movers| moved(movers),
    );
    floor.add_checked(
        "terms_4",
        || (movers(scene::WIDE), told::<Proximity>(), told::<Audio>()),
        |((positions, velocities), b, c)| {
            for (((p, a), b), c) in positions.iter_mut().zip(velocities).zip(b).zip(c) {
                scene::add(p, [a.0, b.0, c.0]);
            }
        },
        |(movers, ..)| moved(movers),
    );
    floor.add_checked(
        "terms_8",
        || {
            let four = (told::<Rotation>(), told::<Scale>(), told::<Colour>(), told::<Force>());
            (movers(scene::WIDE), told::<Proximity>(), told::<Audio>(), four)
        },
        |((positions, velocities), b, c, (d, e, f, g))| {
            let four = positions.iter_mut().zip(velocities).zip(b).zip(c);
            let eight = four.zip(d).zip(e).zip(f).zip(g);
            for (((((((p, a), b), c), d), e), f), g) in eight {
                scene::add(p, [a.0, b.0, c.0, d.0, e.0, f.0, g.0]);
            }
        },
        |(movers, ..)| moved(movers),
    );
}

fn told<T: Telling>() -> Vec<T> {
    (0..scene::WIDE).map(T::of).collect()
}

fn joins(floor: &mut Library) {
    for join in scene::JOINS {
        floor.add(
            join.name,
            move || join.matches(2).map(|at| (Proximity::of(at), Audio::of(at))).unzip(),
            |(a, b): &mut (Vec<_>, Vec<_>)| {
                a.iter().zip(b).map(|(a, b)| a.x() * b.x()).sum::<f32>()
            },
        );
    }
    floor.add(
        "join4_1m",
        || {
            let matches = || scene::JOIN4.matches(4);
            let two: (Vec<_>, Vec<_>) =
                matches().map(|at| (Proximity::of(at), Audio::of(at))).unzip();
            let others: Movers = matches().map(|at| (Position::of(at), Velocity::of(at))).unzip();
            (two, others)
        },
        |((a, b), (p, v))| {
            let rows = a.iter().zip(b).zip(p.iter().zip(v));
            rows.map(|((a, b), (p, v))| a.x() * b.x() + p.x() * v.x()).sum::<f32>()
        },
    );
    floor.add(
        "optional_1m",
        || {
            let member = scene::SHUFFLED.matches(1);
            let mut matches = scene::SHUFFLED.matches(2).peekable();
            let row = |at| {
                let audio = matches.next_if_eq(&at).map(Audio::of);
                (Proximity::of(at), audio)
            };
            member.map(row).unzip()
        },
        |(a, b): &mut (Vec<_>, Vec<_>)| {
            let rows = a.iter().zip(b);
            rows.map(|(a, b)| a.x() * b.as_ref().map_or(1.0, Telling::x)).sum::<f32>()
        },
    );
    floor.add(
        "excluded_1m",
        || {
            let mut matches = scene::SHUFFLED.matches(2).peekable();
            let member = scene::SHUFFLED.matches(1);
            member.filter(|at| matches.next_if_eq(at).is_none()).map(Proximity::of).collect()
        },
        |a: &mut Vec<_>| a.iter().map(Telling::x).sum::<f32>(),
    );
}
