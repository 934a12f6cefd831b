//! The labels of a drawn map: `inkscape:label`, else the first `<title>`, else `id`; and where they stand, for whoever
//! gives a thing another name. Of the groups around a shape the innermost whose label means a layer is its layer: programs that
//! draw put groups of their own around and between, and give the whole file an `id` or a title.

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};

use super::map::{IGNORED, NODES, SVG};

/// A label of a drawn map, in which layers are told apart by `L`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapLabel<L> {
    /// The layer that the shape lies in; of a group the layer that it is itself.
    pub layer: L,
    /// Whether it is the label of a group.
    pub is_group: bool,
    /// What it says.
    pub text: String,
    /// The bytes in which it says so.
    pub at: Range<usize>,
    /// Whether it is an `id`, in which `_` stands for a blank.
    pub is_id: bool,
}

impl<L> MapLabel<L> {
    /// How another text is written in its place.
    pub fn written(&self, text: &str) -> String {
        let text = if self.is_id { text.replace(' ', "_") } else { text.to_owned() };
        let signs = text.chars().map(|sign| match sign {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            '\'' => "&apos;".to_owned(),
            other => other.to_string(),
        });
        signs.collect()
    }
}

/// All labels of layers and of the shapes in them, in their order; none of a map that cannot be read. `layer_of` says which
/// layer the label of a group means.
pub fn labels_of_map<L: Copy>(text: &str, layer_of: impl Fn(&str) -> Option<L>) -> Vec<MapLabel<L>> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES, ..ParsingOptions::default() };
    let mut found = Vec::new();
    if let Ok(document) = Document::parse_with_options(text, options) {
        gather(&document.root_element(), None, &layer_of, 0, &mut found);
    }
    found
}

/// So deep stand groups in each other at most.
const DEEPEST: usize = 100;

fn gather<L: Copy>(
    node: &Node,
    layer: Option<L>,
    layer_of: &dyn Fn(&str) -> Option<L>,
    depth: usize,
    found: &mut Vec<MapLabel<L>>,
) {
    let name = node.tag_name().name();
    let is_drawn = node.is_element() && node.tag_name().namespace() == Some(SVG) && !IGNORED.contains(&name);
    if !is_drawn || depth > DEEPEST {
        return;
    }
    let own = label(node);
    let is_group = matches!(name, "svg" | "g");
    let means = if is_group { own.as_ref().and_then(|own| layer_of(&own.text)) } else { layer };
    if let Some((Label { text, at, is_id }, layer)) = own.zip(means) {
        found.push(MapLabel { layer, is_group, text, at, is_id });
    }
    if is_group {
        let inner = means.or(layer);
        node.children().for_each(|child| gather(&child, inner, layer_of, depth + 1, found));
    }
}

/// What the label of a group or shape says, and where.
pub(super) struct Label {
    pub text: String,
    at: Range<usize>,
    is_id: bool,
}

/// The label of a group or shape.
pub(super) fn label(node: &Node) -> Option<Label> {
    let inkscape =
        node.attributes().find(|attribute| attribute.name() == "label" && attribute.namespace().is_some());
    let said = match inkscape {
        Some(attribute) => Some((attribute.value(), attribute.range_value())),
        None => {
            let title = node.children().find(|child| child.tag_name().name() == "title");
            let text = title.and_then(|title| title.children().find(Node::is_text));
            text.and_then(|text| Some((text.text()?, text.range())))
        }
    };
    // Blanks around it say nothing.
    let document = node.document().input_text();
    let trimmed = said.map(|(text, at)| {
        let written = document.get(at.clone()).unwrap_or_default();
        let start = at.start + (written.len() - written.trim_start().len());
        (text.trim(), start..start + written.trim().len())
    });
    if let Some((text, at)) = trimmed.filter(|(text, _)| !text.is_empty()) {
        return Some(Label { text: text.to_owned(), at, is_id: false });
    }
    let id = node.attribute_node("id")?;
    Some(Label { text: id.value().replace('_', " "), at: id.range_value(), is_id: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_where_they_stand() {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:i='urn:i' id='svg1'><g i:label='All'>\
                    <g i:label='area'><path id='Old_Mill' d='M0,0'/><g id='g7'><path d='M0,0'>\
                    <title> Up &amp; Down </title></path></g></g></g><path id='free'/></svg>";
        let labels = labels_of_map(text, |label| (label == "area").then_some(7));
        let shown: Vec<(bool, &str, &str, bool)> = labels
            .iter()
            .map(|label| (label.is_group, label.text.as_str(), &text[label.at.clone()], label.is_id))
            .collect();
        assert_eq!(
            shown,
            [
                (true, "area", "area", false),
                (false, "Old Mill", "Old_Mill", true),
                (false, "Up & Down", "Up &amp; Down", false),
            ]
        );
        assert!(labels.iter().all(|label| label.layer == 7));
        assert_eq!(labels_of_map("<svg", |_| Some(())), []);
    }
}
