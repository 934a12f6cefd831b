//! What is said of a leak: where the secret shows, and the way that it takes.

use blazon_book::walk::Reads;
use blazon_book::{Base, Book, Column, ColumnId, Expr, KindId, Role};
use blazon_diagnostics::{Article, Diagnostic, Span};

use super::Secrecy;
use super::demand::{Asked, Demand};
use super::steps::Viewer;
use super::terms::kind_of;

/// A leak that was found.
pub(super) struct Leak {
    /// What is said of it, at the place where it shows.
    pub diagnostic: Diagnostic,
    /// What shows it, in a few words.
    pub shows: String,
    /// What it shows.
    pub secret: String,
}

/// Where something shows.
#[derive(Clone)]
pub(super) enum Shown {
    /// Whether a statement is done.
    Course(Span),
    /// Who is asked.
    Asked(Span),
    /// In which order things come.
    Order(Span),
    /// What an option is offered for.
    Domain(Span, String),
    /// Why it is refused.
    Need(Span, String),
    /// What a text shows.
    Text(Span),
    /// A state that everybody sees.
    State(Span, ColumnId),
    /// Dice and draws.
    Luck(Span),
    /// What a step is given.
    Given(Span),
    /// What a step returns.
    Answer(Span),
    /// Who wins.
    Winner(Span),
    /// Who sees things of a kind.
    Face(Span, KindId),
}

impl Shown {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Course(span)
            | Self::Asked(span)
            | Self::Order(span)
            | Self::Domain(span, _)
            | Self::Need(span, _)
            | Self::Text(span)
            | Self::State(span, _)
            | Self::Luck(span)
            | Self::Given(span)
            | Self::Answer(span)
            | Self::Winner(span)
            | Self::Face(span, _) => *span,
        }
    }

    /// What shows it, in a few words.
    fn words(&self, book: &Book) -> String {
        match self {
            Self::Course(_) => "what happens".to_owned(),
            Self::Asked(_) => "who is asked".to_owned(),
            Self::Order(_) => "the order".to_owned(),
            Self::Domain(_, option) => format!("what `{option}` is offered for"),
            Self::Need(_, option) => format!("whether `{option}` is refused"),
            Self::Text(_) => "the text".to_owned(),
            Self::State(_, column) => format!("`{}`", book.column(*column).name),
            Self::Luck(_) => "what is rolled or drawn".to_owned(),
            Self::Given(_) => "what is done".to_owned(),
            Self::Answer(_) => "the answer".to_owned(),
            Self::Winner(_) => "who wins".to_owned(),
            Self::Face(_, kind) => format!("who sees {}", Article(&book.kind(*kind).name)),
        }
    }
}

impl Secrecy<'_> {
    /// Names that go by where their pieces lie.
    pub(super) fn misnamed(&mut self, demand: &Demand, source: &Expr) {
        let read = demand.trail.last().copied().unwrap_or(source.span);
        let kind = kind_of(source).map_or(String::new(), |kind| self.book.kind(kind).name.clone());
        let what = demand.column.map_or_else(
            || "where it lies".to_owned(),
            |column| format!("`{}`", self.book.column(column).name),
        );
        let mut diagnostic = Diagnostic::error(
            "hidden::leak",
            source.span,
            format!(
                "which names are offered depends on {what} of {}, which its name doesn't tell",
                Article(&kind)
            ),
        )
        .help("offer all names that are printed, and see in the option's block whether the piece is there");
        if read != source.span {
            diagnostic = diagnostic.related(read, "read here");
        }
        self.found.push(Leak { diagnostic, shows: "the names that are offered".to_owned(), secret: what });
    }

    /// An option for names that doesn't say so.
    pub(super) fn unnamed(&mut self, source: &Expr) {
        let diagnostic =
            Diagnostic::error("hidden::leak", source.span, "these are names, whoever sees their pieces")
                .label("they go by what is printed alone")
                .help("write `named` before the variable: whoever is asked names one, and all hear the name");
        self.found.push(Leak { diagnostic, shows: "names".to_owned(), secret: "what is printed".to_owned() });
    }

    /// Tells of a leak, once for each place where it shows and each that is read.
    pub(super) fn tell(&mut self, demand: &Demand, viewer: &Viewer, shown: &Shown) {
        let read = demand.trail.last().copied().unwrap_or(shown.span());
        if !self.told.insert((shown.span(), read)) {
            return;
        }
        let book = self.book;
        let kind = kind_of(&demand.thing).map_or(String::new(), |kind| book.kind(kind).name.clone());
        let what = match (demand.column, demand.asked) {
            (Some(column), _) => format!("`{}` of {}", book.column(column).name, Article(&kind)),
            (None, Asked::Name | Asked::Back | Asked::Face) => format!("which {kind} it is"),
        };
        let who = match (viewer, shown) {
            (Viewer::Everybody, _) => "not everybody sees",
            (Viewer::One(_), Shown::State(..) | Shown::Face(..)) => "he may not see",
            (Viewer::One(_), _) => "he who is asked may not see",
        };
        let sink = match shown {
            Shown::Course(_) => "what happens here depends on".to_owned(),
            Shown::Asked(_) => "who is asked depends on".to_owned(),
            Shown::Order(_) => "in which order they come tells".to_owned(),
            Shown::Domain(_, option) => format!("what `{option}` is offered for depends on"),
            Shown::Need(_, option) => format!("whether `{option}` is refused depends on"),
            Shown::Text(_) => "the text shows".to_owned(),
            Shown::State(_, column) => {
                let name = &book.column(*column).name;
                match viewer {
                    Viewer::Everybody => format!("`{name}`, which all see, is set to what depends on"),
                    Viewer::One(_) => format!("`{name}`, which somebody sees, is set to what depends on"),
                }
            }
            Shown::Luck(_) => "what is rolled or drawn depends on".to_owned(),
            Shown::Given(_) => "what is done depends on".to_owned(),
            Shown::Answer(_) => "the answer depends on".to_owned(),
            Shown::Winner(_) => "who wins depends on".to_owned(),
            Shown::Face(_, kind) => {
                format!("whether a player sees {} depends on", Article(&book.kind(*kind).name))
            }
        };
        let help = match demand.column {
            _ if matches!(shown, Shown::Order(_)) => {
                "let each turn set only what is asked of its own thing, by what the other turns do not change; or let a \
                 player or chance (`draw`) say who comes next; or go through those whose faces all see (`where` the state \
                 that opens them), or that a rule answers which is `known to all`"
            }
            Some(column) if self.is_on_back(column, &demand.thing) => {
                "all see what the back of a piece shows, but here it is known by its name, and so they learn which \
                 piece that is: go through pieces, or `announce` the name first; or, if the game tells it, say so: \
                 write `known to all` below the rule that answers it"
            }
            _ if matches!(shown, Shown::Need(..)) => {
                "let the need hang on what is seen, or see in the option's block whether it holds; or, if the game tells it, \
                 say so: ask it by a rule, and write `known to all` below that"
            }
            Some(_) | None => {
                "let what shows hang on what is seen; or, if the game tells it, say so: write `known to all` below \
                 the rule that answers it"
            }
        };
        let opened = kind_of(&demand.thing).and_then(|kind| self.opened_by(kind));
        let help = match opened.filter(|_| demand.column.is_some() && matches!(shown, Shown::Course(_))) {
            Some(state) => format!(
                "{help}. That `{state}` opens it counts where it is set in the same block, or asked for \
                 (`where x.{state}`), not where another step or a loop has set it"
            ),
            None => help.to_owned(),
        };
        let mut diagnostic =
            Diagnostic::error("hidden::leak", shown.span(), format!("{sink} {what}, which {who}")).help(help);
        let way: Vec<Span> = demand.trail.iter().copied().filter(|span| *span != shown.span()).collect();
        for (place, span) in way.iter().enumerate() {
            let words = if place + 1 == way.len() { "read here" } else { "by way of this" };
            diagnostic = diagnostic.related(*span, words);
        }
        self.found.push(Leak { diagnostic, shows: shown.words(book), secret: what });
    }

    /// The state by which the face of a piece is opened to all, if there is one: yes or no.
    fn opened_by(&self, kind: KindId) -> Option<&str> {
        let seen = self.book.kind(kind).seen.as_ref()?;
        let columns = Reads::of_expr(&seen.when).columns.into_iter().map(|column| self.book.column(column));
        let opens =
            |column: &&Column| column.ty.base == Base::Flag && matches!(column.role, Role::State { .. });
        columns.filter(opens).map(|column| column.name.as_str()).next()
    }

    /// Whether it is a state that everybody sees of a piece.
    fn is_on_back(&self, column: ColumnId, thing: &Expr) -> bool {
        let is_state = matches!(self.book.column(column).role, Role::State { .. });
        let on_back = kind_of(thing).is_some_and(|kind| self.book.kind(kind).back.contains(&column));
        is_state && (on_back || self.tells.contains(column.0 as usize))
    }
}
