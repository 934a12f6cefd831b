//! The door: what a program can ask, and how it is told.
//!
//! Each tool only says what is to be done; [`super::umpire`] does it. Requests that are sent without waiting are done in
//! the order in which they came.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use blazon_machine::bots::Skill;
use blazon_study::NOW;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ProgressNotificationParam};
use rmcp::schemars::{self, JsonSchema};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};

use super::matches::{self, Asked};
use super::refusal::Refusal;
use super::table::Shown;
use super::umpire::{Answer, Job, Umpire};
use crate::exit::Failure;
use crate::protocol::request::Which;

/// The lines of a page that are told, unless it is said how many.
const LINES: usize = 200;

/// What a tool answers.
type Told = Result<CallToolResult, ErrorData>;

/// The side of the server that hears what is asked.
#[derive(Clone)]
pub struct Door {
    jobs: Sender<Job>,
}

impl Door {
    /// One that hands all that is asked over.
    pub fn new(jobs: Sender<Job>) -> Self {
        Self { jobs }
    }

    /// Hands something over; what was asked before is done before.
    fn hand_over(
        &self,
        work: impl FnOnce(&mut Umpire) -> Answer + Send + 'static,
    ) -> oneshot::Receiver<Answer> {
        let (reply, answer) = oneshot::channel();
        // If there is no umpire any more, the answer says so.
        let _ = self.jobs.send(Job { work: Box::new(work), reply });
        answer
    }

    async fn ask(&self, work: impl FnOnce(&mut Umpire) -> Answer + Send + 'static) -> Told {
        told(self.hand_over(work).await)
    }
}

/// An answer as a program is told it: as an object, and as a text.
fn told(answer: Result<Answer, oneshot::error::RecvError>) -> Told {
    Ok(match answer.unwrap_or_else(|_| Err(Refusal::from(Failure::Bug))) {
        Ok(value) => CallToolResult::structured(value),
        Err(refusal) => CallToolResult::structured_error(refusal.told()),
    })
}

/// Talks to the program at the other end until it goes away.
///
/// # Errors
/// If it does not speak the protocol.
pub fn serve(door: Door) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("no runtime can be started: {error}"))?;
    let served = runtime.block_on(async {
        let service = door.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
        service.waiting().await.map(|_| ()).map_err(|error| error.to_string())
    });
    // A thread that reads the input may wait for ever.
    runtime.shutdown_background();
    served
}

/// Nothing but the tool's name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Read {
    /// The name of a page, as `rules` lists it.
    page: String,
    /// The first line, from 1 on.
    #[serde(default)]
    from: usize,
    /// How many lines at most; 200 if not given, never more than 400.
    lines: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Find {
    /// What must stand in a line, capitals aside.
    words: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Amend {
    /// A page of the amendment: `NAME.blazon`, or `tests/NAME.blazon` for tests.
    page: String,
    /// Its whole text.
    text: Option<String>,
    /// Or a text that stands in it once,
    find: Option<String>,
    /// and what stands there instead.
    with: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Code {
    /// The code of a message, as `names::unknown`.
    code: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Test {
    /// Only tests with this in their name or file, or `@` and a paragraph that they cite.
    only: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Compare {
    /// Who plays, on all seats: `random`, `greedy`, `search@1000`; `random` if not given. Compare at two strengths before
    /// you believe it.
    players: Option<String>,
    /// The most pairs of games; it stops when it is sure. If not given, 4,000 where nobody thinks, else 40.
    pairs: Option<u64>,
    /// By how many games in a hundred somebody must win more, or less, that it matters; 2 if not given.
    points: Option<f64>,
    /// The setup; the first if not given.
    setup: Option<String>,
    /// The same seed gives the same games.
    seed: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Begin {
    /// The setup; the first if not given.
    setup: Option<String>,
    /// The same seed and the same choices are the same game.
    seed: Option<u64>,
    /// Who plays: one for all, or one for each in order, or `NAME=WHO`. `you` chooses by `choose`; `random`, `greedy`,
    /// `search@1000` are programs inside. All are `you` if not given.
    #[serde(default)]
    players: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Load {
    /// What `save` told.
    text: String,
    /// Who plays, as in `begin`.
    #[serde(default)]
    players: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    /// Only options of this name.
    only: Option<String>,
    /// From this one of them on, from 0.
    #[serde(default)]
    from: usize,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Chosen {
    /// The `id` of an option that is asked,
    id: Option<usize>,
    /// or its name,
    option: Option<String>,
    /// with all its arguments by name.
    #[serde(default)]
    args: Map<String, Value>,
    /// Who chooses; needed where several are asked.
    player: Option<String>,
}

impl Chosen {
    /// Which option is meant, if one is.
    fn which(&self) -> Result<Option<Which>, Refusal> {
        match (self.id, &self.option) {
            (Some(id), None) if self.args.is_empty() => Ok(Some(Which::Index(id))),
            (None, Some(option)) => Ok(Some(Which::Meaning(option.clone(), self.args.clone()))),
            (None, None) if self.args.is_empty() => Ok(None),
            (_, _) => {
                Err(Refusal::new("mcp::request", "an option is meant by its `id`, or by `option` and `args`"))
            }
        }
    }

    fn named(&self) -> Result<Which, Refusal> {
        let none =
            || Refusal::new("mcp::request", "no option is named: give its `id`, or `option` and `args`");
        self.which()?.ok_or_else(none)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct View {
    /// What this player sees; everything if not given.
    player: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ask {
    /// An expression of the language: a rule with arguments, or anything that has a value.
    question: String,
    /// How many levels of the rules that it asks are told, too; 0 if not given.
    #[serde(default)]
    depth: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Back {
    /// How many decisions shall have been taken.
    decisions: u64,
}

#[tool_router]
impl Door {
    /// What lies on the desk: game, players, setups, rulings, variants, and all pages, those of the language first.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn rules(&self, Parameters(Nothing {}): Parameters<Nothing>) -> Told {
        self.ask(|umpire| umpire.desk.about()).await
    }

    /// Lines of a page. Begin with `language/tour.md`; `language/reference.md` has all of the language, and how a page
    /// amends a game.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn read(&self, Parameters(read): Parameters<Read>) -> Told {
        let lines = read.lines.unwrap_or(LINES);
        self.ask(move |umpire| umpire.desk.read(&read.page, read.from, lines)).await
    }

    /// Where words stand in all pages.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn find(&self, Parameters(Find { words }): Parameters<Find>) -> Told {
        self.ask(move |umpire| umpire.desk.find(&words)).await
    }

    /// Reads the rules again and tells all that is wrong with them, the amendment included: code, place, how to mend it.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn check(&self, Parameters(Nothing {}): Parameters<Nothing>) -> Told {
        self.ask(|umpire| umpire.desk.check()).await
    }

    /// What the code of a message means, with an example and its mend.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn explain(&self, Parameters(Code { code }): Parameters<Code>) -> Told {
        self.ask(move |umpire| umpire.desk.explain(&code)).await
    }

    /// Lays a page of rules on the game, as a variant is, or changes or drops one; then checks. It is in memory: no file
    /// changes. The game under way goes on by its own rules until `again` or `begin`.
    #[tool(annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false))]
    async fn amend(&self, Parameters(amend): Parameters<Amend>) -> Told {
        let Amend { page, text, find, with } = amend;
        self.ask(move |umpire| umpire.amend(&page, text, find.as_deref(), with.as_deref())).await
    }

    /// The amendment as it stands, as the files of a variant.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn amendment(&self, Parameters(Nothing {}): Parameters<Nothing>) -> Told {
        self.ask(|umpire| umpire.amendment()).await
    }

    /// Writes the amendment as a variant into the folder that whoever started this server allows.
    #[tool(annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false))]
    async fn keep(&self, Parameters(Nothing {}): Parameters<Nothing>) -> Told {
        self.ask(|umpire| umpire.keep()).await
    }

    /// Runs the tests of the game with the amendment on it, and the amendment's own; or some of them.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn test(&self, Parameters(Test { only }): Parameters<Test>) -> Told {
        self.ask(move |umpire| umpire.desk.test(only)).await
    }

    /// What the amendment does to the game: pairs of games on the same luck, by the rules without it and with it. Who wins
    /// how much more or less, how sure that is, and which lines it comes from.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn compare(
        &self,
        Parameters(compare): Parameters<Compare>,
        context: RequestContext<RoleServer>,
    ) -> Told {
        let asked = match asked(compare) {
            Ok(asked) => asked,
            Err(refusal) => return Ok(CallToolResult::structured_error(refusal.told())),
        };
        let stop = Arc::new(AtomicUsize::new(0));
        let (send, mut seen) = mpsc::unbounded_channel();
        let stopped = stop.clone();
        let mut answer = self.hand_over(move |umpire| {
            matches::play(&umpire.desk, asked, &stopped, &mut |pairs, most| {
                // Whoever does not listen any more is not told.
                let _ = send.send((pairs, most));
            })
        });
        let token = context.meta.get_progress_token();
        loop {
            tokio::select! {
                answer = &mut answer => return told(answer),
                () = context.ct.cancelled(), if stop.load(Ordering::Relaxed) == 0 => {
                    stop.store(NOW, Ordering::Relaxed);
                }
                Some((pairs, most)) = seen.recv() => if let Some(token) = &token {
                    let progress = ProgressNotificationParam::new(token.clone(), pairs as f64)
                        .with_total(most as f64)
                        .with_message(format!("{pairs} of at most {most} pairs"));
                    // It is only a courtesy.
                    let _ = context.peer.notify_progress(progress).await;
                }
            }
        }
    }

    /// Begins a game by the rules as they are now, the amendment included, and tells what is asked.
    #[tool(annotations(read_only_hint = false, destructive_hint = true, open_world_hint = false))]
    async fn begin(&self, Parameters(begin): Parameters<Begin>) -> Told {
        self.ask(move |umpire| umpire.begin(begin.setup, begin.seed, &begin.players)).await
    }

    /// What is asked now: of whom, and what is open. `open` counts all options by their names; those that are not told
    /// can be asked for by name.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn asked(&self, Parameters(question): Parameters<Question>) -> Told {
        let shown = Shown { only: question.only, from: question.from };
        self.ask(move |umpire| umpire.table()?.asked(&shown)).await
    }

    /// Takes an option. Programs at the table play on, and it is told what happened and what is asked then.
    #[tool(annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false))]
    async fn choose(&self, Parameters(chosen): Parameters<Chosen>) -> Told {
        self.ask(move |umpire| {
            let which = chosen.named()?;
            umpire.table()?.choose(chosen.player.as_deref(), &which)
        })
        .await
    }

    /// Whether an option is open, or which need refuses it, with its paragraphs and its place in the rules; without an
    /// option all that is refused now.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn why(&self, Parameters(chosen): Parameters<Chosen>) -> Told {
        self.ask(move |umpire| {
            let which = chosen.which()?;
            umpire.table()?.why(chosen.player.as_deref(), which.as_ref())
        })
        .await
    }

    /// What an option would change, without taking it; or that luck has a part in it.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn attempt(&self, Parameters(chosen): Parameters<Chosen>) -> Told {
        self.ask(move |umpire| {
            let which = chosen.named()?;
            umpire.table()?.attempt(chosen.player.as_deref(), &which)
        })
        .await
    }

    /// What a player sees of the position; or everything, as an umpire does.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn view(&self, Parameters(View { player }): Parameters<View>) -> Told {
        self.ask(move |umpire| umpire.table()?.view(player.as_deref())).await
    }

    /// What an expression of the language comes to in this position, and which clauses of the rules made it so.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn ask_rules(&self, Parameters(Ask { question, depth }): Parameters<Ask>) -> Told {
        self.ask(move |umpire| umpire.table()?.ask(&question, depth.into())).await
    }

    /// Goes back to an earlier decision of this game.
    #[tool(annotations(read_only_hint = false, destructive_hint = true, open_world_hint = false))]
    async fn back(&self, Parameters(Back { decisions }): Parameters<Back>) -> Told {
        self.ask(move |umpire| umpire.table()?.back(decisions)).await
    }

    /// Plays this game again from its start by the rules as they are now, as far as they allow; tells where it parts.
    #[tool(annotations(read_only_hint = false, destructive_hint = true, open_world_hint = false))]
    async fn again(&self, Parameters(Nothing {}): Parameters<Nothing>) -> Told {
        self.ask(|umpire| umpire.again()).await
    }

    /// The game under way as a text, which `load` and `blazon play --load` go on with.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn save(&self, Parameters(Nothing {}): Parameters<Nothing>) -> Told {
        self.ask(|umpire| Ok(json!({ "text": umpire.table()?.save()? }))).await
    }

    /// Goes on with a saved game.
    #[tool(annotations(read_only_hint = false, destructive_hint = true, open_world_hint = false))]
    async fn load(&self, Parameters(load): Parameters<Load>) -> Told {
        self.ask(move |umpire| umpire.load(&load.text, &load.players)).await
    }
}

fn asked(compare: Compare) -> Result<Asked, Refusal> {
    let wrong = |message: String| Refusal::new("mcp::request", message);
    let player = compare.players.as_deref().unwrap_or("random").parse::<Skill>().map_err(wrong)?;
    let points = compare.points.unwrap_or(2.0);
    if !(points > 0.0 && points < 100.0) {
        return Err(wrong("`points` are games in a hundred, between 0 and 100".to_owned()));
    }
    if compare.pairs == Some(0) {
        return Err(wrong("`pairs` is at least 1".to_owned()));
    }
    Ok(Asked { player, pairs: compare.pairs, points, setup: compare.setup, seed: compare.seed })
}

/// What every program is told at first.
#[tool_handler(
    name = "blazon",
    instructions = "Blazon runs board wargames from rules text. This is an umpire: `rules` and `read` show the rules and \
the language (begin with language/tour.md), `check` and `test` judge them, `amend` lays pages on the game in memory, \
`compare` tells what they do to it, `begin`, `asked` and `choose` play, `why` and `ask_rules` give reasons with \
paragraphs. What an umpire sees no player may see: pass on only what `view` and `for` say of a player."
)]
impl ServerHandler for Door {}
