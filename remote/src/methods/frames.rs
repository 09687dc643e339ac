//! The times of frames and of their systems.

use crate::budget::Stop;
use crate::methods::done;
use crate::protocol::{Call, Outcome};
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Frames {
    after: u64,
    forget: bool,
}

pub(super) fn frames(call: &mut Call<'_>) -> Result<Outcome, Stop> {
    let Frames { after, forget } = call.params()?;
    if forget {
        call.protocol.frames.forget();
    }
    done(call, &call.protocol.frames.describe(after))
}
