//! Mutants of default hooks.

use hookproof_model::matrices::defaults::{self, Installed};
use hookproof_model::matrices::profile::{Given, MAX_HOOKS, ProfileHook};
use hookproof_model::reading::MatricesReadings;

use crate::mutant::mutants;

mutants! {
    "no-defaults" breaks ["MX-DEF-1"],
    "A profile created without hooks has none.",
    seen "": NoDefaults in matrices {
        fn install(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            given: Given,
        ) -> Installed {
            let given = if given == Given::Omitted { Given::Listed(Vec::new()) } else { given };
            defaults::create(readings, catalogue, given)
        }
    }

    "empty-means-defaults" breaks ["MX-DEF-2"],
    "A profile created with an empty list has the defaults.",
    seen "orca#11676": EmptyMeansDefaults in matrices {
        fn install(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            given: Given,
        ) -> Installed {
            let given = if given == Given::Listed(Vec::new()) { Given::Omitted } else { given };
            defaults::create(readings, catalogue, given)
        }
    }

    "defaults-are-merged-in" breaks ["MX-DEF-3"],
    "The defaults are put behind a list that has hooks of its own.",
    seen "": DefaultsAreMergedIn in matrices {
        fn install(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            given: Given,
        ) -> Installed {
            let merges = matches!(&given, Given::Listed(listed) if !listed.is_empty());
            let mut installed = defaults::create(readings, catalogue, given);
            if merges {
                for default in catalogue {
                    if installed.hooks.iter().all(|(hook, _)| hook.id != default.id) {
                        installed.hooks.push((default.clone(), true));
                    }
                }
            }
            installed
        }
    }

    "defaults-overwrite" breaks ["MX-DEF-7"],
    "A later default overwrites the hook that a profile has under its id.",
    seen "": DefaultsOverwrite in matrices {
        fn reach(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            profile: &mut Installed,
            default: &ProfileHook,
        ) {
            match profile.hooks.iter_mut().find(|(hook, _)| hook.id == default.id) {
                Some(hook) => *hook = (default.clone(), true),
                None => defaults::reach(readings, catalogue, profile, default),
            }
        }
    }

    "defaults-cannot-be-removed" breaks ["MX-DEF-4"],
    "A default that an update leaves out is put back.",
    seen "": DefaultsCannotBeRemoved in matrices {
        fn update(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            before: &Installed,
            given: Given,
        ) -> Installed {
            let mut after = defaults::update(readings, catalogue, before, given);
            for (hook, default) in before.hooks.iter().filter(|(_, default)| *default) {
                if !after.hooks.iter().any(|(kept, _)| kept.id == hook.id) {
                    after.hooks.push((hook.clone(), *default));
                }
            }
            after
        }
    }

    "removed-defaults-come-back" breaks ["MX-DEF-7"],
    "A default that a profile removed reaches it when it is introduced again.",
    seen "": RemovedDefaultsComeBack in matrices {
        fn reach(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            profile: &mut Installed,
            default: &ProfileHook,
        ) {
            profile.offered.remove(&default.id);
            defaults::reach(readings, catalogue, profile, default);
        }
    }

    "opted-out-profiles-are-reached" breaks ["MX-DEF-7"],
    "A later default reaches a profile that asked for no hooks at all.",
    seen "": OptedOutProfilesAreReached in matrices {
        fn reach(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            profile: &mut Installed,
            default: &ProfileHook,
        ) {
            defaults::reach(readings, catalogue, profile, default);
            if profile.opted_out && profile.hooks.is_empty() {
                profile.hooks.push((default.clone(), true));
            }
        }
    }

    "defaults-are-added-again" breaks ["MX-DEF-7"],
    "A default that is introduced twice stands twice in the profiles that hold it.",
    seen "": DefaultsAreAddedAgain in matrices {
        fn reach(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            profile: &mut Installed,
            default: &ProfileHook,
        ) {
            let holds = profile.hooks.iter().any(|(hook, stands)| *stands && hook == default);
            if holds && profile.hooks.len() < MAX_HOOKS {
                profile.hooks.push((default.clone(), true));
            } else {
                defaults::reach(readings, catalogue, profile, default);
            }
        }
    }
}
