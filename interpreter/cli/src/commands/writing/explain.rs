//! `blazon explain`: what a code means.

use blazon_diagnostics::{all, did_you_mean, explain, near_miss};

use crate::args::ExplainArgs;
use crate::console::{Console, harmless, paint, style};
use crate::exit::{Failure, Result};

/// Prints the page of a code, or the list of all codes.
///
/// # Errors
/// If there is no such code.
pub fn run(args: &ExplainArgs, console: &Console) -> Result<()> {
    let Some(code) = &args.code else {
        let widest = all().iter().map(|page| page.code.len()).max().unwrap_or(0);
        for page in all() {
            console.line(format!(
                "{}  {}",
                paint(style::STRONG, format!("{:widest$}", page.code)),
                page.title
            ));
        }
        return Ok(());
    };
    // Messages show codes as `error[names::unknown]`; all of that may be pasted here.
    let bare = code.rsplit('[').next().unwrap_or(code).trim_end_matches(']').trim();
    if let Some(page) = explain(bare) {
        console.write(page);
        return Ok(());
    }
    let mut message = format!("no message has the code `{}`", harmless(bare));
    match near_miss(bare, all().iter().map(|page| page.code)) {
        Some(near) => message += &format!("; {}", did_you_mean(near)),
        None => message += "; `blazon explain` lists them all",
    }
    Err(Failure::Usage(message))
}
