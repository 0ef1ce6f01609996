//! Mutants of the rules that both dialects share.

use hookproof_model::kernel::{
    Admission, Clock, Condition, Decision, Failure, FailurePolicy, Guard, Millis, Operator, Ruling, Scene,
    Terms, failure, guard, once, rewrite,
};
use hookproof_model::reading::shared::{Boundary, Contexts, Dispatch, RewriteMode, Sight};
use serde_json::Value;

use super::mutants;

mutants! {
    "last-decision-wins" breaks ["HK-DECIDE-1"],
    "The last decision of the chain wins, and so everybody is asked.",
    seen "openclaw#51763": LastDecisionWins in kernel {
        fn choose(&self, _: &Terms, standing: Ruling, next: Ruling) -> Ruling {
            if next.decision == Decision::Defer { standing } else { next }
        }
    }

    "every-hook-sees-the-original" breaks ["HK-REWRITE-2", "MX-MATCH-7"],
    "Hooks are handed the value as it was when the firing began, and so are their conditions.",
    seen "claude-code#89448": EveryHookSeesTheOriginal in kernel {
        fn sees<'v>(&self, _: Sight, original: &'v Value, _: &'v Value) -> &'v Value {
            original
        }
    }

    "late-answers-count" breaks ["VO-DL-3", "VO-DL-6", "MX-DL-1"],
    "An answer counts however late it is, so a hook is waited for until it answers.",
    seen "openclaw#101686": LateAnswersCount in kernel {
        fn in_time(&self, _: Boundary, _: Millis, _: Millis) -> bool {
            true
        }
    }

    "asks-behind-the-winner" breaks ["HK-DECIDE-2", "MX-AUD-3"],
    "Hooks behind the one that decided are asked all the same.",
    seen "": AsksBehindTheWinner in kernel {
        fn settled(&self, _: &Terms, _: Ruling) -> bool {
            false
        }
    }

    "all-at-once" breaks ["HK-ORDER-1"],
    "Every hook is asked at once, whatever the order of the chain.",
    seen "docker-agent#4207": AllAtOnce in kernel {
        fn may_ask(&self, _: Dispatch, _: usize) -> bool {
            true
        }
    }

    "rewrites-are-dropped" breaks ["HK-REWRITE-1"],
    "Rewrites are accepted and never used.",
    seen "opencode#31680": RewritesAreDropped in kernel {
        fn compose(&self, _: RewriteMode, before: &Value, _: Value) -> Value {
            before.clone()
        }
    }

    "empty-is-no-rewrite" breaks ["HK-REWRITE-3"],
    "A rewrite to an empty text, object or list is taken for none.",
    seen "adk-python#3113": EmptyIsNoRewrite in kernel {
        fn compose(&self, mode: RewriteMode, before: &Value, rewrite: Value) -> Value {
            let empty = match &rewrite {
                Value::String(text) => text.is_empty(),
                Value::Object(members) => members.is_empty(),
                Value::Array(items) => items.is_empty(),
                _ => false,
            };
            if empty { before.clone() } else { rewrite::compose(mode, before, rewrite) }
        }
    }

    "failures-open" breaks ["MX-FAIL-1"],
    "A hook that fails under fail_closed counts as one that defers.",
    seen "openclaw#59822": FailuresOpen in kernel {
        fn on_failure(&self, _: FailurePolicy, _: Failure) -> Decision {
            Decision::Defer
        }
    }

    "failures-close" breaks ["VO-FAIL-1", "MX-FAIL-2"],
    "A hook that fails stops the work, whatever its policy.",
    seen "envoy#41273": FailuresClose in kernel {
        fn on_failure(&self, _: FailurePolicy, _: Failure) -> Decision {
            Decision::Deny
        }
    }

    "timeouts-open" breaks ["MX-FAIL-3"],
    "A hook that times out counts as one that defers, whatever its policy.",
    seen "claude-code#84302": TimeoutsOpen in kernel {
        fn on_failure(&self, policy: FailurePolicy, failed: Failure) -> Decision {
            if failed == Failure::Timeout { Decision::Defer } else { failure::on_failure(policy, failed) }
        }
    }

    "expired-waits-open" breaks ["MX-WAIT-4"],
    "A wait that expires counts as a defer, whatever the hook's policy.",
    seen "": ExpiredWaitsOpen in kernel {
        fn on_failure(&self, policy: FailurePolicy, failed: Failure) -> Decision {
            if failed == Failure::Expired { Decision::Defer } else { failure::on_failure(policy, failed) }
        }
    }

    "a-budget-for-each" breaks ["VO-DL-2"],
    "Every hook has the whole budget for itself.",
    seen "": ABudgetForEach in kernel {
        fn left(&self, clock: Clock, _: Millis) -> Millis {
            match clock {
                Clock::Shared(budget) => budget,
                Clock::PerHook => Millis::MAX,
            }
        }
    }

    "a-denier-rewrites" breaks ["MX-FOLD-5", "VO-FOLD-9"],
    "The rewrite beside a decision that ends the work counts.",
    seen "": ADenierRewrites in kernel {
        fn applies(&self, _: &Terms, _: Decision, _: bool) -> bool {
            true
        }
    }

    "conditions-are-ignored" breaks ["MX-MATCH-2"],
    "Hooks are asked whatever their conditions say.",
    seen "": ConditionsAreIgnored in kernel {
        fn admits(&self, _: &Terms, _: &Guard, _: Scene<'_>) -> Admission {
            Admission::Ask
        }
    }

    "confirmations-are-dropped" breaks ["VO-CONF-1"],
    "A confirmation that a hook asks for is not added.",
    seen "qwen-code#6321": ConfirmationsAreDropped in kernel {
        fn confirm(&self, standing: bool, _: bool) -> bool {
            standing
        }
    }

    "everything-asks" breaks ["VO-CONF-2"],
    "A hook that answers makes the call ask, whether it wants to or not.",
    seen "": EverythingAsks in kernel {
        fn confirm(&self, _: bool, _: bool) -> bool {
            true
        }
    }

    "contexts-back-to-front" breaks ["VO-FOLD-10"],
    "The contexts of several hooks are listed back to front.",
    seen "": ContextsBackToFront in kernel {
        fn add_context(&self, _: Contexts, contexts: &mut Vec<String>, next: &str) {
            contexts.insert(0, next.to_owned());
        }
    }

    "deferred-rewrites-are-dropped" breaks ["MX-FOLD-3", "VO-FOLD-2"],
    "The rewrite beside a defer is dropped.",
    seen "": DeferredRewritesAreDropped in kernel {
        fn applies(&self, terms: &Terms, decision: Decision, rewritten: bool) -> bool {
            decision != Decision::Defer && rewrite::applies(terms, decision, rewritten)
        }
    }

    "a-failure-ends-the-chain" breaks ["VO-FAIL-2"],
    "Behind a hook that failed nobody is asked, and the work goes on.",
    seen "": AFailureEndsTheChain in kernel {
        fn on_failure(&self, policy: FailurePolicy, failed: Failure) -> Decision {
            match policy {
                FailurePolicy::FailOpen => Decision::Allow,
                FailurePolicy::FailClosed => failure::on_failure(policy, failed),
            }
        }
    }

    "refusals-open" breaks ["MX-FAIL-3"],
    "A processor that refuses the connection counts as one that defers, whatever its policy.",
    seen "KiroCrew#7339": RefusalsOpen in kernel {
        fn on_failure(&self, policy: FailurePolicy, failed: Failure) -> Decision {
            if failed == Failure::Refused { Decision::Defer } else { failure::on_failure(policy, failed) }
        }
    }

    "control-steps-act-at-once" breaks ["HK-ORDER-2"],
    "A control step acts on a whole firing, whenever it came.",
    seen "": ControlStepsActAtOnce in kernel {
        fn takes_effect(&self, _: Millis) -> Millis {
            Millis::ZERO
        }
    }

    "failed-hooks-are-asked-again" breaks ["HK-ONCE-1"],
    "A hook that failed is asked once more.",
    seen "": FailedHooksAreAskedAgain in kernel {
        fn asks_again(&self, _: &Terms, failed: Failure, already_again: bool) -> bool {
            once::asks_again(true, failed, already_again)
        }
    }

    "an-allow-forgets-the-rewrites" breaks ["MX-FOLD-6"],
    "An allow lets the work happen as it was, and what the hooks before it rewrote is lost.",
    seen "": AnAllowForgetsTheRewrites in kernel {
        fn stand(&self, decision: Decision) -> bool {
            decision != Decision::Allow
        }
    }

    "equal-rewrites-are-none" breaks ["MX-AUD-7"],
    "A rewrite that leaves the value as it is counts as none.",
    seen "": EqualRewritesAreNone in kernel {
        fn rewrote(&self, before: &Value, after: &Value) -> bool {
            before != after
        }
    }

    "at-least-is-more-than" breaks ["MX-MATCH-8"],
    "gte and lte do not hold for equal values.",
    seen "": AtLeastIsMoreThan in kernel {
        fn admits(&self, terms: &Terms, guard: &Guard, scene: Scene<'_>) -> Admission {
            let strict = |condition: &Condition| Condition {
                operator: match condition.operator {
                    Operator::Gte => Operator::Gt,
                    Operator::Lte => Operator::Lt,
                    other => other,
                },
                ..condition.clone()
            };
            let conditions = guard.conditions.iter().map(strict).collect();
            guard::admits(terms, &Guard { conditions }, scene)
        }
    }

    "undecided-is-denied" breaks ["HK-DECIDE-3"],
    "Work on which every hook deferred does not go on.",
    seen "": UndecidedIsDenied in kernel {
        fn undecided(&self) -> Decision {
            Decision::Deny
        }
    }
}
