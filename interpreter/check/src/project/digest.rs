//! What the text of all rules in play comes to: the hashes of the items, as the parser made them, and those of the
//! manifest and of the files whose rows are taken in.

use blazon_book::{Digest, DigestLayer, ItemDigest, PageDigest};
use blazon_diagnostics::{SourceId, Span};
use blazon_syntax::digest::of_words;

use crate::project::{Layer, Parsed, TakenIn};

/// The digest of a project. Pages that hold nothing that is played, such as those of tests, are left out.
pub(crate) fn of(parsed: &Parsed) -> Digest {
    let mut pages = Vec::new();
    let mut order: Vec<Layer> = vec![Layer::Library, Layer::Game];
    order.extend((0..parsed.variants.len()).map(Layer::Variant));
    for layer in order {
        if layer == Layer::Game {
            pages.extend(manifest(parsed));
        }
        let files = parsed.files.iter().filter(|(of, _)| *of == layer);
        pages.extend(files.filter_map(|(_, file)| {
            let items: Vec<ItemDigest> =
                file.digests.iter().map(|item| ItemDigest { hash: item.hash, span: item.span }).collect();
            let source = items.first()?.span.source;
            Some(PageDigest { layer: named(parsed, layer), name: name(parsed, layer, source), items })
        }));
        let taken = parsed.taken.iter().filter(|taken| taken.layer == layer);
        pages.extend(taken.map(|taken| rows(parsed, taken)));
    }
    Digest { pages }
}

fn named(parsed: &Parsed, layer: Layer) -> DigestLayer {
    match layer {
        Layer::Library => DigestLayer::Library,
        Layer::Game => DigestLayer::Game,
        Layer::Variant(place) => DigestLayer::Variant(
            parsed.variants.get(place).map(|variant| variant.name.clone()).unwrap_or_default(),
        ),
    }
}

/// A file's name within the folder of its layer, so that it does not matter where the folder lies.
fn name(parsed: &Parsed, layer: Layer, source: SourceId) -> String {
    let whole = parsed.sources.find(source).map_or("", |source| &source.name);
    let manifest = match layer {
        Layer::Library => None,
        Layer::Game => parsed.manifests.first(),
        Layer::Variant(place) => parsed.manifests.get(place + 1),
    };
    let folder = manifest.and_then(|span| {
        let manifest = &parsed.sources.find(span.source)?.name;
        manifest.rfind('/').map(|slash| &manifest[..=slash])
    });
    let inside = match (layer, folder) {
        (Layer::Library, _) => whole.rsplit('/').next(),
        (_, Some(folder)) => whole.strip_prefix(folder),
        (_, None) => None,
    };
    inside.unwrap_or(whole).to_owned()
}

/// What of the game's manifest is played: who plays, and how it begins. Its name, the variants and the values of
/// rulings are compared by themselves; the modules it uses are pages.
fn manifest(parsed: &Parsed) -> Option<PageDigest> {
    let span = *parsed.manifests.first()?;
    let game = &parsed.game;
    let words = ["player", &game.player, "begins", &game.begins, "players"];
    let mut seated: Vec<&String> = parsed.variants.iter().flat_map(|variant| &variant.players).collect();
    seated.sort();
    let players = game.players.iter().chain(seated).map(String::as_str);
    let mut unseated: Vec<&String> = parsed.variants.iter().flat_map(|variant| &variant.unseats).collect();
    unseated.sort();
    let heading = (!unseated.is_empty()).then_some("unseats");
    let absent = heading.into_iter().chain(unseated.into_iter().map(String::as_str));
    let hash = of_words(words.into_iter().chain(players).chain(absent));
    let items = vec![ItemDigest { hash, span }];
    Some(PageDigest { layer: DigestLayer::Game, name: name(parsed, Layer::Game, span.source), items })
}

/// The rows of a file, with the name of the table that they are in.
fn rows(parsed: &Parsed, taken: &TakenIn) -> PageDigest {
    let text = &*parsed.sources.get(taken.source).text;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    let cells = lines.flat_map(|line| line.split('\t').map(str::trim).chain(std::iter::once("\n")));
    let hash = of_words(["rows", &taken.name].into_iter().chain(cells));
    let items = vec![ItemDigest { hash, span: Span::new(taken.source, 0, 0) }];
    PageDigest { layer: named(parsed, taken.layer), name: name(parsed, taken.layer, taken.source), items }
}
