//! The chart: a row for each workload, a dot for each library, further right the slower.

use ecs_benches::library::{Kind, Library};
use ecs_benches::measure::Measured;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::ops::Range;
use std::path::Path;

const ROW: i32 = 22;
const LEFT: i32 = 170;
const RIGHT: i32 = 30;
const TOP: i32 = 96;
const BOTTOM: i32 = 30;
const WIDTH: i32 = 1000;
const FONT: (&str, i32) = ("sans-serif", 15);
const COLOURS: [RGBColor; 14] = [
    RGBColor(0xd6, 0x27, 0x28),
    RGBColor(0xff, 0x98, 0x96),
    RGBColor(0x55, 0x55, 0x55),
    RGBColor(0x1f, 0x77, 0xb4),
    RGBColor(0x17, 0xbe, 0xcf),
    RGBColor(0x00, 0x00, 0x00),
    RGBColor(0x94, 0x67, 0xbd),
    RGBColor(0x2c, 0xa0, 0x2c),
    RGBColor(0xbc, 0xbd, 0x22),
    RGBColor(0x8c, 0x56, 0x4b),
    RGBColor(0xff, 0x7f, 0x0e),
    RGBColor(0xe3, 0x77, 0xc2),
    RGBColor(0x00, 0x64, 0x3c),
    RGBColor(0x00, 0x2b, 0x80),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// Draws every median over our better one of the workload, so that ours stands at 1.
pub fn draw(results: &[Measured], libraries: &[Library], path: &Path) -> Drawn {
    let rows: Vec<_> = results.iter().filter_map(Row::of).collect();
    let bottom = TOP + ROW * i32::try_from(rows.len())?;
    let size = (u32::try_from(WIDTH)?, u32::try_from(bottom + BOTTOM)?);
    let area = SVGBackend::new(path, size).into_drawing_area();
    area.fill(&WHITE)?;
    let scale = Scale::over(&rows);
    legend(&area, libraries)?;
    axis(&area, &scale, bottom)?;
    for (at, row) in (0..).zip(&rows) {
        let middle = TOP + ROW * at + ROW / 2;
        let name = Pos::new(HPos::Right, VPos::Center);
        let style = FONT.into_text_style(&area).pos(name);
        area.draw_text(row.measured.workload.name, &style, (LEFT - 12, middle))?;
        area.draw(&line((LEFT, middle), (WIDTH - RIGHT, middle), RGBColor(0xee, 0xee, 0xee)))?;
        for timing in row.measured.timings.iter().rev() {
            let centre = (scale.x(timing.median / row.ours), middle);
            mark(&area, centre, timing.kind, COLOURS[timing.index % COLOURS.len()])?;
        }
    }
    area.present()?;
    Ok(())
}

/// A workload, and what it took us.
struct Row<'a> {
    measured: &'a Measured,
    ours: f64,
}

impl<'a> Row<'a> {
    fn of(measured: &'a Measured) -> Option<Self> {
        measured.best(&[Kind::Ours]).map(|ours| Self { measured, ours })
    }
}

/// A logarithmic scale of ratios.
struct Scale {
    decades: Range<i32>,
}

impl Scale {
    fn over(rows: &[Row]) -> Self {
        let mut decades = -1..1;
        let ratios = rows
            .iter()
            .flat_map(|row| row.measured.timings.iter().map(|timing| timing.median / row.ours));
        for ratio in ratios {
            while ratio < 10_f64.powi(decades.start) && decades.start > -2 {
                decades.start -= 1;
            }
            while ratio > 10_f64.powi(decades.end) && decades.end < 2 {
                decades.end += 1;
            }
        }
        Self { decades }
    }

    /// Where a ratio stands; those off the scale stand at its ends.
    #[expect(clippy::cast_possible_truncation, reason = "pixels, and clamped")]
    fn x(&self, ratio: f64) -> i32 {
        let (start, end) = (f64::from(self.decades.start), f64::from(self.decades.end));
        let share = (ratio.log10().clamp(start, end) - start) / (end - start);
        LEFT + (share * f64::from(WIDTH - RIGHT - LEFT)).round() as i32
    }
}

fn legend(area: &Area, libraries: &[Library]) -> Drawn {
    let style = FONT.into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    let title = "time of each library ÷ ours, median: left of 1 is faster than ecs; at the edges, \
                 that much or more";
    area.draw_text(title, &style, (LEFT, 14))?;
    for (at, library) in (0..).zip(libraries) {
        let (x, y) = (LEFT + at % 5 * 160, 34 + at / 5 * 18);
        mark(area, (x, y), library.kind, COLOURS[usize::try_from(at)? % COLOURS.len()])?;
        area.draw_text(library.name, &style, (x + 9, y))?;
    }
    Ok(())
}

/// A big dot for us, a small one for other sparse sets, a triangle where there is a group, a square
/// for archetypes, a bar for a floor.
fn mark(area: &Area, (x, y): (i32, i32), kind: Kind, colour: RGBColor) -> Drawn {
    let rectangle = |width, height| {
        let corners = [(x - width, y - height), (x + width, y + height)];
        Rectangle::new(corners, colour.filled())
    };
    match kind {
        Kind::Ours | Kind::OursGrouped | Kind::OursColumns => {
            area.draw(&Circle::new((x, y), 7, colour.filled()))?;
        }
        Kind::SparseSets | Kind::Arrays => area.draw(&Circle::new((x, y), 4, colour.filled()))?,
        Kind::Grouped => area.draw(&TriangleMarker::new((x, y), 6, colour.filled()))?,
        Kind::Archetypes => area.draw(&rectangle(4, 4))?,
        Kind::Floor | Kind::SparseFloor => area.draw(&rectangle(1, 9))?,
    }
    Ok(())
}

fn axis(area: &Area, scale: &Scale, bottom: i32) -> Drawn {
    let style = FONT.into_text_style(area).pos(Pos::new(HPos::Center, VPos::Center));
    for decade in scale.decades.start..=scale.decades.end {
        let x = scale.x(10_f64.powi(decade));
        let colour = if decade == 0 { BLACK } else { RGBColor(0xcc, 0xcc, 0xcc) };
        area.draw(&line((x, TOP), (x, bottom), colour))?;
        area.draw_text(&format!("{}×", 10_f64.powi(decade)), &style, (x, bottom + 12))?;
    }
    Ok(())
}

fn line(from: (i32, i32), to: (i32, i32), colour: RGBColor) -> PathElement<(i32, i32)> {
    PathElement::new(vec![from, to], colour)
}
