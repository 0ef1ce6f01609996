//! The processes that we start: each leads a group, and what it starts itself ends with it.

mod child;
mod group;
mod mark;

pub(crate) use child::{Child, GRACE};
pub(crate) use group::Group;
