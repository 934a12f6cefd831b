//! The outline of a shape of a drawn map. Maps come from strangers, and what a curve is taken apart into grows with its
//! numbers: they have bounds before a curve is made of them.

use kurbo::{BezPath, PathEl, Rect, Shape};
use roxmltree::Node;
use svgtypes::{PathParser, PathSegment};

use super::pole::Ring;

/// The greatest number of a shape, and of the frame, in their own units.
pub const FAR: f64 = 1e6;
/// The most corners of a shape that are looked at where its middle is sought.
const MOST_CORNERS: usize = 2000;

/// The outline of a shape in its own units; nothing if it has none that can be read, or numbers that no map needs.
pub fn outline(node: &Node, name: &str) -> Option<BezPath> {
    let number = |name: &str| match node.attribute(name) {
        None => Some(0.0),
        Some(text) => text.trim_end_matches("px").parse::<f64>().ok().filter(|&number| is_near(number)),
    };
    let path = match name {
        "path" => {
            let data = node.attribute("d")?;
            if !PathParser::from(data).all(|segment| segment.is_ok_and(|segment| is_drawn_near(&segment))) {
                return None;
            }
            BezPath::from_svg(data).ok()?
        }
        "rect" => {
            let (x, y) = (number("x")?, number("y")?);
            Rect::new(x, y, x + number("width")?, y + number("height")?).to_path(0.1)
        }
        "circle" => kurbo::Circle::new((number("cx")?, number("cy")?), number("r")?).to_path(0.1),
        "ellipse" => {
            let middle = (number("cx")?, number("cy")?);
            kurbo::Ellipse::new(middle, (number("rx")?, number("ry")?), 0.0).to_path(0.1)
        }
        "line" => {
            let mut path = BezPath::new();
            path.move_to((number("x1")?, number("y1")?));
            path.line_to((number("x2")?, number("y2")?));
            path
        }
        _ => points(node.attribute("points")?, name == "polygon")?,
    };
    Some(path).filter(|path| path.is_finite() && !path.elements().is_empty())
}

/// Whether an outline lies in a frame (its left, top, width and height) or not far outside: what is moved or stretched by
/// `transform` may lie anywhere.
pub fn is_about(path: &BezPath, (left, top, width, height): (f64, f64, f64, f64)) -> bool {
    let far = 100.0 * width.max(height);
    let about = Rect::new(left, top, left + width, top + height).inflate(far, far);
    path.is_finite() && about.union(path.control_box()) == about
}

/// The corners of a path, its curves taken as short lines; of very many some.
pub fn rings(path: &BezPath) -> Vec<Ring> {
    let mut rings: Vec<Ring> = Vec::new();
    let size = path.control_box();
    let tolerance = (size.width().max(size.height()) / 1000.0).max(1.0);
    kurbo::flatten(path, tolerance, |element| match element {
        PathEl::MoveTo(point) => rings.push(vec![(point.x, point.y)]),
        PathEl::LineTo(point) => {
            if let Some(ring) = rings.last_mut() {
                ring.push((point.x, point.y));
            }
        }
        PathEl::QuadTo(..) | PathEl::CurveTo(..) | PathEl::ClosePath => {}
    });
    let one_of = rings.iter().map(Vec::len).sum::<usize>().div_ceil(MOST_CORNERS);
    if one_of > 1 {
        // The smallest rings are the first to go.
        rings.retain(|ring| ring.len() >= one_of);
        for ring in &mut rings {
            *ring = ring.iter().copied().step_by(one_of).collect();
        }
    }
    rings
}

fn points(text: &str, closed: bool) -> Option<BezPath> {
    let numbers =
        text.split(|sign: char| sign == ',' || sign.is_whitespace()).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = numbers.map(str::parse).collect::<Result<_, _>>().ok()?;
    let mut path = BezPath::new();
    for (place, pair) in numbers.chunks_exact(2).enumerate() {
        match place {
            0 => path.move_to((pair[0], pair[1])),
            _ => path.line_to((pair[0], pair[1])),
        }
    }
    if closed && numbers.len() >= 6 {
        path.close_path();
    }
    Some(path)
}

/// Whether a part of a path ends at no far point and has no far radius: of an arc curves are made at once.
fn is_drawn_near(segment: &PathSegment) -> bool {
    match *segment {
        PathSegment::MoveTo { x, y, .. }
        | PathSegment::LineTo { x, y, .. }
        | PathSegment::CurveTo { x, y, .. }
        | PathSegment::SmoothCurveTo { x, y, .. }
        | PathSegment::Quadratic { x, y, .. }
        | PathSegment::SmoothQuadratic { x, y, .. } => is_near(x) && is_near(y),
        PathSegment::HorizontalLineTo { x, .. } => is_near(x),
        PathSegment::VerticalLineTo { y, .. } => is_near(y),
        PathSegment::EllipticalArc { rx, ry, x, y, .. } => [rx, ry, x, y].into_iter().all(is_near),
        PathSegment::ClosePath { .. } => true,
    }
}

/// Whether a number is one that a map needs; what is none, or endless, is not.
pub fn is_near(number: f64) -> bool {
    number.abs() <= FAR
}
