//! What is drawn beside places and links: cover of the ground, and lines along and across. A grid draws it as the rules
//! print it; in a drawn map it is whatever shape bears such a class.

use maud::{Markup, html};

/// The classes of what covers ground, in the order in which they are drawn.
pub const COVERS: [&str; 6] = ["sea", "wood", "hill", "marsh", "sand", "tree"];
/// The classes of lines, in the order in which they are drawn.
pub const LINES: [&str; 7] = ["grid", "march", "stream", "river", "wall", "road", "bridge"];
/// The class of what bears no other.
pub const OTHER: &str = "deco";

/// Something that is drawn: its class and its path data.
pub type Drawn = (&'static str, String);

/// The class of a shape in a drawn map: the first that is known of those that it bears.
pub fn class(borne: &str) -> &'static str {
    let known = |word: &str| COVERS.into_iter().chain(LINES).find(|class| *class == word);
    borne.split_whitespace().find_map(known).unwrap_or(OTHER)
}

/// Whether a class is drawn over what lights up, as links are, and not beneath it.
pub fn is_line(class: &str) -> bool {
    LINES.contains(&class)
}

/// Draws one, as grids and drawn maps do; nothing where there is no path.
pub fn draw((class, path): &Drawn) -> Markup {
    let is_cover = COVERS.contains(class) && !matches!(*class, "sea" | "tree");
    let case = match *class {
        "march" => Some("march wide".to_owned()),
        "stream" | "river" | "wall" | "road" => Some(format!("{class} case")),
        _ => None,
    };
    html! {
        @if !path.is_empty() {
            @if let Some(case) = case { path class=(case) d=(path) {} }
            @if is_cover { path class={ "cover " (class) } fill-rule="evenodd" d=(path) {} }
            @else { path class=(class) d=(path) {} }
        }
    }
}
