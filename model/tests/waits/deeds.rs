//! What is done to a platform: each deed as the reference takes it, and as the step that it is.

use std::collections::BTreeMap;

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::script::matrices::{
    Advance, Answer, Event, Fire, HookSeen, Nothing, OfThread, OpenThread, ProfileText, Resolve, Says, Step,
};
use serde_json::{Map, Value, json};

/// How long a url hook may take to answer.
pub(crate) const CALL: u64 = 4;

/// A point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    BeforeInput,
    BeforeToolCall,
    AfterToolCall,
    AfterOutput,
}

impl At {
    pub(crate) const ALL: [Self; 4] =
        [Self::BeforeInput, Self::BeforeToolCall, Self::AfterToolCall, Self::AfterOutput];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BeforeInput => "before_input",
            Self::BeforeToolCall => "before_tool_call",
            Self::AfterToolCall => "after_tool_call",
            Self::AfterOutput => "after_output",
        }
    }

    pub(crate) const fn is_before(self) -> bool {
        matches!(self, Self::BeforeInput | Self::BeforeToolCall)
    }

    pub(crate) const fn has_tool(self) -> bool {
        matches!(self, Self::BeforeToolCall | Self::AfterToolCall)
    }

    /// The member of the event that hooks rewrite, and that of a HookResult which does it.
    pub(crate) const fn members(self) -> (&'static str, &'static str) {
        match self {
            Self::BeforeInput | Self::AfterOutput => ("text", "updatedText"),
            Self::BeforeToolCall => ("input", "updatedInput"),
            Self::AfterToolCall => ("output", "updatedOutput"),
        }
    }

    /// A value that fits here; those of two numbers differ.
    pub(crate) fn value(self, number: u8) -> Value {
        match self {
            Self::BeforeInput | Self::AfterOutput => json!(format!("text {number}")),
            Self::BeforeToolCall => json!({ "number": number }),
            Self::AfterToolCall => json!([number]),
        }
    }

    fn event(self) -> Event {
        let tool = "shop.pay".to_owned();
        match self {
            Self::BeforeInput => Event::BeforeInput { text: "text 0".into() },
            Self::BeforeToolCall => {
                Event::BeforeToolCall { tool, input: Map::from_iter([("number".into(), json!(0))]) }
            }
            Self::AfterToolCall => Event::AfterToolCall { tool, output: self.value(0) },
            Self::AfterOutput => Event::AfterOutput { text: "text 0".into() },
        }
    }
}

/// A hook of a profile.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hook {
    pub id: String,
    pub at: At,
    pub is_client: bool,
    /// Its `asyncTimeoutMs`.
    pub patience: u64,
    pub fails_open: bool,
}

impl Hook {
    pub(crate) const fn kind(&self) -> &'static str {
        if self.is_client { "client" } else { "url" }
    }

    const fn policy(&self) -> &'static str {
        if self.fails_open { "fail_open" } else { "fail_closed" }
    }

    fn text(&self) -> Value {
        let mut processor = json!({ "kind": self.kind() });
        if !self.is_client {
            processor["url"] = json!("https://hooks.example/in");
        }
        json!({
            "id": self.id, "point": self.at.name(), "processor": processor, "onFailure": self.policy(),
            "asyncTimeoutMs": self.patience, "timeoutMs": CALL,
        })
    }

    pub(crate) fn seen(&self) -> HookSeen {
        HookSeen {
            id: self.id.clone(),
            point: self.at.name().into(),
            processor: self.kind().into(),
            on_failure: self.policy().into(),
            async_timeout_ms: Millis(self.patience),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Defer,
    Allow,
    Deny,
}

impl Word {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Defer => "defer",
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

/// What a hook, or a client for it, answers with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Result { word: Word, rewrite: Option<Rewrite>, reason: bool },
    NotJson,
    UnknownDecision,
}

/// A rewrite: the member and the value are those of this point, which need not be the event's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rewrite {
    pub of: At,
    pub number: u8,
}

/// A HookResult, understood.
pub(crate) struct Said {
    pub word: Word,
    pub rewrite: Option<Value>,
    pub reason: Option<String>,
}

const REASON: &str = "because";

impl Body {
    pub(crate) const fn of(word: Word) -> Self {
        Self::Result { word, rewrite: None, reason: false }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::NotJson => "{".into(),
            Self::UnknownDecision => r#"{"decision":"perhaps"}"#.into(),
            Self::Result { word, rewrite, reason } => {
                let mut result = json!({ "decision": word.name() });
                if let Some(Rewrite { of, number }) = rewrite {
                    result[of.members().1] = of.value(*number);
                }
                if *reason {
                    result["reason"] = json!(REASON);
                }
                result.to_string()
            }
        }
    }

    /// MX-WIRE-2, MX-FOLD-5, MX-FOLD-8: what it says at this point.
    pub(crate) fn said(&self, at: At) -> Result<Said, Failure> {
        let (word, rewrite, reason) = match self {
            Self::NotJson => return Err(Failure::Unparsable),
            Self::UnknownDecision => return Err(Failure::WrongShape),
            Self::Result { word, rewrite, reason } => (*word, *rewrite, *reason),
        };
        let rewrite = rewrite.filter(|_| word != Word::Deny);
        if rewrite.is_some_and(|rewrite| rewrite.of.members() != at.members()) {
            return Err(Failure::WrongShape);
        }
        let rewrite = rewrite.map(|rewrite| rewrite.of.value(rewrite.number));
        Ok(Said { word, rewrite, reason: reason.then(|| REASON.into()) })
    }
}

/// What a url hook does once it is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Does {
    /// It accepts, and parks the work.
    Accepts,
    Answers(Body),
    Nothing,
}

/// Something that is done to a platform.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Deed {
    Fire { firing: String, thread: String, at: At, does: BTreeMap<String, (u64, Does)> },
    Advance(u64),
    Resolve { thread: String, wait: String, body: Body },
    Cancel(String),
    Update { profile: String, hooks: Vec<Hook> },
    Waiting,
    Audit(String),
}

impl Deed {
    pub(crate) fn step(&self) -> Step {
        match self {
            Self::Fire { firing, thread, at, does } => {
                let answers = does.iter().map(|(hook, (after, does))| {
                    let says = match does {
                        Does::Accepts => Says::Pending,
                        Does::Answers(body) => Says::Body(body.text()),
                        Does::Nothing => Says::Never,
                    };
                    (hook.clone(), Answer { after_ms: Millis(*after), says })
                });
                let (firing, thread, event) = (firing.clone(), thread.clone(), at.event());
                Step::Fire(Fire { firing, thread, event, answers: answers.collect(), meanwhile: vec![] })
            }
            Self::Advance(by) => Step::Advance(Advance { by_ms: Millis(*by) }),
            Self::Resolve { thread, wait, body } => {
                Step::Resolve(Resolve { thread: thread.clone(), wait: wait.clone(), body: body.text() })
            }
            Self::Cancel(thread) => Step::CancelThread(OfThread { thread: thread.clone() }),
            Self::Update { profile, hooks } => Step::UpdateProfile(profile_text(profile, hooks)),
            Self::Waiting => Step::WaitingThreads(Nothing {}),
            Self::Audit(thread) => Step::Audit(OfThread { thread: thread.clone() }),
        }
    }
}

/// The steps that bring about profiles with these hooks, and threads under them.
pub(crate) fn opening(profiles: &[(String, Vec<Hook>)], threads: &[(String, String)]) -> Vec<Step> {
    let profiles = profiles.iter().map(|(label, hooks)| Step::CreateProfile(profile_text(label, hooks)));
    let threads = threads.iter().map(|(thread, profile)| {
        Step::OpenThread(OpenThread { thread: thread.clone(), profile: profile.clone() })
    });
    profiles.chain(threads).collect()
}

fn profile_text(profile: &str, hooks: &[Hook]) -> ProfileText {
    let hooks: Vec<_> = hooks.iter().map(Hook::text).collect();
    let text = json!({ "configuration": { "hooks": hooks } }).to_string();
    ProfileText { profile: profile.into(), text }
}
