//! Answers that are lists or objects, written part by part.

use crate::budget::Stop;
use crate::out::Out;
use crate::protocol::{Call, Job, Outcome};
use crate::walk::check_len;

/// The outcome of writing a part.
pub(crate) enum Part {
    Written,
    /// There is nothing to be written at this place.
    Skipped,
    /// There are no more parts, and the answer ends with this text.
    End(String),
}

struct Parts<F> {
    out: Out,
    at: usize,
    is_empty: bool,
    write: F,
}

/// Returns an answer that begins with this text, and has a part for each number. A part that does not fit into
/// the frame is written once more in the next one, so its function edits nothing.
pub(crate) fn parts<F>(begin: impl Into<Out>, write: F) -> Outcome
where
    F: FnMut(&mut Call<'_>, usize, &mut Out) -> Result<Part, Stop> + Send + 'static,
{
    Outcome::Later(Box::new(Parts { out: begin.into(), at: 0, is_empty: true, write }))
}

impl<F> Job for Parts<F>
where
    F: FnMut(&mut Call<'_>, usize, &mut Out) -> Result<Part, Stop> + Send,
{
    fn step(&mut self, call: &mut Call<'_>) -> Result<Option<Out>, Stop> {
        let Self { out, at, is_empty, write } = self;
        let budget = call.budget;
        loop {
            let mark = out.mark();
            if !*is_empty {
                out.push(",");
            }
            let part = budget.piece(|| {
                budget.take_values(1)?;
                write(call, *at, out)
            });
            match part {
                Ok(Part::Written) => *is_empty = false,
                Ok(Part::Skipped) => out.rewind(mark),
                Ok(Part::End(end)) => {
                    out.rewind(mark);
                    out.push(&end);
                    return Ok(Some(std::mem::take(out)));
                }
                Err(stop) => {
                    out.rewind(mark);
                    return Err(stop);
                }
            }
            *at += 1;
            check_len(out.len(), call.protocol.options.most_bytes)?;
            if budget.is_turn_over() {
                return Ok(None);
            }
        }
    }

    fn len(&self) -> usize {
        self.out.len()
    }
}
