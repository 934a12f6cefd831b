//! The labels of drawn maps that are a name: of a layer, of a shape, or of a line by the two places that it joins.

use blazon_board::{MapLabel, labels_of_map};
use blazon_check::{Definition, DefinitionKind, Model};

/// What is given another name, as far as maps show it.
#[derive(Debug, Default)]
pub struct Drawn {
    /// The kinds whose layers show things that are renamed, by both their names.
    shapes: Vec<[String; 2]>,
    /// The kinds of links whose layers show lines to them.
    lines: Vec<[String; 2]>,
    /// Layers that are renamed.
    layers: Vec<[String; 2]>,
}

impl Drawn {
    /// What some definitions are on maps.
    pub fn of(model: &Model, definitions: &[Definition], old: &str, new: &str) -> Self {
        let mut drawn = Self::default();
        let both = |kind: &blazon_book::Kind| [kind.name.clone(), kind.plural.clone()];
        for definition in definitions {
            for (place, kind) in model.kinds.iter().enumerate() {
                let is_place = |(from, to): (blazon_book::KindId, blazon_book::KindId)| {
                    [from, to].iter().any(|end| end.0 as usize == place)
                };
                let is = |sort| definition.kind == sort;
                if is(DefinitionKind::Thing) && kind.things.iter().any(|thing| thing.span == definition.span)
                {
                    drawn.shapes.push(both(kind));
                    let links = model.kinds.iter().filter(|links| links.ends.is_some_and(is_place));
                    drawn.lines.extend(links.map(both));
                } else if is(DefinitionKind::Kind) && kind.name == old {
                    drawn.layers.push([old.to_owned(), new.to_owned()]);
                    // One that is called otherwise goes on to be called so.
                    if kind.plural == format!("{old}s") {
                        drawn.layers.push([kind.plural.clone(), format!("{new}s")]);
                    }
                } else if is(DefinitionKind::Plural) && kind.plural == old {
                    drawn.layers.push([old.to_owned(), new.to_owned()]);
                }
            }
        }
        drawn
    }

    /// The edits of a map: where, and what is written there.
    pub fn edits(&self, svg: &str, old: &str, new: &str) -> Vec<(u32, u32, String)> {
        if self.shapes.is_empty() && self.layers.is_empty() {
            return Vec::new();
        }
        let is_in = |kinds: &[[String; 2]], label: &str| kinds.iter().flatten().any(|name| same(name, label));
        let layer_of = |label: &str| {
            // A layer of links is one before it is one of places.
            match (is_in(&self.lines, label), is_in(&self.shapes, label)) {
                (true, _) => Some(Layer::Lines),
                (false, true) => Some(Layer::Shapes),
                (false, false) => {
                    self.layers.iter().any(|[name, _]| same(name, label)).then_some(Layer::Renamed)
                }
            }
        };
        let renamed = |label: &MapLabel<Layer>| {
            let text = match label.layer {
                _ if label.is_group => {
                    let layer = self.layers.iter().find(|[name, _]| same(name, &label.text));
                    layer.map(|[_, new]| new.clone())
                }
                Layer::Lines => line(&label.text, old, new),
                Layer::Shapes => Some(new.to_owned()).filter(|_| same(&label.text, old)),
                Layer::Renamed => None,
            };
            Some((label.at.start as u32, label.at.end as u32, label.written(&text?)))
        };
        labels_of_map(svg, layer_of).iter().filter_map(renamed).collect()
    }
}

/// What a layer shows.
#[derive(Clone, Copy)]
enum Layer {
    /// Lines to what is renamed.
    Lines,
    /// What is renamed.
    Shapes,
    /// Things of a kind that is renamed.
    Renamed,
}

/// Labels and layers don't go by large and small letters.
fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// The label of a line, `Mill - Ford`, with another name for an end.
fn line(label: &str, old: &str, new: &str) -> Option<String> {
    let small = label.to_lowercase().replace(['–', '—'], "-");
    let old = old.to_lowercase();
    let dash = [" - ", " – ", " — "];
    // A name may have a dash of its own: the end that is the old name says where the other begins.
    if small.starts_with(&format!("{old} - ")) {
        let (at, _) = dash
            .iter()
            .flat_map(|dash| label.match_indices(dash))
            .find(|(at, _)| same(&label[..*at], &old))?;
        let rest = &label[at..];
        // Both ends can be one place.
        let loops = dash.iter().any(|dash| rest.strip_prefix(dash).is_some_and(|other| same(other, &old)));
        let end = dash.iter().find(|dash| rest.starts_with(**dash)).filter(|_| loops);
        return Some(end.map_or_else(|| format!("{new}{rest}"), |dash| format!("{new}{dash}{new}")));
    }
    if small.ends_with(&format!(" - {old}")) {
        let mut all = dash.iter().flat_map(|dash| label.match_indices(dash));
        let (at, dash) = all.find(|(at, dash)| same(&label[at + dash.len()..], &old))?;
        return Some(format!("{}{dash}{new}", &label[..at]));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_of_a_line_is_renamed() {
        let named = |label| line(label, "Mill", "Weir");
        assert_eq!(named("Mill - Ford").as_deref(), Some("Weir - Ford"));
        assert_eq!(named("Ford — MILL").as_deref(), Some("Ford — Weir"));
        assert_eq!(named("Mill - Mill").as_deref(), Some("Weir - Weir"));
        assert_eq!(named("Old Mill - Ford"), None);
        assert_eq!(named("Mill"), None);
    }
}
