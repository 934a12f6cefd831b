//! For `instructions.sh`: does one piece of work once, in a function that valgrind can be told to look at. `--list`
//! names them all, with the decisions that each takes; without a name everything is done once.

mod native;
mod work;
mod yardstick;

fn main() {
    let args: Vec<String> =
        std::env::args().skip(1).filter(|arg| arg != "--bench" && arg != "--test").collect();
    let list = args.iter().any(|arg| arg == "--list");
    // Under valgrind all takes long: nothing is made ready but what was asked for.
    for work in work::all(args.iter().find(|arg| !arg.starts_with("--")).map(String::as_str)) {
        if list {
            println!("{}\t{}", (work.decisions)(), work.name);
        } else if args.is_empty() || args.contains(&work.name) {
            let mut run = (work.ready)();
            // What is made at the first time only does not count.
            run();
            measured(&mut run);
        }
    }
}

/// What valgrind looks at.
#[inline(never)]
fn measured(run: &mut work::Run) {
    run();
}
