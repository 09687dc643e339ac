//! Warnings about systems that run before the commands of earlier ones are applied, in builds with debug assertions.

use crate::commands::Edited;
use crate::system::plan::{Facts, Step};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The warnings of a schedule: the number of each system that runs too early, and the message.
#[derive(Debug)]
pub(crate) struct LateCommands(Vec<(usize, String)>);

impl LateCommands {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn messages(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, message)| message.as_str())
    }

    /// Warns of the system at `at`, once, if it names a component that waiting commands of `recorder` edit.
    pub(crate) fn compare(&mut self, at: usize, step: &Step, recorder: &str, edited: &[Edited]) {
        if self.0.iter().any(|(warned, _)| *warned == at) {
            return;
        }
        let accesses = step.parts().into_iter().flatten().flat_map(Facts::params);
        let name = accesses.filter_map(|access| edited.iter().find_map(|it| it.named_by(access)));
        let Some(name) = name.into_iter().next() else { return };
        let message = format!(
            "`{}` does not see the `{name}` that `{recorder}` recorded earlier in the list: the commands are applied \
             later. Put a `sync` between them, or allow it by `Schedule::set_warns(false)`",
            step.name()
        );
        #[cfg(feature = "tracing")]
        tracing::warn!("{message}");
        #[cfg(all(feature = "std", not(feature = "tracing")))]
        std::eprintln!("warning: {message}");
        self.0.push((at, message));
    }
}
