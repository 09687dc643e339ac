//! Colours for heights.

use colorous::{Color, TURBO};

/// The height at the upper end of the scale, in feet above the airport.
pub const TOP_FT: f64 = 40_000.0;

/// The number of distinct colours, which lets a climb be drawn in a few strokes.
pub const BANDS: u8 = 48;

/// Returns the place of a height on the scale: 0 at the airport's level and below, 1 at the top and above.
///
/// The scale follows the square root, so that the audible quarter of the heights gets half of the
/// colours.
pub fn scale(height_ft: f64) -> f64 {
    (height_ft / TOP_FT).clamp(0.0, 1.0).sqrt()
}

/// The band of colour for a height.
pub fn band(height_ft: f64) -> u8 {
    let position = scale(height_ft) * f64::from(BANDS);
    (1..BANDS).take_while(|&lower_end| f64::from(lower_end) <= position).last().unwrap_or(0)
}

/// The colour of a band, from red near the ground to violet at the top.
pub fn color(band: u8) -> String {
    let position = (f64::from(band) + 0.5) / f64::from(BANDS);
    // The ends of the palette are nearly black, like the map; leave them out.
    let Color { r, g, b } = TURBO.eval_continuous(0.88 - 0.82 * position);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_the_scale() {
        assert_eq!(band(-275.0), 0);
        assert_eq!(band(0.0), 0);
        assert_eq!(band(10_000.0), BANDS / 2);
        assert_eq!(band(TOP_FT), BANDS - 1);
        assert_eq!(band(126_700.0), BANDS - 1);
        assert_ne!(color(0), color(BANDS - 1));
    }
}
