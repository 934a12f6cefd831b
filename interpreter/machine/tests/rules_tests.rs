//! Tests that stand in rules texts, run.

mod common;

use blazon_book::{Expectation, KindId, Pick, Test, TestLine, TestLineKind};
use blazon_diagnostics::Span;
use blazon_machine::test_runner::{TestReport, run_test};
use common::*;

fn run(lines: Vec<TestLineKind>) -> TestReport {
    let sample = sample();
    let lines = lines.into_iter().map(|kind| TestLine { kind, span: Span::default(), from: None }).collect();
    let test = Test {
        name: "a test".into(),
        cites: vec!["9.9".into()],
        rulings: Vec::new(),
        lines,
        span: Span::default(),
    };
    run_test(&sample.program, &test)
}

fn pick(name: &str, args: &[(Option<KindId>, i64)]) -> Pick {
    let words: Vec<String> = args.iter().map(|(_, a)| a.to_string()).collect();
    Pick {
        name: name.into(),
        args: args.iter().map(|&a| vec![(Some(AREA), 1), a]).collect(),
        asked: Vec::new(),
        text: format!("{name}({})", words.join(", ")),
    }
}

fn take(block: i64) -> Pick {
    pick("take", &[(Some(BLOCK), block)])
}

fn begin() -> Vec<TestLineKind> {
    let sample = sample();
    vec![
        TestLineKind::From(0),
        TestLineKind::Set(sample.lay),
        TestLineKind::Dice(vec![4, 5]),
        TestLineKind::Play(sample.pass),
    ]
}

fn messages(report: &TestReport) -> Vec<String> {
    report
        .failures
        .iter()
        .map(|f| format!("{}: {}", f.message, f.actual.clone().unwrap_or_default()))
        .collect()
}

#[test]
fn lines_that_hold_pass_and_cite() {
    use TestLineKind::*;
    let mut lines = begin();
    lines.extend([
        Offer(0, take(40)),
        Offer(0, pick("pass", &[])),
        Decide(0, take(7)),
        Refuse(1, take(7), Some("Block 7 is taken".into())),
        Refuse(1, take(33), None),
        Refuse(1, take(500), None),
        Decide(1, take(3)),
        Offer(0, take(8)),
    ]);
    let report = run(lines);
    assert!(report.passed, "{:?}", report.failures);
    assert_eq!(report.cites, ["3.1", "5.2", "9.9"]);
}

#[test]
fn lines_that_do_not_hold_say_what_stands_instead() {
    use TestLineKind::*;
    let with = |more: Vec<TestLineKind>| {
        let mut lines = begin();
        lines.extend(more);
        run(lines)
    };
    assert_eq!(messages(&with(vec![Decide(1, take(7))])), ["Lancaster is asked, not York: "]);
    let report = with(vec![Decide(0, take(500))]);
    assert_eq!(messages(&report), ["`take(500)` is not open: not among what can be chosen here"]);
    assert!(
        report.failures[0]
            .position
            .starts_with("Lancaster is asked \"You rolled 4\", 71 open, 70 of `take`:\n  take('Block 0')\n")
    );
    let report = with(vec![Decide(0, take(7)), Decide(1, take(7)), Offer(0, take(1))]);
    assert_eq!(messages(&report), ["`take(7)` is not open: refused: Block 7 is taken @5.2"]);
    let report =
        with(vec![Decide(0, take(7)), Refuse(1, take(7), Some("no".into())), Refuse(1, take(6), None)]);
    assert_eq!(
        messages(&report),
        ["`take(7)` is refused for another reason: refused: Block 7 is taken", "`take(6)` is open: open"]
    );
    assert_eq!(
        messages(&with(vec![Offer(0, pick("sail", &[]))])),
        ["`sail()` is not open: another question is asked"]
    );
    assert_eq!(
        messages(&run(vec![From(0), Decide(0, take(1))])),
        ["nothing is asked, so Lancaster cannot choose `take(1)`: "]
    );
    assert_eq!(
        messages(&with(vec![Refuse(0, take(500), Some("far".into()))])),
        ["`take(500)` cannot be asked about: not among what can be chosen here"]
    );
}

#[test]
fn expectations_and_faults() {
    use TestLineKind::*;
    let sample = sample();
    let mut lines = begin();
    // `may take` needs a block; asked without one it fails. `outlook` of nobody is a rule that fails, too.
    lines.push(Expect(vec![Expectation {
        condition: sample.score,
        actual: None,
        actual_of: String::new(),
        lives: Vec::new(),
        text: "a".into(),
        span: Span::default(),
    }]));
    let report = run(lines);
    assert!(report.failures[0].message.starts_with("`a` cannot be asked"), "{:?}", report.failures);
    // A die of nine sides is none: the line fails, and the next one may expect it.
    let mut lines = begin();
    lines[2] = Dice(vec![9]);
    lines.push(Fails("6 sides".into()));
    assert!(run(lines.clone()).passed);
    lines.pop();
    assert!(messages(&run(lines))[0].starts_with("the game stops: the next die of the test shows 9"));
    let mut lines = begin();
    lines.push(Fails("anything".into()));
    assert_eq!(messages(&run(lines)), ["the line before should have failed: "]);
}
