//! The chart: a row for each of some workloads, a dot for each library, further right the slower.

use ecs_benches::library::{Kind, Library};
use ecs_benches::markdown::digits;
use ecs_benches::measure::{Measured, Timing};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

/// The workloads that are drawn, under names of a program's tasks.
const DRAWN: [(&str, &str); 13] = [
    ("frame_20k", "a frame of 20,000: edits, 11 loops"),
    ("simple_insert", "spawn 10,000 entities"),
    ("bulk_insert", "spawn 10,000 in one batch"),
    ("simple_iter", "move 10,000 entities"),
    ("iter_1m", "move 1,000,000 entities"),
    ("iter_churned", "move 100,000 after churn"),
    ("join_all_half_10k", "join two: 5,000 of 10,000 match"),
    ("join_shuffled_1m", "join two: 10,000 of a million match"),
    ("excluded_1m", "join, a component excluded"),
    ("add_remove", "add a component, remove it"),
    ("respawn_10k", "despawn 10,000, spawn 10,000"),
    ("random_get", "look up 1,000,000 by handle"),
    ("frame_churn", "a frame: edits, two loops"),
];

/// The library that all others are compared with, and its name where a group is declared.
const OURS: &str = "ecs";
const GROUPED: &str = "ecs, group declared";

const WIDTH: i32 = 800;
const ROW: i32 = 30;
const LEFT: i32 = 268;
const RIGHT: i32 = 96;
const TOP: i32 = 78;
const BOTTOM: i32 = 52;
const FONT: (&str, i32) = ("sans-serif", 16);
/// The ends of the axis, as powers of ten.
const DECADES: std::ops::RangeInclusive<i32> = -2..=2;

/// Colours of a page.
pub struct Theme {
    /// The end of the chart's file name.
    pub name: &'static str,
    paper: RGBColor,
    ink: RGBColor,
    faint: RGBColor,
    ours: RGBColor,
    peers: [(&'static str, RGBColor); 6],
}

/// Light and dark pages. The colours differ in lightness too, so that they can be distinguished without hue.
pub const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        paper: RGBColor(0xff, 0xff, 0xff),
        ink: RGBColor(0x1f, 0x23, 0x28),
        faint: RGBColor(0xd8, 0xde, 0xe4),
        ours: RGBColor(0xcf, 0x22, 0x2e),
        peers: [
            ("hecs", RGBColor(0x05, 0x50, 0xae)),
            ("bevy_ecs", RGBColor(0x66, 0x39, 0xba)),
            ("flecs_ecs", RGBColor(0x11, 0x63, 0x29)),
            ("shipyard", RGBColor(0x9a, 0x67, 0x00)),
            ("specs", RGBColor(0x1b, 0x9a, 0xaa)),
            ("sparsey", RGBColor(0x6e, 0x77, 0x81)),
        ],
    },
    Theme {
        name: "dark",
        paper: RGBColor(0x0d, 0x11, 0x17),
        ink: RGBColor(0xe6, 0xed, 0xf3),
        faint: RGBColor(0x30, 0x36, 0x3d),
        ours: RGBColor(0xff, 0x7b, 0x72),
        peers: [
            ("hecs", RGBColor(0x58, 0xa6, 0xff)),
            ("bevy_ecs", RGBColor(0xbc, 0x8c, 0xff)),
            ("flecs_ecs", RGBColor(0x3f, 0xb9, 0x50)),
            ("shipyard", RGBColor(0xd2, 0x99, 0x22)),
            ("specs", RGBColor(0x76, 0xe3, 0xea)),
            ("sparsey", RGBColor(0x8b, 0x94, 0x9e)),
        ],
    },
];

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// The least median of each library in one workload, in microseconds.
#[derive(Default)]
pub struct Medians(BTreeMap<&'static str, f64>);

impl Medians {
    fn take(&mut self, library: &str, median: f64) {
        let is_grouped = library == "ecs (group)";
        let first = library.split(' ').next().unwrap_or(library);
        let mut names = [GROUPED, OURS].into_iter().chain(THEMES[0].peers.iter().map(|it| it.0));
        if let Some(name) =
            names.find(|name| if is_grouped { *name == GROUPED } else { *name == first })
        {
            let least = self.0.entry(name).or_insert(median);
            *least = least.min(median);
        }
    }
}

/// The medians of each workload by its name.
pub type Results = BTreeMap<String, Medians>;

/// Returns the medians of a run.
pub fn measured(results: &[Measured], libraries: &[Library]) -> Results {
    let of = |result: &Measured| {
        let mut medians = Medians::default();
        let is_drawn = |it: &&Timing| it.kind != Kind::OursColumns;
        let timings = result.timings.iter().filter(is_drawn);
        timings.for_each(|it| medians.take(libraries[it.index].name, it.median));
        (result.workload.name.to_owned(), medians)
    };
    results.iter().map(of).collect()
}

/// Returns the medians in the tables of a page that list all libraries, as the first one does.
pub fn read(page: &str) -> Results {
    let Some(header) = page.lines().find(|line| line.starts_with("| workload |")) else {
        return Results::new();
    };
    let cells = |line: &str| -> Vec<String> {
        line.split('|').map(|cell| cell.trim().replace(['*', ','], "")).collect()
    };
    let libraries = cells(header);
    let rows_of = |table| str::lines(table).skip(2).take_while(|line| line.starts_with('|'));
    let rows = page.split(header).skip(1).flat_map(rows_of).map(cells);
    let of = |row: Vec<String>| {
        let mut medians = Medians::default();
        for (library, median) in libraries.iter().zip(&row).skip(2) {
            let is_drawn = library != "ecs (columns)";
            if let (true, Ok(median)) = (is_drawn, median.parse()) {
                medians.take(library, median);
            }
        }
        (row[1].clone(), medians)
    };
    rows.map(of).collect()
}

/// Draws every median over ours, so that ours stands at 1.
pub fn draw(results: &Results, theme: &Theme, path: &Path) -> Drawn {
    let of = |(workload, name): &(&str, &'static str)| {
        let medians = results.get(*workload)?;
        Some((*name, medians, *medians.0.get(OURS)?))
    };
    let rows: Vec<_> = DRAWN.iter().filter_map(of).collect();
    let bottom = TOP + ROW * i32::try_from(rows.len())?;
    let size = (u32::try_from(WIDTH)?, u32::try_from(bottom + BOTTOM)?);
    let area = SVGBackend::new(path, size).into_drawing_area();
    area.fill(&theme.paper)?;
    legend(&area, theme)?;
    axis(&area, theme, bottom)?;
    for (at, (name, medians, ours)) in (0..).zip(&rows) {
        let middle = TOP + ROW * at + ROW / 2;
        write(&area, theme.ink, HPos::Right, name, (LEFT - 14, middle))?;
        let time = format!("{} µs", digits(*ours));
        write(&area, theme.ink, HPos::Right, &time, (WIDTH - 10, middle))?;
        area.draw(&line((LEFT, middle), (WIDTH - RIGHT, middle), theme.faint))?;
        if let Some(grouped) = medians.0.get(GROUPED) {
            ring(&area, theme, (x(grouped / ours), middle))?;
        }
        for (library, colour) in &theme.peers {
            if let Some(median) = medians.0.get(library) {
                area.draw(&Circle::new((x(median / ours), middle), 5, colour.filled()))?;
            }
        }
        area.draw(&Circle::new((x(1.0), middle), 7, theme.ours.filled()))?;
    }
    area.present()?;
    Ok(())
}

/// Returns where a ratio stands; a ratio off the axis stands at its end.
#[expect(clippy::cast_possible_truncation, reason = "pixels, and clamped")]
fn x(ratio: f64) -> i32 {
    let (start, end) = (f64::from(*DECADES.start()), f64::from(*DECADES.end()));
    let share = (ratio.log10().clamp(start, end) - start) / (end - start);
    LEFT + (share * f64::from(WIDTH - RIGHT - LEFT)).round() as i32
}

fn legend(area: &Area, theme: &Theme) -> Drawn {
    let peers = theme.peers.iter().map(|(name, colour)| (*name, *colour));
    let names = [(OURS, theme.ours), (GROUPED, theme.ours)].into_iter().chain(peers);
    let columns = [0, 84, 264, 370];
    let places = (0..).flat_map(|row| columns.map(|x| (LEFT + x, 18 + row * 24)));
    for ((x, y), (name, colour)) in places.zip(names) {
        match name {
            OURS => area.draw(&Circle::new((x, y), 7, colour.filled()))?,
            GROUPED => ring(area, theme, (x, y))?,
            _ => area.draw(&Circle::new((x, y), 5, colour.filled()))?,
        }
        write(area, theme.ink, HPos::Left, name, (x + 12, y))?;
    }
    write(area, theme.ink, HPos::Right, "time of ecs", (WIDTH - 10, TOP - 12))
}

fn axis(area: &Area, theme: &Theme, bottom: i32) -> Drawn {
    for decade in DECADES {
        let x = x(10_f64.powi(decade));
        let colour = if decade == 0 { theme.ink } else { theme.faint };
        area.draw(&line((x, TOP), (x, bottom), colour))?;
        let label = if decade == 0 { "1".to_owned() } else { format!("{}×", 10_f64.powi(decade)) };
        write(area, theme.ink, HPos::Center, &label, (x, bottom + 12))?;
    }
    let title =
        "time in relation to ecs (logarithmic): left of 1 is faster than ecs, right is slower";
    write(area, theme.ink, HPos::Right, title, (WIDTH - 10, bottom + 36))
}

fn ring(area: &Area, theme: &Theme, centre: (i32, i32)) -> Drawn {
    area.draw(&Circle::new(centre, 9, theme.ours.stroke_width(2)))?;
    Ok(())
}

fn write(area: &Area, colour: RGBColor, side: HPos, text: &str, at: (i32, i32)) -> Drawn {
    let style = FONT.into_text_style(area).color(&colour).pos(Pos::new(side, VPos::Center));
    area.draw_text(text, &style, at)?;
    Ok(())
}

fn line(from: (i32, i32), to: (i32, i32), colour: RGBColor) -> PathElement<(i32, i32)> {
    PathElement::new(vec![from, to], colour)
}
