//! HK-LAW-UNMATCHED: by conditions in firings, by the rest in scripts of either dialect.

mod conditions;
pub(crate) mod matrices;
pub(crate) mod voiceos;
