//! The rules of this dialect that are no step of a firing, one method a rule, beside the kernel's
//! [`kernel::Rules`].

use super::defaults::{self, Installed};
use super::point::Point;
use super::profile::{self, Given, ProfileHook};
use super::wait::WaitState;
use super::{matching, wait, wire};
use crate::fault::Fault;
use crate::kernel::{self, Answer, Failure, Reply};
use crate::reading::MatricesReadings;
use crate::script::matrices::{PlatformError, Says};

/// The rules of a Matrices platform.
pub trait Rules: kernel::Rules {
    /// MX-VAL-1 to 16: whether a profile is taken.
    fn profile(&self, readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
        profile::parse(readings, text)
    }

    /// MX-MATCH-1, 3 to 5: whether a tool pattern matches a name.
    fn matches(&self, readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
        matching::matches(readings, pattern, name)
    }

    /// MX-WIRE-2 to 4, MX-FAIL-3, 4, MX-FOLD-5, 7, 8: what an answer means.
    fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
        wire::decode(readings, point, says)
    }

    /// MX-WAIT-3b, MX-WAIT-6: what the body of a resolve means.
    fn resolution(&self, readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure> {
        wire::resolution(readings, point, body)
    }

    /// MX-WAIT-5: why a wait in this state cannot be resolved, if it cannot.
    fn unresolvable(&self, readings: &MatricesReadings, state: WaitState) -> Option<PlatformError> {
        wait::unresolvable(readings, state)
    }

    /// MX-DEF-1 to 3: the hooks of a profile that is created.
    fn install(
        &self,
        readings: &MatricesReadings,
        catalogue: &[ProfileHook],
        given: Given,
    ) -> Result<Installed, Vec<Fault>> {
        defaults::create(readings, catalogue, given)
    }

    /// MX-DEF-6 to 8: what a new default does to an existing profile.
    fn reach(
        &self,
        readings: &MatricesReadings,
        catalogue: &[ProfileHook],
        profile: &mut Installed,
        default: &ProfileHook,
    ) {
        defaults::reach(readings, catalogue, profile, default);
    }
}

impl Rules for kernel::Spec {}
