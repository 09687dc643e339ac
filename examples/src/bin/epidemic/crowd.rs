//! A spatial hash of a stripe: counts the people near a place without a look at all.

use ecs::Resource;
use std::ops::Range;

/// Places in a stripe of whole columns, sorted by the squares of length 1 that they are in, row by row.
///
/// ```text
/// starts   [ 0 2 2 3 .. ]      where those of each square begin
/// places   [ a b | c | .. ]    two in the first square, none in the second, one in the third
/// ```
#[derive(Resource, Default)]
#[resource(save = skip)]
pub struct Crowd {
    /// The first column.
    first: usize,
    columns: usize,
    rows: usize,
    starts: Vec<usize>,
    places: Vec<[f32; 2]>,
}

impl Crowd {
    /// Sorts these places in, and forgets all others, by counting how many are in each square.
    pub fn fill(
        &mut self,
        columns: Range<u16>,
        rows: u16,
        places: impl Iterator<Item = [f32; 2]> + Clone,
    ) {
        self.first = columns.start.into();
        (self.columns, self.rows) = (columns.len(), rows.into());
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 2, 0);
        // Counted two squares farther on: a sum gives the start of the next square. The start moves on with each place
        // that is put in, until it is the start of the square behind.
        for place in places.clone() {
            let square = self.square(place);
            self.starts[square + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.places.resize(sum, [0.0; 2]);
        for place in places {
            let square = self.square(place);
            let start = &mut self.starts[square + 1];
            self.places[*start] = place;
            *start += 1;
        }
    }

    fn square(&self, place: [f32; 2]) -> usize {
        let [column, row] = self.column_and_row(place);
        row * self.columns + column
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "places are not negative"
    )]
    fn column_and_row(&self, [x, y]: [f32; 2]) -> [usize; 2] {
        [(x as usize - self.first).min(self.columns - 1), (y as usize).min(self.rows - 1)]
    }

    /// Returns the number of places that are at most 1 away.
    pub fn count_near(&self, place: [f32; 2]) -> usize {
        // They are in the same square or in one that touches it; of these, three in a row are neighbours here as well.
        let [column, row] = self.column_and_row(place);
        let near_in_row = |row: usize| {
            let first = self.starts[row * self.columns + column.saturating_sub(1)];
            let end = self.starts[row * self.columns + (column + 2).min(self.columns)];
            self.places[first..end].iter().filter(|other| is_near(place, **other)).count()
        };
        (row.saturating_sub(1)..(row + 2).min(self.rows)).map(near_in_row).sum()
    }
}

fn is_near([x, y]: [f32; 2], [other_x, other_y]: [f32; 2]) -> bool {
    let (east, north) = (other_x - x, other_y - y);
    east * east + north * north <= 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_equal_those_of_a_full_search() {
        for side in [1_u16, 2, 3, 7] {
            // Walls and corners included.
            let quarters = 0..=4 * side;
            let places: Vec<_> = quarters
                .clone()
                .flat_map(|x| quarters.clone().map(move |y| [x, y].map(|at| f32::from(at) / 4.0)))
                .collect();
            let mut crowd = Crowd::default();
            for others in [&places[..], &places[..places.len() / 2], &[]] {
                crowd.fill(0..side, side, others.iter().copied());
                for place in &places {
                    let expected = others.iter().filter(|other| is_near(*place, **other)).count();
                    assert_eq!(crowd.count_near(*place), expected, "{place:?} of {side}");
                }
            }
        }
    }
}
