//! Airports that may have been meant.

use strsim::{jaro_winkler, osa_distance};

use super::airport::Airport;

/// The most airports that are suggested.
const SUGGESTIONS: usize = 6;

/// Codes longer than this are not mistyped codes, they are names.
const LONGEST_CODE: usize = 5;

/// The least similarity of a name, by Jaro and Winkler's measure.
const SIMILAR: f64 = 0.88;

/// The ways in which an airport can be the one that was meant, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Iata,
    NameOrCity,
    /// One letter is wrong, missing or too many, or two changed places.
    IcaoButOne,
    IcaoButTwo,
    SimilarName,
}

/// The airports that a typed text may mean, best first. Weak matches are only for want of better
/// ones.
pub fn suggest<'a>(airports: &'a [Airport], typed: &str) -> Vec<&'a Airport> {
    let typed = typed.trim().to_uppercase();
    let mut matches: Vec<_> = airports
        .iter()
        .filter_map(|airport| rank(airport, &typed).map(|(rank, score)| (rank, score, airport)))
        .collect();
    matches.sort_by(|(rank1, score1, airport1), (rank2, score2, airport2)| {
        let by_rank = rank1.cmp(rank2).then(score2.total_cmp(score1));
        by_rank.then_with(|| airport1.icao.cmp(&airport2.icao))
    });
    let weakest = matches.first().map(|&(best, ..)| best.max(Match::IcaoButOne));
    let shown = matches.into_iter().take_while(|&(rank, ..)| Some(rank) <= weakest);
    shown.map(|(.., airport)| airport).take(SUGGESTIONS).collect()
}

/// Returns the kind of match between an airport and the input (in upper case), and its quality
/// among matches of that kind; `None` if there is no match.
fn rank(airport: &Airport, typed: &str) -> Option<(Match, f64)> {
    if typed.is_empty() {
        return None;
    }
    let code_score = jaro_winkler(&airport.icao, typed);
    if airport.iata == typed {
        return Some((Match::Iata, code_score));
    }
    let (name, city) = (airport.name.to_uppercase(), airport.city.to_uppercase());
    if typed.len() >= 3 && (contains_words(&name, typed) || contains_words(&city, typed)) {
        return Some((Match::NameOrCity, code_score));
    }
    if typed.len() <= LONGEST_CODE {
        match osa_distance(&airport.icao, typed) {
            0 | 1 => return Some((Match::IcaoButOne, code_score)),
            2 => return Some((Match::IcaoButTwo, code_score)),
            _ => {}
        }
    }
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 4);
    let names = words.chain([name.as_str(), city.as_str()]);
    let score = names.map(|name| jaro_winkler(name, typed)).fold(0.0, f64::max);
    (score >= SIMILAR).then_some((Match::SimilarName, score))
}

/// Returns `true` if `text` has `words` in it, not as a part of longer words.
fn contains_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + words.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(typed: &str) -> Vec<String> {
        let airports = [
            ("LFPO", "ORY", "Paris-Orly Airport", "Paris"),
            ("LFPG", "CDG", "Charles de Gaulle International Airport", "Paris"),
            ("EGLL", "LHR", "London Heathrow Airport", "London"),
            ("ORLX", "QCO", "Coral Airport", "Orlando"),
        ];
        let airports = airports.map(|(icao, iata, name, city)| Airport {
            icao: icao.to_owned(),
            iata: iata.to_owned(),
            name: name.to_owned(),
            city: city.to_owned(),
            lat: 0.0,
            lon: 0.0,
            elevation_ft: 0.0,
        });
        suggest(&airports, typed).into_iter().map(|airport| airport.icao.clone()).collect()
    }

    #[test]
    fn near_codes() {
        assert_eq!(suggested("LFPX"), ["LFPG", "LFPO"]);
        assert_eq!(suggested("lfop"), ["LFPO"], "letters that changed places");
        assert_eq!(suggested("EGL"), ["EGLL"]);
        assert_eq!(suggested("EGXX"), ["EGLL"], "two are wrong");
    }

    #[test]
    fn iata_codes_and_names() {
        assert_eq!(suggested("cdg"), ["LFPG"]);
        assert_eq!(suggested("heathrow"), ["EGLL"]);
        assert_eq!(suggested("paris"), ["LFPG", "LFPO"]);
        assert_eq!(suggested("Orly"), ["LFPO", "ORLX"], "a name before a code but one");
    }

    #[test]
    fn mistyped_names() {
        assert_eq!(suggested("Hethrow"), ["EGLL"]);
        assert_eq!(suggested("Pariss"), ["LFPG", "LFPO"]);
    }

    #[test]
    fn nothing_near() {
        assert_eq!(suggested("QQQQ"), [""; 0]);
        assert_eq!(suggested(" "), [""; 0]);
    }
}
