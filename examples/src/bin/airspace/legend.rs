//! The legend of the map: its colours and lines.

use svg::node::element::{Group, Path, Rectangle};

use super::flights::{KnownFlight, Pass};
use super::map::{airport_mark, line, nearest_mark, text, thousands};
use super::palette;
use super::replay::{AUDIO_FT, Counts, Outcome, PROXIMITY_KM};

/// The colour bar, in SVG units below the legend's heading.
const BAR_TOP: f64 = 46.0;
const BAR_HEIGHT: f64 = 384.0;
const BAR_WIDTH: f64 = 24.0;

/// Lengths of the samples, and where their explanations begin.
const SAMPLE: f64 = 34.0;
const SAMPLE_TEXT: f64 = 46.0;

/// The end of the figures.
const FIGURE_END: f64 = 56.0;

/// The legend, with its upper left corner at the origin.
pub fn draw(outcome: &Outcome, nearest: Option<&(&KnownFlight, Pass)>) -> Group {
    Group::new()
        .set("class", "legend")
        .add(color_bar())
        .add(samples(nearest).set("transform", "translate(0 480)"))
        .add(counts(outcome).set("transform", "translate(0 690)"))
}

/// The place of a height beside the bar.
fn bar_y(height_ft: f64) -> f64 {
    BAR_TOP + BAR_HEIGHT * (1.0 - palette::scale(height_ft))
}

fn color_bar() -> Group {
    let band_height = BAR_HEIGHT / f64::from(palette::BANDS);
    let bands = (0..palette::BANDS).map(|band| {
        let top = BAR_TOP + BAR_HEIGHT - band_height * f64::from(band + 1);
        Rectangle::new()
            .set("y", top)
            .set("width", BAR_WIDTH)
            // Half a unit more hides the seam.
            .set("height", band_height + 0.5)
            .set("fill", palette::color(band))
    });
    let heading = Group::new()
        .add(text("heading", (0.0, 12.0), "height above the airport"))
        .add(text("note", (0.0, 31.0), "feet"));
    let heights = [0_u32, 1_000, 2_500, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000];
    let labels = heights.into_iter().map(|height_ft| {
        let y = bar_y(f64::from(height_ft));
        let more = if f64::from(height_ft) < palette::TOP_FT { "" } else { " and more" };
        let label = thousands(height_ft) + more;
        Group::new().add(line("tick", (BAR_WIDTH, y), (BAR_WIDTH + 6.0, y))).add(text(
            "",
            (BAR_WIDTH + 11.0, y + 4.5),
            label,
        ))
    });
    let bar = bands.fold(heading, Group::add);
    labels.fold(bar, Group::add).add(audible_bracket())
}

/// Marks the heights on the bar that can be audible.
fn audible_bracket() -> Group {
    let (top, bottom) = (bar_y(AUDIO_FT), bar_y(0.0));
    let x = BAR_WIDTH + 84.0;
    let bracket = format!("M{} {top}H{x}V{bottom}H{}", x - 6.0, x - 6.0);
    let middle = f64::midpoint(top, bottom);
    Group::new()
        .add(Path::new().set("class", "frame").set("d", bracket))
        .add(text("", (x + 9.0, middle - 4.0), "audible"))
        .add(text("", (x + 9.0, middle + 13.0), format!("within {PROXIMITY_KM} km")))
}

fn samples(nearest: Option<&(&KnownFlight, Pass)>) -> Group {
    let stroke = |class: &str| {
        let color = palette::color(palette::band(4_000.0));
        let path = Path::new().set("class", class).set("stroke", color);
        path.set("d", format!("M0 0C12 -9 22 9 {SAMPLE} 0"))
    };
    let in_middle = format!("translate({} 0)", SAMPLE / 2.0);
    let row = |row: i32, what: &str| {
        let place = format!("translate(0 {})", 30 + 27 * row);
        Group::new().set("transform", place).add(text("", (SAMPLE_TEXT, 4.5), what))
    };
    let group = Group::new()
        .add(text("heading", (0.0, 4.5), "on the map"))
        .add(row(0, "audible part of a track").add(stroke("loud")))
        .add(row(1, "rest of it").add(stroke("quiet")))
        .add(row(2, &format!("{PROXIMITY_KM} km around")).add(line(
            "range",
            (0.0, 0.0),
            (SAMPLE, 0.0),
        )))
        .add(row(3, "airport").add(airport_mark().set("transform", in_middle.as_str())));
    let Some((flight, pass)) = nearest else { return group };
    let told = format!("{:.2} km at t={} s", pass.slant_km, pass.time_s);
    group.add(
        row(4, &format!("nearest pass: {}", flight.label()))
            .add(text("note", (SAMPLE_TEXT, 22.0), told))
            .add(nearest_mark().set("transform", in_middle)),
    )
}

fn counts(outcome: &Outcome) -> Group {
    let Counts { reports, ticks, peak, .. } = outcome.counts;
    let passes = outcome.flights.passes().len();
    let rows = [
        (thousands(reports), "reports"),
        (outcome.flights.len().to_string(), "flights"),
        (passes.to_string(), "of them audible"),
        (peak.to_string(), "at once at most"),
        (thousands(ticks), "ticks"),
    ];
    let group = Group::new().add(text("heading", (0.0, 4.5), "in figures"));
    rows.into_iter().zip(1..).fold(group, |group, ((figure, what), row)| {
        let y = 4.5 + 22.0 * f64::from(row);
        let figure = text("end strong", (FIGURE_END, y), figure);
        group.add(figure).add(text("", (FIGURE_END + 8.0, y), what))
    })
}
