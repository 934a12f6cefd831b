//! The labels of a drawn map: `inkscape:label`, else the first `<title>`, else `id`; and where they stand, for whoever
//! gives a thing another name.

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};

use super::map::{IGNORED, NODES, SVG};

/// A label of a drawn map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapLabel {
    /// The label of the layer that the shape lies in; none if this is the label of a layer.
    pub layer: Option<String>,
    /// What it says.
    pub text: String,
    /// The bytes in which it says so.
    pub at: Range<usize>,
    /// Whether it is an `id`, in which `_` stands for a blank.
    pub is_id: bool,
}

impl MapLabel {
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

/// All labels of layers and of the shapes in them, in their order; none of a map that cannot be read.
pub fn labels_of_map(text: &str) -> Vec<MapLabel> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES, ..ParsingOptions::default() };
    let mut found = Vec::new();
    if let Ok(document) = Document::parse_with_options(text, options) {
        gather(&document.root_element(), None, 0, &mut found);
    }
    found
}

/// So deep stand groups in each other at most.
const DEEPEST: usize = 100;

fn gather(node: &Node, layer: Option<&str>, depth: usize, found: &mut Vec<MapLabel>) {
    let name = node.tag_name().name();
    let is_drawn = node.is_element() && node.tag_name().namespace() == Some(SVG) && !IGNORED.contains(&name);
    if !is_drawn || depth > DEEPEST {
        return;
    }
    let own = label(node);
    if !matches!(name, "svg" | "g") {
        let layer = layer.map(str::to_owned);
        found.extend(own.filter(|_| layer.is_some()).map(|own| MapLabel { layer, ..own }));
        return;
    }
    let opened = own.filter(|_| layer.is_none());
    let inner = layer.map(str::to_owned).or_else(|| opened.as_ref().map(|own| own.text.clone()));
    found.extend(opened);
    for child in node.children() {
        gather(&child, inner.as_deref(), depth + 1, found);
    }
}

/// The label of a group or shape.
pub(super) fn label(node: &Node) -> Option<MapLabel> {
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
        return Some(MapLabel { layer: None, text: text.to_owned(), at, is_id: false });
    }
    let id = node.attribute_node("id")?;
    Some(MapLabel { layer: None, text: id.value().replace('_', " "), at: id.range_value(), is_id: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_where_they_stand() {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:i='urn:i'><g i:label='area'>\
                    <path id='Old_Mill' d='M0,0'/><g><path d='M0,0'><title> Up &amp; Down </title></path></g></g>\
                    <path id='free'/></svg>";
        let shown: Vec<(Option<String>, String, &str, bool)> = labels_of_map(text)
            .into_iter()
            .map(|label| (label.layer, label.text, &text[label.at], label.is_id))
            .collect();
        let area = Some("area".to_owned());
        assert_eq!(
            shown,
            [
                (None, "area".to_owned(), "area", false),
                (area.clone(), "Old Mill".to_owned(), "Old_Mill", true),
                (area, "Up & Down".to_owned(), "Up &amp; Down", false),
            ]
        );
        assert_eq!(labels_of_map("<svg"), []);
    }
}
