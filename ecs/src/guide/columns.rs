#![doc = include_str!("../../guide/columns.md")]
//!
//! [`PoolRef::as_slice`]: crate::PoolRef::as_slice
//! [`PoolMut::as_mut_slice`]: crate::PoolMut::as_mut_slice
//! [`Ref`]: crate::Ref
//! [`RefMut`]: crate::RefMut
//! [`Slice`]: crate::Slice
//! [`SliceMut`]: crate::SliceMut
//! [`AnyComponent`]: crate::AnyComponent
//! [`Component`]: crate::Component#layouts
//! [trait Component]: trait@crate::Component
