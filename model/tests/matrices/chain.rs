//! Chains: MX-FOLD-1 to 9, MX-FAIL-1 to 4, MX-WIRE-1 to 4, MX-PROC-1 to 3, MX-DL-1 and 3, walked by hand.

mod deciding;
mod failing;
mod late;
mod nested;
mod rewriting;
