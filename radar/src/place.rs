//! Places on the Earth, as seen from the airport.

/// Orly, in degrees north and east. The recording is of the air around Paris.
pub const AIRPORT: (f64, f64) = (48.7253, 2.35944);

/// The height of the airport above the sea.
pub const ELEVATION_FT: f64 = 291.0;

/// The mean radius of the Earth.
const EARTH_KM: f64 = 6371.0088;

/// Kilometres in a foot.
const KM_PER_FT: f64 = 0.000_304_8;

/// Returns how far east and north of the airport a place is, in kilometres. Distances and directions from the airport are
/// true: it is the azimuthal equidistant projection.
pub fn offset_km(lat: f64, lon: f64) -> (f64, f64) {
    let (lat1, lat2) = (AIRPORT.0.to_radians(), lat.to_radians());
    let dlon = (lon - AIRPORT.1).to_radians();
    let east = dlon.sin() * lat2.cos();
    let north = lat1.cos() * lat2.sin() - lat1.sin() * lat2.cos() * dlon.cos();
    let haversine =
        ((lat2 - lat1) / 2.0).sin().powi(2) + lat1.cos() * lat2.cos() * (dlon / 2.0).sin().powi(2);
    let distance_km = 2.0 * EARTH_KM * haversine.min(1.0).sqrt().asin();
    let bearing = east.atan2(north);
    (distance_km * bearing.sin(), distance_km * bearing.cos())
}

/// Returns the straight distance from the airport, in kilometres.
pub fn slant_km(east_km: f64, north_km: f64, altitude_ft: f64) -> f64 {
    east_km.hypot(north_km).hypot((altitude_ft - ELEVATION_FT) * KM_PER_FT)
}
