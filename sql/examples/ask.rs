//! Runs SQL over a saved world of flights.
//!
//! ```text
//! cd sql
//! cargo run --release --example ask -- flights.ecs \
//!     "select carrier, count(*) as flights, avg(arr_delay) as delay from flights group by carrier order by delay"
//! ```

use clap::Parser;
use ecs_sql::Saved;
use std::error::Error;
use std::path::PathBuf;

#[expect(dead_code, reason = "only its components are used here")]
#[path = "../../tables/examples/flights.rs"]
pub(crate) mod flights;

use flights::{Airline, Airport, ByPlane, Flight, From, InWeather, OfAirline, Plane, To, Weather};

/// Runs a query over a saved world of flights
#[derive(Parser)]
struct Args {
    /// The world that the example `flights` of `ecs_tables` imported
    world: PathBuf,
    /// The query, over the tables airlines, airports, planes, weather, flights, `of_airline`, `by_plane`, departs, arrives
    /// and `in_weather`
    sql: String,
}

/// Returns the tables of a saved world of flights.
pub(crate) fn tables(saved: Saved) -> ecs_sql::datafusion::error::Result<Saved> {
    saved
        .table::<Airline>("airlines")?
        .table::<Airport>("airports")?
        .table::<Plane>("planes")?
        .table::<Weather>("weather")?
        .table::<Flight>("flights")?
        .table::<OfAirline>("of_airline")?
        .table::<ByPlane>("by_plane")?
        .table::<From>("departs")?
        .table::<To>("arrives")?
        .table::<InWeather>("in_weather")
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    println!("{}", tables(Saved::open(&args.world)?)?.ask(&args.sql)?);
    Ok(())
}
