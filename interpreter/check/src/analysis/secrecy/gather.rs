//! Leaks are told where their reader can mend them: at what he wrote himself, once for each place.
//!
//! A line of a game can show its secret by many ways of the library, and one of a variant by many of the game. What is
//! amiss is that line; where it shows is what follows.

use std::collections::BTreeMap;

use blazon_diagnostics::{Diagnostic, Span};

use super::report::Leak;
use crate::project::{Layer, Parsed};

/// So many places where something shows are pointed at in one message; of the rest it is said how many they are.
const MOST: usize = 4;

/// Tells leaks at the uppermost layer that their ways go through, those of one place together.
pub(super) fn gathered(leaks: Vec<Leak>, parsed: &Parsed) -> Vec<Diagnostic> {
    let layers: BTreeMap<_, Layer> = parsed.files.iter().map(|(layer, file)| (file.source, *layer)).collect();
    let height = |span: &Span| layers.get(&span.source).copied();
    let mut told: Vec<Diagnostic> = Vec::new();
    // For each place the message that tells of it, and of how many leaks.
    let mut places: BTreeMap<(Span, Option<String>), (usize, usize)> = BTreeMap::new();
    for Leak { mut diagnostic, shows, secret } in leaks {
        let Some(shown) = diagnostic.span else { continue };
        let uppermost = diagnostic.related.iter().map(|(span, _)| *span).max_by_key(height);
        let cause = uppermost.filter(|span| height(span) > height(&shown));
        // Of what shows in a layer beneath, the line above is amiss; else whatever shows at a place shows there alike.
        let place = cause.map_or_else(|| (shown, Some(shows.clone())), |cause| (cause, None));
        let (first, many) = places.entry(place).or_insert((told.len(), 0));
        *many += 1;
        if let Some(first) = told.get_mut(*first) {
            if *many <= MOST {
                let read = diagnostic.related.last().map_or(shown, |(span, _)| *span);
                first.related.push(match cause {
                    Some(_) => (shown, format!("{shows}: here, too")),
                    None => (read, format!("{secret}, too")),
                });
            }
            continue;
        }
        if let Some(cause) = cause {
            let is_read = diagnostic.related.last().is_some_and(|(span, _)| *span == cause);
            diagnostic.related.retain(|(span, _)| *span != cause);
            diagnostic.related.insert(0, (shown, format!("{shows}: here it shows")));
            diagnostic.span = Some(cause);
            diagnostic = diagnostic.label(if is_read { "read here" } else { "this leads there" });
        }
        told.push(diagnostic);
    }
    for (first, many) in places.into_values().filter(|(_, many)| *many > MOST) {
        let Some(first) = told.get_mut(first) else { continue };
        let more = many - MOST;
        let ways = if more == 1 { "way" } else { "ways" };
        let help = first.help.take().unwrap_or_default();
        first.help = Some(format!("{help}. It shows in {more} more {ways}"));
    }
    told
}
