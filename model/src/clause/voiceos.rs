use super::Clause; pub(super) const CLAUSES: &[Clause] = &[];
