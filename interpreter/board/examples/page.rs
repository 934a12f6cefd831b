//! Writes a page with the board of a game after some random choices, to be looked at: `page GAME SEED CHOICES [MAP]`.

use std::error::Error;

use blazon::{Game, Loader, Selection, bots};
use blazon_board::Board;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, seed, choices, rest @ ..] = args.as_slice() else {
        return Err("page GAME SEED CHOICES [MAP]".into());
    };
    let program = Loader::new().find(name)?.program(&Selection::default())?;
    let map = rest.first().map(std::fs::read_to_string).transpose()?;
    let board = Board::new(program.clone(), map.as_deref()).map_err(|problems| format!("{problems:#?}"))?;
    let mut game = Game::new(program)?;
    let seed: u64 = seed.parse()?;
    game.begin(seed)?;
    let mut bot = bots::Random::new(seed, bots::Pick::ByName);
    for _ in 0..choices.parse()? {
        let Some(player) = game.decider() else { break };
        game.choose_by(player, &mut bot)?;
    }
    let seat = game.decider();
    let events = game.events().to_vec();
    let lines = board.lines(&game, &events, seat);
    let start = std::time::Instant::now();
    let shown = board.show(&mut game, seat)?;
    eprintln!("{:?} to show", start.elapsed());
    let of = |layer: &str| -> String {
        shown.fragments.iter().filter(|part| part.layer == layer).map(|part| part.html.as_str()).collect()
    };
    let sheet =
        board.sheet().replace("<g id=\"pieces\"></g>", &format!("<g id=\"pieces\">{}</g>", of("pieces")));
    println!(
        "<!doctype html><meta charset=utf-8><link rel=stylesheet href=board.css><body>\
         <header id=head>{}</header><aside id=trays>{}{}</aside><main id=stage>{sheet}</main>\
         <aside id=panel><section id=decision><h1>{}</h1></section><section id=hand>{}</section>\
         <section id=log><ol>{}</ol></section></aside><script type=application/json id=state>{}</script>",
        of("head"),
        of("trays"),
        board.key(),
        shown.decision.prompt,
        of("hand"),
        lines.into_iter().flatten().collect::<String>(),
        serde_json::to_string(&shown.decision)?,
    );
    Ok(())
}
