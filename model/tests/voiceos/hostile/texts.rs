//! The hostile texts, and what each of them is.

use serde_json::{Value, json};

use super::{lists, mixed, objects};

pub(super) const MIB: usize = 1 << 20;

/// Texts of single values, and what they mean within an object; `None` where they are no JSON.
pub(super) fn values() -> Vec<(String, Option<Value>)> {
    let mut values = vec![];
    // Within the object that they stand in, one deeper. The 127 is the parser's.
    for depth in [63, 64, 126, 127] {
        let meant = |(text, meant)| (text, Some(meant));
        values.extend([
            meant(lists(depth - 1)),
            meant(objects(depth - 1)),
            meant(mixed(depth.div_ceil(2) - 1)),
        ]);
    }
    for depth in [128, 129, 1000] {
        values.extend([(lists(depth - 1).0, None), (objects(depth - 1).0, None), (mixed(depth / 2).0, None)]);
    }
    // What means 10,000 lists could not be dropped on a small stack.
    for open in ["[", r#"{"a":"#, r#"[{"a":"#] {
        let close: String = open.chars().rev().filter_map(closing).collect();
        values.push((format!("{}1{}", open.repeat(10_000), close.repeat(10_000)), None));
        values.push((open.repeat(10_000), None));
    }
    let taken = [
        ("1e308", json!(1e308)),
        ("-1e308", json!(-1e308)),
        ("1.7976931348623157e308", json!(f64::MAX)),
        ("5e-324", json!(5e-324)),
        ("1e-999", json!(0.0)),
        ("-1e-999", json!(-0.0)),
        ("-0", json!(-0.0)),
        ("9223372036854775807", json!(i64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("18446744073709551615", json!(u64::MAX)),
        ("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
        ("-9223372036854775809", json!(-9_223_372_036_854_775_808.0)),
        ("123456789012345678901234567890", json!(123_456_789_012_345_678_901_234_567_890.0)),
        ("1E+2", json!(100.0)),
        (" \t\r\n1 \t\r\n", json!(1)),
    ];
    values.extend(taken.map(|(text, meant)| (text.to_owned(), Some(meant))));
    let refused = [
        "1e309",
        "-1e309",
        "-1e999",
        "1e99999999999999999999",
        "01",
        "-01",
        "1.",
        ".5",
        "1.e1",
        "1e",
        "1e+",
        "-",
        "+1",
        "--1",
        "0x1",
        "1_000",
        "1n",
        "NaN",
        "Infinity",
        "-Infinity",
        "undefined",
        "True",
        "nul",
        "nulll",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1",
        "]",
        "{\"a\":1,}",
        "{\"a\"}",
        "{\"a\" 1}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{null:1}",
        "[1}",
        "/**/1",
        "1//",
        "#",
        "",
        "(1)",
        "\u{a0}1",
        "\u{feff}1",
        "\u{2028}1",
        "\u{c}1",
        "\u{b}1",
        "\u{0}",
    ];
    values.extend(refused.map(|text| (text.to_owned(), None)));
    values.push((format!("1{}", "0".repeat(308)), Some(json!(1e308))));
    values.push((format!("1{}", "0".repeat(309)), None));
    values.push(("9".repeat(100_000), None));
    values.push((format!("0.{}1", "0".repeat(100_000)), Some(json!(0.0))));
    values.push((format!("[{}0]", "0,".repeat(100_000)), Some(json!(vec![0; 100_001]))));
    values
}

fn closing(open: char) -> Option<char> {
    match open {
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    }
}

/// A text that is meant for a string.
pub(super) struct Text {
    /// As it is written, quotation marks included.
    pub(super) written: String,
    /// What it means; `None` where it is no JSON.
    pub(super) means: Option<String>,
    /// What it means where a lone surrogate is replaced (VO-WIRE-10b).
    pub(super) mended: Option<String>,
}

impl Text {
    fn taken(written: &str, means: impl Into<String>) -> Self {
        let means = Some(means.into());
        Self { written: format!("\"{written}\""), means: means.clone(), mended: means }
    }

    fn refused(written: &str) -> Self {
        Self { written: written.to_owned(), means: None, mended: None }
    }

    fn lone(written: &str, mended: &str) -> Self {
        Self { written: format!("\"{written}\""), means: None, mended: Some(mended.to_owned()) }
    }
}

/// Strings as they are written, and what they mean.
pub(super) fn strings() -> Vec<Text> {
    let mut strings = vec![];
    for control in '\0'..='\u{1f}' {
        strings.push(Text::refused(&format!("\"a{control}b\"")));
        let code = u32::from(control);
        strings.push(Text::taken(&format!("a\\u{code:04x}b"), format!("a{control}b")));
        strings.push(Text::taken(&format!("\\u{code:04X}"), control));
    }
    for single in [
        '\u{7f}', '\u{80}', '\u{9b}', '\u{a0}', '\u{200b}', '\u{200d}', '\u{2028}', '\u{2029}', '\u{202e}',
        '\u{d7ff}', '\u{e000}', '\u{fdd0}', '\u{feff}', '\u{fffd}', '\u{fffe}', '\u{ffff}',
    ] {
        strings.push(Text::taken(&format!("a{single}b"), format!("a{single}b")));
        strings.push(Text::taken(&format!("{single}"), single));
        strings.push(Text::taken(&format!("\\u{:04x}", u32::from(single)), single));
    }
    let escapes = [
        (r#"\""#, "\""),
        (r"\\", "\\"),
        (r"\/", "/"),
        (r"\b", "\u{8}"),
        (r"\f", "\u{c}"),
        (r"\n", "\n"),
        (r"\r", "\r"),
        (r"\t", "\t"),
        (r"\\u0041", "\\u0041"),
        (r"\\ud800", "\\ud800"),
        (r"\\\\ud800", "\\\\ud800"),
        (r"\ud83d\udea2", "🚢"),
        (r"\uD83D\uDEA2", "🚢"),
        (r"\ud800\udc00", "\u{10000}"),
        (r"\udbff\udfff", "\u{10ffff}"),
        (r"x\ud83d\udea2\u0000", "x🚢\0"),
        ("", ""),
        ("'", "'"),
        ("/*", "/*"),
        ("e\u{301}", "e\u{301}"),
        ("\u{1f468}\u{200d}\u{1f469}", "\u{1f468}\u{200d}\u{1f469}"),
    ];
    strings.extend(escapes.map(|(written, means)| Text::taken(written, means)));
    let lone = [
        (r"\ud800", "\u{fffd}"),
        (r"\udbff", "\u{fffd}"),
        (r"\udc00", "\u{fffd}"),
        (r"\uDFFF", "\u{fffd}"),
        (r"a\ud800b", "a\u{fffd}b"),
        (r"a\udc00b", "a\u{fffd}b"),
        (r"\udc00\ud800", "\u{fffd}\u{fffd}"),
        (r"\udea2\ud83d", "\u{fffd}\u{fffd}"),
        (r"\ud83d\ud83d\udea2", "\u{fffd}🚢"),
        (r"\ud83d\udea2\udea2", "🚢\u{fffd}"),
        (r"\ud800\ud800", "\u{fffd}\u{fffd}"),
        (r"\ud83d \udea2", "\u{fffd} \u{fffd}"),
        (r"\ud800\u0041", "\u{fffd}A"),
        (r"\ud800\n", "\u{fffd}\n"),
        (r"\ud800\\udc00", "\u{fffd}\\udc00"),
        (r"\\\ud800", "\\\u{fffd}"),
        (r"\ud800é", "\u{fffd}é"),
        (r"🚢\ud800", "🚢\u{fffd}"),
    ];
    strings.extend(lone.map(|(written, mended)| Text::lone(written, mended)));
    let refused = [
        r#""\x41""#,
        r#""\'""#,
        r#""\0""#,
        r#""\a""#,
        r#""\v""#,
        r#""\e""#,
        r#""\N""#,
        r#""\U00000041""#,
        r#""\u{41}""#,
        r#""\u""#,
        r#""\u1""#,
        r#""\u12""#,
        r#""\u123""#,
        r#""\u12G4""#,
        r#""\u 041""#,
        r#""\u+041""#,
        r#""\u-041""#,
        r#""\é""#,
        r#""\🚢""#,
        r#""\u00é""#,
        r#""\ud800\u""#,
        r#""\ud800\u1""#,
        r#""\ud800\x""#,
        r#""\ud8é0""#,
        r#""\ud83d\ud\"#,
        r#""\"#,
        r#""\\\"#,
        r#""\""#,
        r#""abc"#,
        r#"abc""#,
        "\"",
        "'abc'",
        "`abc`",
        "“abc”",
        "\"a\"b\"",
        "\"a\\\nb\"",
    ];
    strings.extend(refused.map(Text::refused));
    for unit in ["x", "é", "🚢", "\u{2028}"] {
        strings.push(Text::taken(&unit.repeat(MIB / unit.len()), unit.repeat(MIB / unit.len())));
    }
    strings.push(Text::taken(&r"\n".repeat(MIB / 2), "\n".repeat(MIB / 2)));
    strings.push(Text::refused(&format!("\"{}", "x".repeat(MIB))));
    strings.push(Text::refused(&format!("\"{}\u{1}\"", "x".repeat(MIB))));
    strings.push(Text::lone(&r"\ud800".repeat(MIB / 6), &"\u{fffd}".repeat(MIB / 6)));
    strings
}

/// What a whole answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// Continue, untouched.
    Continue,
    /// No JSON.
    Unparsable,
    /// JSON, and no HookResult.
    WrongShape,
}

/// Whole answers, and what they are whatever the event.
pub(super) fn wholes() -> Vec<(String, Whole)> {
    let mut wholes = vec![];
    let mut all = |whole, texts: &[&str]| wholes.extend(texts.iter().map(|text| ((*text).to_owned(), whole)));
    all(
        Whole::Continue,
        &[
            "",
            "null",
            " null\n",
            "{}",
            "\t{ }\r\n",
            r#"{"":0}"#,
            r#"{"\u0000":[{}]}"#,
            r#"{"__proto__":{"decision":"block"}}"#,
        ],
    );
    all(
        Whole::WrongShape,
        &["[]", "[{}]", r#""""#, r#""{\"decision\":\"block\"}""#, "0", "-1e308", "true", "false"],
    );
    all(Whole::WrongShape, &[&lists(64).0, &lists(127).0]);
    all(
        Whole::Unparsable,
        &[
            " ",
            "\n",
            "\u{0}",
            "\u{feff}",
            "\u{feff}{}",
            "{}\u{feff}",
            "{}\u{0}",
            "{}{}",
            "{} null",
            "{},",
            "{",
            "}",
            "{{}}",
            "data: {}",
            "```json\n{}\n```",
            "{}//",
            "undefined",
            "[object Object]",
            "<html>",
            "\u{1b}[2J{}",
            "1e309",
            r#"{"x":1e309}"#,
            r#"{"\ud800":0}"#,
            r#"{"\udc00\ud800":0}"#,
            "{\"\u{1}\":0}",
            r#"{"\x":0}"#,
            &lists(128).0,
            &lists(1000).0,
            &"[".repeat(100_000),
            &"{\"\":".repeat(100_000),
            &"\"".repeat(MIB),
            &"\\".repeat(MIB),
            &" ".repeat(MIB),
            &"\u{feff}".repeat(MIB / 3),
        ],
    );
    let padded = |text: &str| format!("{0}{text}{0}", " \t\r\n".repeat(MIB / 8));
    wholes.push((padded("{}"), Whole::Continue));
    wholes.push((padded("[]"), Whole::WrongShape));
    for control in '\0'..='\u{1f}' {
        let is_space = matches!(control, '\t' | '\n' | '\r');
        let whole = if is_space { Whole::Continue } else { Whole::Unparsable };
        wholes.extend([(format!("{control}{{}}"), whole), (format!("{{}}{control}"), whole)]);
    }
    wholes
}
