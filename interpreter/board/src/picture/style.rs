//! The stylesheet of a picture, worked out: what draws pictures elsewhere knows neither variables nor two themes. Of the
//! rules only those are kept that something in the picture needs.
//!
//! A variable of the root is put in. A variable of a class, as each tincture has, makes a rule a rule for each class that
//! sets it, of which an element or something around it is.

mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use self::values::{Variables, declaration};

/// The stylesheet for what is drawn, in light.
pub fn plain(drawn: &str) -> String {
    let rules: Vec<Rule> = [crate::STYLE, include_str!("picture.css")].into_iter().flat_map(rules).collect();
    let elements = Elements::of(drawn);
    let root = rules.iter().filter(|rule| rule.selectors == [":root"]).flat_map(|rule| &rule.declarations);
    let root: Variables = root.copied().collect();
    let mut scopes: BTreeMap<&str, Variables> = BTreeMap::new();
    for rule in &rules {
        for (name, value) in rule.declarations.iter().filter(|(name, _)| name.starts_with("--")) {
            for selector in rule.selectors.iter().filter(|selector| **selector != ":root") {
                scopes.entry(selector).or_default().insert(name, value);
            }
        }
    }
    let mut style = String::new();
    for rule in rules.iter().filter(|rule| rule.selectors != [":root"]) {
        let own: Vec<_> = rule.declarations.iter().filter(|(name, _)| !name.starts_with("--")).collect();
        let (scoped, free): (Vec<_>, Vec<_>) =
            own.into_iter().partition(|(_, value)| scopes.values().any(|scope| scope.uses(value)));
        let of_all = |selector: &&str| vec![(*selector).to_owned()];
        put(&mut style, &rule.selectors, of_all, &free, &root, &elements);
        for (class, variables) in &scopes {
            let of_class = |selector: &&str| within(selector, class);
            let used: Vec<_> = scoped.iter().filter(|(_, value)| variables.uses(value)).copied().collect();
            put(&mut style, &rule.selectors, of_class, &used, &root.and(variables), &elements);
        }
    }
    style
}

/// Writes a rule for those of its selectors that something is selected by.
fn put(
    style: &mut String,
    selectors: &[&str],
    wider: impl Fn(&&str) -> Vec<String>,
    declarations: &[&(&str, &str)],
    variables: &Variables,
    elements: &Elements,
) {
    let selectors: Vec<String> =
        selectors.iter().flat_map(wider).filter(|selector| elements.has(selector)).collect();
    let written: Vec<String> =
        declarations.iter().flat_map(|(name, value)| declaration(name, value, variables)).collect();
    if !selectors.is_empty() && !written.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(style, "{} {{ {} }}", selectors.join(", "), written.join("; "));
    }
}

/// The selectors of what a selector selects, as far as it or something around it is of a class.
fn within(selector: &str, class: &str) -> Vec<String> {
    let parts: Vec<&str> = selector.split(' ').collect();
    let mut all = Vec::new();
    for at in 0..parts.len() {
        let (before, rest) = parts.split_at(at);
        let around: Vec<&str> = before.iter().copied().chain([class]).chain(rest.iter().copied()).collect();
        all.push(around.join(" "));
        let own: Vec<String> = parts
            .iter()
            .enumerate()
            .map(|(place, part)| if place == at { format!("{part}{class}") } else { (*part).to_owned() })
            .collect();
        all.push(own.join(" "));
    }
    all
}

/// A rule of a stylesheet.
struct Rule<'a> {
    selectors: Vec<&'a str>,
    declarations: Vec<(&'a str, &'a str)>,
}

fn rules(sheet: &str) -> Vec<Rule<'_>> {
    let mut rules = Vec::new();
    for part in sheet.split('}') {
        let Some((selectors, declarations)) = part.rsplit_once('{') else { continue };
        let selectors = selectors.rsplit("*/").next().unwrap_or(selectors);
        let declarations = declarations.split(';').filter_map(|declaration| declaration.split_once(':'));
        rules.push(Rule {
            selectors: selectors.split(',').map(str::trim).collect(),
            declarations: declarations.map(|(name, value)| (name.trim(), value.trim())).collect(),
        });
    }
    rules
}

/// The element around all.
const ROOT: &str = "svg";

/// An element as far as a selector cares: its name and its classes.
type Element<'a> = (&'a str, Vec<&'a str>);

/// The elements that there are.
struct Elements<'a> {
    /// Each with all that are around it, the outermost first.
    chains: Vec<Vec<Element<'a>>>,
    /// The chains that end with an element of a name.
    by_name: BTreeMap<&'a str, Vec<usize>>,
    /// The chains that end with an element of a class.
    by_class: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Elements<'a> {
    fn of(drawn: &'a str) -> Self {
        let mut chains = BTreeSet::new();
        let mut around: Vec<Element> = vec![(ROOT, Vec::new())];
        for tag in drawn.split('<').filter_map(|tag| tag.split_once('>').map(|(tag, _)| tag)) {
            if tag.starts_with('/') {
                around.pop();
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            let classes = tag.split_once(" class=\"").and_then(|(_, rest)| rest.split_once('"'));
            let classes = classes.map_or("", |(classes, _)| classes).split_whitespace();
            around.push((name, classes.collect()));
            if !chains.contains(&around) {
                chains.insert(around.clone());
            }
            if tag.ends_with('/') {
                around.pop();
            }
        }
        let chains: Vec<_> = chains.into_iter().collect();
        let (mut by_name, mut by_class): (BTreeMap<_, Vec<_>>, BTreeMap<_, Vec<_>>) = Default::default();
        for (place, (name, classes)) in
            chains.iter().enumerate().filter_map(|(at, all)| Some((at, all.last()?)))
        {
            by_name.entry(*name).or_default().push(place);
            for class in classes {
                by_class.entry(*class).or_default().push(place);
            }
        }
        Self { chains, by_name, by_class }
    }

    /// The chains that end with what a part of a selector selects, or with more.
    fn ending(&self, part: &str) -> &[usize] {
        let mut words = part.split('.');
        let name = words.next().filter(|name| !name.is_empty());
        let named = name.map(|name| self.by_name.get(name));
        let classed = words.map(|class| self.by_class.get(class));
        // What there is none of is the least.
        let all = named.into_iter().chain(classed).map(|found| found.map_or(&[][..], Vec::as_slice));
        all.min_by_key(|chains| chains.len()).unwrap_or_default()
    }

    /// Whether a selector selects an element that there is. A picture has a thousand, and most selectors that are asked for
    /// name a class that none of them has.
    fn has(&self, selector: &str) -> bool {
        let is = |part: &str, element: &Element| {
            let mut words = part.split('.');
            let name = words.next().unwrap_or_default();
            (name.is_empty() || element.0 == name) && words.all(|class| element.1.contains(&class))
        };
        // Each element ends a chain of its own, but the one around all.
        if selector.split(' ').any(|part| part != ROOT && self.ending(part).is_empty()) {
            return false;
        }
        let last = selector.rsplit(' ').next().unwrap_or_default();
        self.ending(last).iter().any(|&place| {
            let mut elements = self.chains[place].iter().rev();
            let of_last = elements.next().is_some_and(|element| is(last, element));
            of_last && selector.rsplit(' ').skip(1).all(|part| elements.any(|element| is(part, element)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_old_viewers_do_not_know() {
        // Everything that could be drawn: an element for each part of each selector, with each tincture and colour.
        let mut drawn = String::new();
        for selector in [crate::STYLE, include_str!("picture.css")]
            .into_iter()
            .flat_map(rules)
            .flat_map(|rule| rule.selectors)
        {
            drawn += "<g class=\"t-or l-red\">";
            for part in selector.split(' ') {
                let mut words = part.split('.');
                let name = words.next().filter(|name| !name.is_empty()).unwrap_or("g");
                drawn += &format!("<{name} class=\"{}\">", words.collect::<Vec<_>>().join(" "));
            }
            drawn += &"</g>".repeat(selector.split(' ').count() + 1);
        }
        let style = plain(&drawn);
        assert!(style.lines().count() > 100, "{style}");
        for modern in
            ["var(", "light-dark", "color-mix", "--", ":is", ":not", "filter", "@", "[", "transparent"]
        {
            assert!(!style.contains(modern), "{modern}: {style}");
        }
        let colours = style.split('#').skip(1).filter_map(|rest| rest.split([';', ' ']).next());
        for colour in colours {
            assert!(matches!(colour.len(), 3 | 6), "#{colour}");
        }
    }

    #[test]
    fn a_variable_of_a_class_is_put_in_for_what_it_is_around() {
        let style =
            plain(r#"<g class="piece t-gules"><rect class="wood"/></g><circle class="home t-azure"/>"#);
        let rule = |selector: &str| style.lines().find(|line| line.contains(selector)).unwrap_or_default();
        assert!(rule(".piece.t-gules .wood").contains("fill: #a53c33; stroke: #5e1c17"), "{style}");
        assert!(rule(".home.t-azure").contains("stroke: #29507b"), "{style}");
        assert!(!style.contains("t-vert") && !style.contains(".river"), "{style}");
    }
}
