//! Distances on a spherical Earth.

/// The mean radius of the Earth in kilometres (IUGG's R₁).
pub const EARTH_RADIUS_KM: f64 = 6371.0088;

/// Kilometres in a foot, which is 0.3048 m by definition.
pub const KM_PER_FT: f64 = 0.000_304_8;

/// A place on the surface, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatLon {
    /// Degrees north of the equator, -90 to 90.
    pub lat: f64,
    /// Degrees east of Greenwich, -180 to 180.
    pub lon: f64,
}

impl LatLon {
    /// Returns the place on a sphere with the radius 1, where places near each other are so on both sides of a pole or of
    /// the date line.
    pub fn on_sphere(self) -> [f64; 3] {
        let ((lat_sin, lat_cos), (lon_sin, lon_cos)) =
            (self.lat.to_radians().sin_cos(), self.lon.to_radians().sin_cos());
        [lat_cos * lon_cos, lat_cos * lon_sin, lat_sin]
    }
}

/// Returns the straight distance [`on_sphere`](LatLon::on_sphere) between two places this far apart along the ground.
pub fn chord(distance_km: f64) -> f64 {
    2.0 * (distance_km / EARTH_RADIUS_KM / 2.0).sin()
}

/// The great-circle distance between two places, in kilometres, by the haversine formula.
pub fn distance_km(from: LatLon, to: LatLon) -> f64 {
    let half_dlat = (to.lat - from.lat).to_radians() / 2.0;
    let half_dlon = (to.lon - from.lon).to_radians() / 2.0;
    let haversine = half_dlat.sin().powi(2)
        + from.lat.to_radians().cos() * to.lat.to_radians().cos() * half_dlon.sin().powi(2);
    // Rounding can lift the sum above 1 for antipodes, where asin would be NaN.
    2.0 * EARTH_RADIUS_KM * haversine.min(1.0).sqrt().asin()
}

/// Returns the offset of `to` from `from`, in kilometres (east, north).
///
/// This is the azimuthal equidistant projection: distances and directions from `from` are true, so
/// a circle around it stays a circle on the map.
pub fn offset_km(from: LatLon, to: LatLon) -> (f64, f64) {
    let (lat1, lat2) = (from.lat.to_radians(), to.lat.to_radians());
    let dlon = (to.lon - from.lon).to_radians();
    let east = dlon.sin() * lat2.cos();
    let north = lat1.cos() * lat2.sin() - lat1.sin() * lat2.cos() * dlon.cos();
    let distance = distance_km(from, to);
    let bearing = east.atan2(north);
    (distance * bearing.sin(), distance * bearing.cos())
}

/// The straight distance to something `distance_km` away along the ground and `height_ft` up, in
/// kilometres.
pub fn slant_km(distance_km: f64, height_ft: f64) -> f64 {
    distance_km.hypot(height_ft * KM_PER_FT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORLY: LatLon = LatLon { lat: 48.725_28, lon: 2.359_44 };
    const HEATHROW: LatLon = LatLon { lat: 51.470_6, lon: -0.461_94 };

    fn assert_close(left: f64, right: f64, tolerance: f64) {
        assert!((left - right).abs() <= tolerance, "{left} is not {right} within {tolerance}");
    }

    #[test]
    fn a_quarter_of_the_meridian() {
        let equator = LatLon { lat: 0.0, lon: 0.0 };
        let pole = LatLon { lat: 90.0, lon: 123.0 };
        let quarter = EARTH_RADIUS_KM * std::f64::consts::FRAC_PI_2;
        assert_close(distance_km(equator, pole), quarter, 1e-9);
        assert_close(distance_km(pole, equator), quarter, 1e-9);
    }

    #[test]
    fn antipodes_and_the_same_place() {
        let antipode = LatLon { lat: -ORLY.lat, lon: ORLY.lon - 180.0 };
        let half = EARTH_RADIUS_KM * std::f64::consts::PI;
        assert_close(distance_km(ORLY, antipode), half, 1e-3);
        assert_close(distance_km(ORLY, ORLY), 0.0, 0.0);
    }

    #[test]
    fn a_chord_is_the_distance_on_the_sphere() {
        let [from, to] = [ORLY, HEATHROW].map(LatLon::on_sphere);
        let squares: f64 = (0..3).map(|axis| (from[axis] - to[axis]).powi(2)).sum();
        assert_close(squares.sqrt(), chord(distance_km(ORLY, HEATHROW)), 1e-12);
    }

    #[test]
    fn the_date_line_is_no_wall() {
        let west = LatLon { lat: 0.0, lon: -179.5 };
        let east = LatLon { lat: 0.0, lon: 179.5 };
        assert_close(distance_km(east, west), EARTH_RADIUS_KM.to_radians(), 1e-9);
        assert_close(offset_km(east, west).0, EARTH_RADIUS_KM.to_radians(), 1e-9);
    }

    #[test]
    fn offsets_keep_distance_and_direction() {
        let (east, north) = offset_km(ORLY, HEATHROW);
        assert!(east < 0.0 && north > 0.0, "Heathrow is north-west of Orly");
        assert_close(east.hypot(north), distance_km(ORLY, HEATHROW), 1e-9);
        assert_close(distance_km(ORLY, HEATHROW), 365.6, 0.5);
    }

    #[test]
    fn slant_adds_the_height() {
        assert_close(slant_km(4.0, 3.0 / KM_PER_FT), 5.0, 1e-12);
        assert_close(slant_km(4.0, -3.0 / KM_PER_FT), 5.0, 1e-12);
    }
}
