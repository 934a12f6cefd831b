//! What each rule of the grammar is called in messages. The match is complete: a new rule needs a name here.

use blazon_grammar::Rule;

use crate::keywords::{Keyword, keyword, keyword_rules};

/// What sort of thing is expected, for hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// A name of the rules.
    Name,
    /// A thing.
    Thing,
    /// A value of any sort.
    Value,
    /// A sign between values.
    Operator,
    /// A keyword, a sign, a whole line.
    Other,
    /// What could also follow, said only if nothing else is.
    More,
}

/// The words for a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    /// As it stands in "expected …".
    pub words: &'static str,
    /// Its sort.
    pub group: Group,
    /// The keyword that it is or begins with.
    pub keyword: Option<&'static Keyword>,
}

/// What begins with the keyword that a rule reads.
fn beginning(rule: Rule, group: Group) -> Option<Description> {
    keyword(rule).map(|keyword| Description { words: keyword.shown, group, keyword: Some(keyword) })
}

/// The words for a rule; none for rules that say nothing to the reader.
pub(crate) fn describe(rule: Rule) -> Option<Description> {
    use Group::*;
    use Rule::*;
    let (words, sort) = match rule {
        assign_ahead | br | gap | WHITESPACE | item_entry | expression_entry | list_entry | item
        | word_char | joint | edge | tail | big | capital | small | word | inner | opening | quoted
        | bracket | bracket_word | seer | sighted | opened | closed | relation | sum_sign | primary
        | declaration | member | clause | besides | blank | part_change | placing_line | statement
        | amend | change | under_line | rule_line | back_line | procedure_line | kind_line | table_line
        | links_line | setup_line | test_line => {
            return None;
        }

        nl | sep | EOI => ("the end of the line", Other),
        name | heading | partial | choice_name | label_name => ("a name", Name),
        thing => ("a thing", Thing),
        number => ("a number", Other),
        cite | cites => ("a citation", More),
        text | quote => ("a text", Other),
        plain | hole | chosen => ("the rest of the text", Other),
        plural_words => ("words of one and of several", More),
        open_brace => ("`{`", Other),
        close_brace => ("`}`", Other),
        open_bracket => ("`(`", More),
        close_bracket => ("`)`", Other),
        open_list => ("`[`", More),
        close_list => ("`]`", Other),
        comma => ("`,`", Other),
        semicolon => ("`;`", Other),
        colon => ("`:`", Other),
        dot => ("`.`", More),
        bar => ("`|`", Other),
        question => ("`?`", More),
        equals => ("`=`", Other),
        plus => ("`+`", More),
        minus => ("`-`", Other),
        take => ("`+`", Other),
        range_sign => ("`..`", Other),
        assign_op => ("`:=`", Other),

        keyword_rules!() => {
            return keyword(rule).and_then(|found| beginning(rule, found.group));
        }

        expr | range_expr | sum | operand => ("a value", Value),
        query | bound | ranging | keyed | ranked | reached | way | every | list | group_expr | flag
        | nothing | quantifier | total | ranking | reach | extreme => ("a value", Value),
        rounding => ("`rounded`", More),
        infix | range_infix | sum_infix | op_not_in | comparison_sign | product_sign => {
            ("a sign such as `+` or `=`", Operator)
        }
        call => ("a name", Name),
        args => ("arguments in brackets", More),
        where_part => return beginning(kw_where, Other),
        by_part | by_keys | way_part => return beginning(kw_by, Other),
        within_part => return beginning(kw_within, Other),

        type_ | set_type | range_type => ("a type", Name),
        kind | fact | state | rule_item | step | table | links | grid | setup | ruling | watch
        | invariant | look | omitted => ("a declaration", Other),
        look_value => ("what it looks like", Name),
        plural => ("the plural in brackets", More),
        ends => ("the two ends", Name),
        things | things_line => ("things", Thing),
        kind_body => ("`{`", Other),
        fresh => ("`, fresh each …`", Other),
        keys | placing_keys => ("kinds in brackets", More),
        seen => return beginning(kw_seen, Other),
        back => return beginning(kw_back, Other),
        back_clause => ("`+`", Other),
        back_names => ("a fact or state", Name),
        title => ("a title", More),
        params => ("parameters in brackets", More),
        param => ("a parameter", Name),
        exception => return beginning(kw_except, Other),
        modifier | modifier_sign => ("`+`", Other),
        need => return beginning(kw_needs, Other),
        need_case => return beginning(kw_if, Other),
        known => return beginning(kw_known, Other),
        beating | label => ("a label", Name),
        beaten => return beginning(kw_beats, More),
        condition => return beginning(kw_if, Other),
        fixed => ("columns in brackets", More),
        fixed_column => ("a column", Name),
        stagger => ("a layout such as `even columns low`", Other),
        row => ("a row `| … |`", Other),
        cell => ("a cell", Other),
        named_row => ("a row by name", Thing),
        named_cell => ("a column and its value", Other),
        link_list | link => ("a link", Thing),
        ruling_value => ("a value", Value),
        placing | settings => ("`(`", Other),
        others => return beginning(kw_others, Other),
        group => ("a heading", Thing),
        placed | placed_thing | placed_name => ("a thing", Thing),
        placed_value => ("a thing or a number", Thing),

        block => ("`{`", Other),
        let_line | if_block | if_part | for_block | with_block | while_block | stop_line | return_line
        | say_line | say_word | action | assignment | choose | case_block => ("a statement", Other),
        else_part => return beginning(kw_else, Other),
        when_part => return beginning(kw_when, Other),
        each => return beginning(kw_each, Other),
        option => ("`option`", Other),
        binders => ("choices in brackets", More),
        beside => return beginning(kw_beside, More),
        whole => return beginning(kw_whole, More),
        by_name => return beginning(kw_named, More),
        binder => ("a name", Name),

        inside | citing | hook | hook_word | under | rule_under | procedure_under | waive | remove
        | replace => ("a change", Other),
        fact_value => ("a printed value", Other),
        removed_test => return beginning(kw_test, Other),
        removed | removable => ("a word such as `clause`", Other),
        part_name => ("a name", Name),
        in_procedure | procedure => ("`step`, `option`", Other),
        in_rule | in_kind | in_seen | in_back | in_table | in_links | in_setup | in_fact => {
            ("a part to open", Other)
        }
        citable => ("a word such as `rule`", Other),
        fact_line => ("`+`", Other),
        rule_replace | back_replace | procedure_replace | kind_replace | table_replace | links_replace
        | setup_replace => {
            return beginning(kw_replace, Other);
        }

        test => ("a test", Other),
        scene => ("a scene", Other),
        from | position | test_ruling | play | dice | cards | expect | fails | offer | refuse => {
            ("a line of a test", Other)
        }
        sight | telling => ("a line such as `Red sees Hussars`", Thing),
        decision | deed => ("a decision such as `Red: march(…)`", Thing),
    };
    Some(Description { words, group: sort, keyword: None })
}
