//! The matches of a view in parts, each an iterator of its own: for threads of a user.

use crate::query::block::{Lanes, Want};
use crate::query::fetch::Fetch;
use crate::query::join::{Items, Join};
use crate::query::presence::Filter;
use crate::query::request::Query;
use crate::storage::values::CellOrder;

impl<'w, F: Fetch, T: Filter> Join<'w, F, T> {
    /// The items in so many parts, of about as many positions or indices each.
    pub(crate) fn into_parts<Q: Query<Fetch = F>>(
        self,
        count: usize,
    ) -> impl ExactSizeIterator<Item = Items<'w, Q, T>> {
        self.mark(None);
        let whole = self.begin();
        let (source, len) = whole.source();
        let each = len.div_ceil(count.max(1));
        (0..count).map(move |at| {
            let (mut matcher, join) = (whole.clone(), self.of_part());
            let start = len.min(at.saturating_mul(each));
            matcher.begin_part(source, start..len.min(start + each));
            let (cursor, len, matcher) = if Self::IS_SLICE {
                let len = matcher.next(Want::Block).len;
                (F::cursor(&join.window, &mut matcher.search.block.lanes()), len, None)
            } else {
                (F::cursor(&join.window, &mut Lanes::front(&[])), 0, Some(matcher))
            };
            Items { cursor, at: 0, run: len, len, order: CellOrder::NONE, matcher, join }
        })
    }
}
