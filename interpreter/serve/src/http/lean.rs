//! What browsers need of a script: its code without what is written for readers. Lines stay where they are, so that a
//! browser's messages name the lines of the source.

/// Signs that end what stands beside them: no space is needed there. Not those that mean something else twice.
const ENDS: &[char] =
    &['{', '}', '(', ')', '[', ']', ',', ';', '=', ':', '?', '&', '|', '<', '>', '!', '*', '"', '\'', '`'];

/// A script without comments in blocks or on lines of their own, without the spaces that lines begin with and those beside
/// signs, and without the semicolons of the last statements of blocks. No regular expression of a script may need such a
/// space, or a quote; no last statement of a block may be an empty one.
pub fn lean(script: &str) -> String {
    let mut kept = String::with_capacity(script.len());
    let mut rest = script;
    while let Some(sign) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
            kept.extend(rest[..length].chars().filter(|&sign| sign == '\n'));
            length
        } else if rest.starts_with("//") && kept.ends_with('\n') {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            let length = if matches!(sign, '"' | '\'' | '`') { quoted(rest, sign) } else { sign.len_utf8() };
            let after = &rest[length..];
            let is_needless = match sign {
                ' ' => {
                    let is_ended = kept.ends_with('\n') || kept.ends_with(ENDS) || after.starts_with(ENDS);
                    is_ended || parts_terms(kept.chars().next_back(), after.chars().next())
                }
                ';' => after.trim_start().starts_with('}'),
                _ => false,
            };
            if !is_needless {
                kept.push_str(&rest[..length]);
            }
            length
        };
        rest = &rest[length..];
    }
    kept
}

/// Whether one of two signs parts terms by itself, without a space: two of the same would be one sign.
fn parts_terms(before: Option<char>, after: Option<char>) -> bool {
    let parts = |sign: Option<char>| matches!(sign, Some('+' | '-'));
    before != after && (parts(before) || parts(after))
}

/// How long the text is that begins here, with both its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (place, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if sign == quote => return place + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_readers_goes_and_lines_stay() {
        let script = "/**\n * For readers.\n */\nexport const a = 1;\n\nfunction f() {\n  // It's so.\n  /** @type {X} */\n  const b = /** @type {Y} */ (a);\n    return b;\n}\n";
        assert_eq!(lean(script), "\n\n\nexport const a=1;\n\nfunction f(){\n\n\nconst b=(a);\nreturn b\n}\n");
        assert_eq!(lean("a = b + c - +d++ + e - -f;\n"), "a=b+c-+d++ +e- -f;\n");
        assert_eq!(lean("if (a) { b(); c(); } else d();\n"), "if(a){b();c()}else d();\n");
    }

    #[test]
    fn texts_stay_as_they_are() {
        for text in [
            r#"say("/* no comment */")"#,
            r"const a='it\'s /* none */';",
            "`a\n  /* b */ {c, d}`",
            "(/\\s+/)",
        ] {
            assert_eq!(lean(text), text);
        }
    }
}
