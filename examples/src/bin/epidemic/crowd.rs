//! A spatial hash: who is near, without asking everybody.

use ecs::Resource;

/// Places in a square of whole length, sorted by the squares of length 1 that they are in, row by row.
///
/// ```text
/// starts   [ 0 2 2 3 .. ]      where those of each square begin
/// places   [ a b | c | .. ]    two in the first square, none in the second, one in the third
/// ```
#[derive(Resource, Default)]
pub struct Crowd {
    side: u16,
    starts: Vec<usize>,
    places: Vec<[f32; 2]>,
}

impl Crowd {
    /// Sorts these in, and forgets all others: by counting how many are in each square.
    pub fn fill(&mut self, side: u16, places: impl Iterator<Item = [f32; 2]> + Clone) {
        self.side = side;
        self.starts.clear();
        self.starts.resize(usize::from(side) * usize::from(side) + 2, 0);
        // Counted two squares farther on: so a sum tells the next square where its own begin. There that is moved on
        // with each that is put in, until it is where those of the next square begin.
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
        row * usize::from(self.side) + column
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to the side")]
    fn column_and_row(&self, place: [f32; 2]) -> [usize; 2] {
        place.map(|at| usize::from((at as u16).min(self.side - 1)))
    }

    /// How many are at most 1 away.
    pub fn count_near(&self, place: [f32; 2]) -> usize {
        // They are in the same square or in one that touches it; of these, three in a row are neighbours here, too.
        let [column, row] = self.column_and_row(place);
        let side = usize::from(self.side);
        let near_in_row = |row: usize| {
            let first = self.starts[row * side + column.saturating_sub(1)];
            let end = self.starts[row * side + (column + 2).min(side)];
            self.places[first..end].iter().filter(|other| is_near(place, **other)).count()
        };
        (row.saturating_sub(1)..(row + 2).min(side)).map(near_in_row).sum()
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
    fn near_ones_are_those_that_asking_everybody_finds() {
        for side in [1_u16, 2, 3, 7] {
            // Walls and corners included.
            let quarters = 0..=4 * side;
            let places: Vec<_> = quarters
                .clone()
                .flat_map(|x| quarters.clone().map(move |y| [x, y].map(|at| f32::from(at) / 4.0)))
                .collect();
            let mut crowd = Crowd::default();
            for others in [&places[..], &places[..places.len() / 2], &[]] {
                crowd.fill(side, others.iter().copied());
                for place in &places {
                    let expected = others.iter().filter(|other| is_near(*place, **other)).count();
                    assert_eq!(crowd.count_near(*place), expected, "{place:?} of {side}");
                }
            }
        }
    }
}
