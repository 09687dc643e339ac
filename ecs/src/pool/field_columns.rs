//! The storage of components that are defined while a program runs: a column for each leaf of their fields.
//!
//! ```text
//! struct in Rust, in columns      ( Vec<f32>, ( Vec<Option<Entity>>, Vec<String> ) )    a type for each component
//! defined component               [ F32(Vec<f32>), Entity(Vec<..>), Text(Vec<String>) ] one type for all of them
//! ```
//!
//! So the sparse set of all defined components is compiled once. The columns have one length whenever the set is used
//! (C1), which is the length of `rows`. The values of an empty storage decide which columns it gets.

use crate::component::defined::{
    Definition, FieldNode, FieldTree, FieldType, FieldValue, for_each_plain,
};
#[cfg(feature = "serde")]
use crate::component::same::Same;
use crate::entity::Entity;
use crate::internal::Internal;
use crate::storage::copies::CopyStorage;
use crate::storage::values::{Container, EachColumn, EachColumnMut, VecWindow, Window, sealed};
use alloc::string::String;
use alloc::vec::{self, Vec};
use core::fmt;
use core::slice;

/// A value of a defined component, taken out of its columns: a value for each leaf.
pub(crate) struct LeafValues {
    of: Option<&'static Definition>,
    values: Vec<FieldValue>,
}

/// The values of a defined component.
#[derive(Clone, Default)]
pub(crate) struct FieldColumns {
    /// The definition of the values, unless there never was one.
    of: Option<&'static Definition>,
    columns: Vec<FieldColumn>,
    /// One for each value. Without a size, it takes no memory.
    rows: Vec<()>,
}

macro_rules! field_column {
    ($($variant:ident: $ty:ty = $name:literal;)+) => {
        /// The values of one leaf.
        #[derive(Clone, Debug)]
        pub(crate) enum FieldColumn {
            $($variant(Vec<$ty>),)+
            List(Vec<Vec<FieldValue>>),
        }

        /// Calls a generic expression with the `Vec` of any column.
        macro_rules! of_column {
            ($column:expr, $values:ident => $body:expr) => {
                match $column {
                    $(FieldColumn::$variant($values) => $body,)+
                    FieldColumn::List($values) => $body,
                }
            };
        }

        impl FieldColumn {
            /// Returns an empty column for values of this type, which is no record.
            #[inline]
            fn for_type(ty: &FieldType) -> Self {
                match ty {
                    $(FieldType::$variant => Self::$variant(Vec::new()),)+
                    FieldType::List(_) | FieldType::Record(_) => Self::List(Vec::new()),
                }
            }

            /// Returns an empty column for values like this one.
            #[inline]
            fn for_value(value: &FieldValue) -> Self {
                match value {
                    $(FieldValue::$variant(_) => Self::$variant(Vec::new()),)+
                    FieldValue::List(_) | FieldValue::Record(_) => Self::List(Vec::new()),
                }
            }

            /// Appends a value of the column's type.
            #[inline]
            fn push(&mut self, value: FieldValue) {
                match (self, value) {
                    $((Self::$variant(values), FieldValue::$variant(value)) => values.push(value),)+
                    (Self::List(values), FieldValue::List(value)) => values.push(value),
                    _ => wrong_type(),
                }
            }

            /// Appends a copy of a value of the column's type.
            #[inline]
            fn push_copy(&mut self, value: &FieldValue) {
                match (self, value) {
                    $((Self::$variant(values), FieldValue::$variant(value)) => values.push(value.clone()),)+
                    (Self::List(values), FieldValue::List(value)) => values.push(value.clone()),
                    _ => wrong_type(),
                }
            }

            /// Appends a copy of a value without parts; `false` if it is of another type than the column.
            #[inline]
            fn push_plain(&mut self, value: &FieldValue) -> bool {
                match (self, value) {
                    $((Self::$variant(values), FieldValue::$variant(value)) => values.push(value.clone()),)+
                    _ => return false,
                }
                true
            }

            /// Replaces a value by a copy of one of the column's type.
            #[inline]
            fn set_copy(&mut self, at: usize, value: &FieldValue) {
                match (self, value) {
                    $((Self::$variant(values), FieldValue::$variant(value)) => values[at].clone_from(value),)+
                    (Self::List(values), FieldValue::List(value)) => values[at].clone_from(value),
                    _ => wrong_type(),
                }
            }

            /// Exchanges a value with one of the column's type.
            #[inline]
            fn exchange(&mut self, at: usize, value: &mut FieldValue) {
                match (self, value) {
                    $((Self::$variant(values), FieldValue::$variant(value)) => {
                        core::mem::swap(&mut values[at], value);
                    })+
                    (Self::List(values), FieldValue::List(value)) => {
                        core::mem::swap(&mut values[at], value);
                    }
                    _ => wrong_type(),
                }
            }

            /// Returns a copy of a value.
            #[inline]
            pub(crate) fn get(&self, at: usize) -> FieldValue {
                match self {
                    $(Self::$variant(values) => FieldValue::$variant(values[at].clone()),)+
                    Self::List(values) => FieldValue::List(values[at].clone()),
                }
            }

            #[inline]
            fn swap_remove(&mut self, at: usize) -> FieldValue {
                match self {
                    $(Self::$variant(values) => FieldValue::$variant(values.swap_remove(at)),)+
                    Self::List(values) => FieldValue::List(values.swap_remove(at)),
                }
            }

            /// Appends copies of the values of another column of this type at these positions.
            #[inline]
            fn copy_rows(&mut self, from: &Self, positions: &[usize]) {
                match (self, from) {
                    $((Self::$variant(values), Self::$variant(from)) => {
                        values.extend(positions.iter().map(|at| from[*at].clone()));
                    })+
                    (Self::List(values), Self::List(from)) => {
                        values.extend(positions.iter().map(|at| from[*at].clone()));
                    }
                    _ => wrong_type(),
                }
            }

            /// Makes this column a copy of another one.
            #[inline]
            fn copy_all(&mut self, from: &Self) {
                match (&mut *self, from) {
                    $((Self::$variant(values), Self::$variant(from)) => values.clone_from(from),)+
                    (Self::List(values), Self::List(from)) => values.clone_from(from),
                    _ => *self = from.clone(),
                }
            }

            /// Returns `true` if the values at `at` are equal to the last bit.
            #[cfg(feature = "serde")]
            fn same_at(&self, other: &Self, at: usize) -> bool {
                match (self, other) {
                    $((Self::$variant(a), Self::$variant(b)) => a[at].same(&b[at]),)+
                    (Self::List(a), Self::List(b)) => a[at].same(&b[at]),
                    _ => false,
                }
            }
        }
    };
}
for_each_plain!(field_column);

/// Panics, as values are checked before they come to columns.
#[cold]
#[inline]
fn wrong_type() -> ! {
    panic!("a value of another type than its column")
}

impl FieldColumn {
    #[inline]
    fn reserve(&mut self, additional: usize) {
        of_column!(self, values => values.reserve(additional));
    }
    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        of_column!(self, values => values.swap(a, b));
    }
    #[inline]
    fn truncate(&mut self, len: usize) {
        of_column!(self, values => values.truncate(len));
    }
    #[inline]
    fn shrink_to_fit(&mut self) {
        of_column!(self, values => values.shrink_to_fit());
    }
    #[inline]
    fn memory(&self) -> usize {
        of_column!(self, values => Container::memory(values))
    }

    /// Calls `visit` with each handle in a value.
    #[cfg(feature = "serde")]
    #[inline]
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Entity)) {
        match self {
            Self::Entity(all) => all[at].into_iter().for_each(visit),
            Self::List(all) => all[at].iter().for_each(|value| value.visit(visit)),
            _ => {}
        }
    }
}

impl FieldColumns {
    /// Returns an empty storage with the columns of a definition.
    #[inline]
    pub(crate) fn new(definition: &'static Definition) -> Self {
        let columns = definition.leaves.iter().map(|leaf| FieldColumn::for_type(leaf.ty));
        Self { of: Some(definition), columns: columns.collect(), rows: Vec::new() }
    }

    /// Returns the definition of the values, unless there never was one.
    pub(crate) const fn definition(&self) -> Option<&'static Definition> {
        self.of
    }

    /// Makes the columns of a definition, unless there are some.
    #[inline]
    pub(crate) fn begin(&mut self, definition: &'static Definition) {
        if self.of.is_none() {
            *self = Self::new(definition);
        }
    }

    /// Returns the number of values.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the column by whose values entities are found, if there is one.
    #[inline]
    pub(crate) fn indexed(&self) -> Option<&FieldColumn> {
        self.columns.get(self.of?.index.as_ref()?.leaf)
    }

    /// Returns an error unless there is a column for each leaf of a definition, with a value of its type for each row (C1).
    #[inline]
    pub(crate) fn check(&self, definition: &Definition) -> Result<(), &'static str> {
        let Some(of) = self.of else {
            return if self.rows.is_empty() { Ok(()) } else { Err("values have no definition") };
        };
        if !core::ptr::eq(of, definition) || self.columns.len() != of.leaves.len() {
            return Err("the columns are of another definition");
        }
        for (leaf, column) in of.leaves.iter().zip(&self.columns) {
            if of_column!(column, values => values.len()) != self.rows.len() {
                return Err("a column has another length than the others");
            }
            if (0..self.rows.len()).any(|at| leaf.ty.check(&column.get(at)).is_err()) {
                return Err("a value is of another type than its field");
            }
        }
        Ok(())
    }

    /// Returns the columns, in the order of the leaves; none if there never was a value.
    #[cfg(feature = "serde")]
    pub(crate) fn leaves(&self) -> &[FieldColumn] {
        &self.columns
    }

    /// Appends a value whose fields have no parts, and whose columns exist: their values. Returns `false`, and appends
    /// nothing, if they are of other types, or have parts.
    #[inline]
    pub(crate) fn push_plain(&mut self, values: &[FieldValue]) -> bool {
        let is_pushed = self.columns.len() == values.len()
            && self.columns.iter_mut().zip(values).all(|(column, value)| column.push_plain(value));
        if is_pushed {
            self.rows.push(());
        } else {
            self.truncate(self.rows.len());
        }
        is_pushed
    }

    /// Returns the columns; each gets a value of its type, and then the row is [noted](Self::note_row).
    #[inline]
    pub(crate) fn columns_mut(&mut self) -> &mut [FieldColumn] {
        &mut self.columns
    }

    /// Notes that each column has one more value.
    #[inline]
    pub(crate) fn note_row(&mut self) {
        self.rows.push(());
    }

    /// Moves the last value to the place of another one, which is dropped.
    #[inline]
    pub(crate) fn replace_by_last(&mut self, at: usize) {
        self.rows.pop();
        for column in &mut self.columns {
            of_column!(column, values => _ = values.swap_remove(at));
        }
    }

    /// Appends a value that was checked, whose columns exist: the values of its fields.
    #[inline]
    pub(crate) fn push_fields(&mut self, tree: &FieldTree, values: &[FieldValue]) {
        push_copies_of(&mut self.columns, tree, values);
        self.rows.push(());
    }

    /// Appends a value like [`push_fields`](Self::push_fields), which is moved.
    #[inline]
    pub(crate) fn push_value(&mut self, tree: &FieldTree, values: Vec<FieldValue>) {
        push_each(&mut self.columns, tree, &mut IntoIterator::into_iter(values));
        self.rows.push(());
    }

    /// Replaces a value by one that was checked: the values of its fields.
    #[inline]
    pub(crate) fn set_fields(&mut self, tree: &FieldTree, at: usize, values: &[FieldValue]) {
        for ((node, first), value) in tree.nodes.iter().zip(values) {
            self.set_node(node, *first, at, value);
        }
    }

    /// Replaces the value of a field whose first leaf has this number by one that was checked.
    #[inline]
    pub(crate) fn set_node(
        &mut self,
        node: &FieldNode,
        leaf: usize,
        at: usize,
        value: &FieldValue,
    ) {
        match (node, value) {
            (FieldNode::Record(tree), FieldValue::Record(values)) => {
                self.set_fields(tree, at, values);
            }
            (_, value) => self.columns[leaf].set_copy(at, value),
        }
    }

    /// Returns the value of a field whose first leaf has this number.
    #[inline]
    pub(crate) fn node_at(&self, node: &FieldNode, leaf: usize, at: usize) -> FieldValue {
        let FieldNode::Record(tree) = node else { return self.columns[leaf].get(at) };
        FieldValue::Record(self.value_at(tree, at))
    }

    /// Returns a value: the values of its fields.
    #[inline]
    pub(crate) fn value_at(&self, tree: &FieldTree, at: usize) -> Vec<FieldValue> {
        tree.nodes.iter().map(|(node, first)| self.node_at(node, *first, at)).collect()
    }

    /// Replaces each handle by the result of `map`, which is also called with the position of the value.
    #[inline]
    pub(crate) fn map_entities(&mut self, map: &mut dyn FnMut(usize, Entity) -> Entity) {
        let mut found = Vec::new();
        for (place, column) in self.columns.iter_mut().enumerate() {
            add_handles(column, place, &mut found);
        }
        // Value by value, like in a component with a type.
        found.sort_by_key(|(at, place, _)| (*at, *place));
        found.drain(..).for_each(|(at, _, entity)| *entity = map(at, *entity));
    }

    /// Calls `visit` with each handle in a value.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn visit_entities(&self, at: usize, visit: &mut dyn FnMut(Entity)) {
        self.columns.iter().for_each(|column| column.visit(at, visit));
    }

    /// Returns `true` if the values at `at` are equal to the last bit.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn same_at(&self, other: &Self, at: usize) -> bool {
        let mut columns = self.columns.iter().zip(&other.columns);
        columns.all(|(own, other)| own.same_at(other, at))
    }

    /// Returns `true` if all columns are of numbers.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn are_plain(&self) -> bool {
        let is_plain = |column: &FieldColumn| {
            !matches!(
                column,
                FieldColumn::Bool(_)
                    | FieldColumn::Entity(_)
                    | FieldColumn::Text(_)
                    | FieldColumn::List(_)
            )
        };
        self.columns.iter().all(is_plain)
    }

    /// Appends values of numbers; `read` returns the bytes of each, the lowest first.
    ///
    /// # Errors
    /// Returns the error of `read`.
    #[cfg(feature = "serde")]
    pub(crate) fn read_plain<'b, E>(
        &mut self,
        count: usize,
        read: &mut dyn FnMut(usize) -> Result<&'b [u8], E>,
    ) -> Result<(), E> {
        macro_rules! read_numbers {
            ($column:expr, $($variant:ident $ty:ty),+) => {
                match $column {
                    $(FieldColumn::$variant(values) => {
                        let mut bytes = [0; size_of::<$ty>()];
                        let read = read(size_of::<$ty>())?;
                        bytes.copy_from_slice(read);
                        values.push(<$ty>::from_le_bytes(bytes));
                    })+
                    _ => {}
                }
            };
        }
        for _ in 0..count {
            for column in &mut self.columns {
                read_numbers!(
                    column, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64
                );
            }
            self.rows.push(());
        }
        Ok(())
    }

    /// Appends copies of the values of another storage of the same component at these positions.
    #[inline]
    pub(crate) fn copy_rows(&mut self, from: &Self, positions: &[usize]) {
        for (own, from) in self.columns.iter_mut().zip(&from.columns) {
            own.copy_rows(from, positions);
        }
        self.rows.extend(positions.iter().map(|_| ()));
    }
}

/// Adds the handles in a column, with the positions of their values.
#[inline]
fn add_handles<'c>(
    column: &'c mut FieldColumn,
    place: usize,
    found: &mut Vec<(usize, usize, &'c mut Entity)>,
) {
    #[inline]
    fn within<'c>(value: &'c mut FieldValue, add: &mut dyn FnMut(&'c mut Entity)) {
        match value {
            FieldValue::Entity(Some(entity)) => add(entity),
            FieldValue::List(values) | FieldValue::Record(values) => {
                values.iter_mut().for_each(|value| within(value, add));
            }
            _ => {}
        }
    }
    match column {
        FieldColumn::Entity(all) => {
            let all = all.iter_mut().enumerate();
            found.extend(all.filter_map(|(at, it)| Some((at, place, it.as_mut()?))));
        }
        FieldColumn::List(all) => {
            for (at, values) in all.iter_mut().enumerate() {
                for value in values {
                    within(value, &mut |entity| found.push((at, place, entity)));
                }
            }
        }
        _ => {}
    }
}

/// Appends copies of the values of fields to their columns.
#[inline]
fn push_copies_of(columns: &mut [FieldColumn], tree: &FieldTree, values: &[FieldValue]) {
    for ((node, first), value) in tree.nodes.iter().zip(values) {
        match (node, value) {
            (FieldNode::Record(tree), FieldValue::Record(values)) => {
                push_record(columns, tree, values);
            }
            (_, value) => columns[*first].push_copy(value),
        }
    }
}

/// Appends copies of the values of a record: apart, so that components without records are appended in one loop.
#[inline]
fn push_record(columns: &mut [FieldColumn], tree: &FieldTree, values: &[FieldValue]) {
    push_copies_of(columns, tree, values);
}

/// Appends the values of fields to their columns.
#[inline]
fn push_each(
    columns: &mut [FieldColumn],
    tree: &FieldTree,
    values: &mut dyn Iterator<Item = FieldValue>,
) {
    for ((node, first), value) in tree.nodes.iter().zip(values) {
        match (node, value) {
            (FieldNode::Record(tree), FieldValue::Record(values)) => {
                push_each(columns, tree, &mut IntoIterator::into_iter(values));
            }
            (_, value) => columns[*first].push(value),
        }
    }
}

impl sealed::Sealed<LeafValues> for FieldColumns {}

/// Its references show only that there is a value: values are read through [`FieldColumns::columns`].
impl Container<LeafValues> for FieldColumns {
    type Ref<'a> = &'a ();
    type RefMut<'a> = &'a mut ();
    type Slice<'a> = &'a [()];
    type SliceMut<'a> = &'a mut [()];
    type Iter<'a> = slice::Iter<'a, ()>;
    type IterMut<'a> = slice::IterMut<'a, ()>;
    type IntoIter = vec::IntoIter<LeafValues>;
    type Window = VecWindow<()>;
    const IN_COLUMNS: bool = true;

    #[inline]
    fn each_column<'a>(&'a self, each: EachColumn<'_, 'a>) {
        for column in &self.columns {
            of_column!(column, values => values.each_column(each));
        }
    }
    #[inline]
    fn each_column_mut<'a>(&'a mut self, each: EachColumnMut<'_, 'a>) {
        for column in &mut self.columns {
            of_column!(column, values => values.each_column_mut(each));
        }
    }
    fn len(&self) -> usize {
        self.rows.len()
    }
    /// Columns grow when a value is pushed. Their sizes do not overflow before the memory is full.
    fn is_full(&self) -> bool {
        false
    }
    #[inline]
    fn reserve(&mut self, additional: usize) {
        self.columns.iter_mut().for_each(|column| column.reserve(additional));
    }
    #[inline]
    fn push(&mut self, LeafValues { of, values }: LeafValues) {
        if self.of.is_none() {
            self.of = of;
            self.columns = values.iter().map(FieldColumn::for_value).collect();
        }
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        self.rows.push(());
    }
    #[inline]
    fn append(&mut self, values: &mut Self) {
        core::mem::take(values).into_iter().for_each(|value| self.push(value));
    }
    #[inline]
    fn exchange(&mut self, at: usize, LeafValues { values, .. }: &mut LeafValues) {
        let columns = self.columns.iter_mut().zip(values);
        columns.for_each(|(column, value)| column.exchange(at, value));
    }
    #[inline]
    fn swap_remove(&mut self, at: usize) -> LeafValues {
        self.rows.swap_remove(at);
        let values = self.columns.iter_mut().map(|column| column.swap_remove(at)).collect();
        LeafValues { of: self.of, values }
    }
    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.columns.iter_mut().for_each(|column| column.swap(a, b));
    }
    fn get(&self, at: usize) -> Option<&()> {
        self.rows.get(at)
    }
    fn get_mut(&mut self, at: usize) -> Option<&mut ()> {
        self.rows.get_mut(at)
    }
    fn empty<'a>() -> &'a [()] {
        &[]
    }
    fn as_slice(&self) -> &[()] {
        &self.rows
    }
    fn as_mut_slice(&mut self) -> &mut [()] {
        &mut self.rows
    }
    #[inline]
    fn iter(&self) -> slice::Iter<'_, ()> {
        self.rows.iter()
    }
    #[inline]
    fn iter_mut(&mut self) -> slice::IterMut<'_, ()> {
        self.rows.iter_mut()
    }
    #[inline]
    fn into_iter(mut self) -> vec::IntoIter<LeafValues> {
        let mut all: Vec<LeafValues> = Vec::with_capacity(self.rows.len());
        while let Some(last) = self.rows.len().checked_sub(1) {
            all.push(self.swap_remove(last));
        }
        all.reverse();
        IntoIterator::into_iter(all)
    }
    #[inline]
    fn truncate(&mut self, len: usize) {
        self.rows.truncate(len);
        self.columns.iter_mut().for_each(|column| column.truncate(len));
    }
    #[inline]
    fn shrink_to_fit(&mut self) {
        self.columns.iter_mut().for_each(FieldColumn::shrink_to_fit);
    }
    #[inline]
    fn memory(&self) -> usize {
        let columns = self.columns.iter().map(FieldColumn::memory).sum::<usize>();
        columns + self.columns.capacity() * size_of::<FieldColumn>()
    }
    fn window(&self) -> VecWindow<()> {
        Container::window(&self.rows)
    }
    fn window_mut(&mut self) -> VecWindow<()> {
        Container::window_mut(&mut self.rows)
    }
    fn shown<'a>(_: Internal<Self>, value: <Self::Window as Window>::Ref<'a>) -> Self::Ref<'a> {
        value
    }
    fn shown_mut<'a>(
        _: Internal<Self>,
        value: <Self::Window as Window>::RefMut<'a>,
    ) -> Self::RefMut<'a> {
        value
    }
    fn shown_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::Slice<'a>,
    ) -> Self::Slice<'a> {
        values
    }
    fn shown_mut_slice<'a>(
        _: Internal<Self>,
        values: <Self::Window as Window>::SliceMut<'a>,
    ) -> Self::SliceMut<'a> {
        values
    }
}

impl CopyStorage<LeafValues> for FieldColumns {
    #[inline]
    fn copy_all(&mut self, from: &Self) {
        self.of = from.of;
        if self.columns.len() == from.columns.len() {
            self.columns.iter_mut().zip(&from.columns).for_each(|(own, from)| own.copy_all(from));
        } else {
            self.columns.clone_from(&from.columns);
        }
        self.rows.clone_from(&from.rows);
    }
    #[inline]
    fn copy_one(&self, at: usize) -> LeafValues {
        LeafValues {
            of: self.of,
            values: self.columns.iter().map(|column| column.get(at)).collect(),
        }
    }
    #[inline]
    fn push_copies(&mut self, LeafValues { of, values }: LeafValues, count: usize) {
        core::iter::repeat_n(values, count).for_each(|values| self.push(LeafValues { of, values }));
    }
}

impl fmt::Debug for FieldColumns {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldColumns").field("rows", &self.rows.len()).finish_non_exhaustive()
    }
}

/// A value in its columns, as its definition names the fields. It prints like a struct in Rust.
#[derive(Clone, Copy)]
pub(crate) struct FieldsAt<'a> {
    pub(crate) tree: &'static FieldTree,
    pub(crate) columns: &'a FieldColumns,
    pub(crate) at: usize,
}

impl fmt::Debug for FieldsAt<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tree, columns, at } = *self;
        let mut shown = f.debug_struct(name_of(tree));
        for (name, (node, first)) in tree.names.iter().zip(&tree.nodes) {
            match (node, columns.columns.get(*first)) {
                (FieldNode::Record(tree), _) => {
                    shown.field(name, &FieldsAt { tree, columns, at });
                }
                (FieldNode::List(of), Some(FieldColumn::List(values))) => {
                    shown.field(name, &ListedValues(of, &values[at]));
                }
                (_, Some(column)) => {
                    of_column!(column, values => _ = shown.field(name, &values[at]));
                }
                (_, None) => {}
            }
        }
        shown.finish()
    }
}

/// A value of a list, or of a record in one.
pub(crate) struct ListedValue<'a>(pub(crate) &'static FieldNode, pub(crate) &'a FieldValue);

/// The values of a list.
pub(crate) struct ListedValues<'a>(pub(crate) &'static FieldNode, pub(crate) &'a [FieldValue]);

impl fmt::Debug for ListedValues<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.1.iter().map(|value| ListedValue(self.0, value))).finish()
    }
}

impl fmt::Debug for ListedValue<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (FieldNode::List(of), FieldValue::List(values)) => ListedValues(of, values).fmt(f),
            (FieldNode::Record(tree), FieldValue::Record(values)) => {
                let mut shown = f.debug_struct(name_of(tree));
                for ((name, (node, _)), value) in tree.names.iter().zip(&tree.nodes).zip(values) {
                    shown.field(name, &ListedValue(node, value));
                }
                shown.finish()
            }
            (_, value) => value.fmt(f),
        }
    }
}

/// Returns the name of a component or a record as it is shown.
#[inline]
fn name_of(tree: &FieldTree) -> &'static str {
    tree.name.rsplit("::").next().filter(|name| !name.is_empty()).unwrap_or("_")
}
