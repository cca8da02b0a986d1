"""The parser of the Verus verifier: how operators bind, what contexts change, what is refused."""

from __future__ import annotations

import threading

import pytest

from rlvr_gym.verifiers.verus.errors import Rejected, Stop, Unsupported
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse
from rlvr_gym.verifiers.verus.syntax.printer import show
from rlvr_gym.verifiers.verus.syntax.walk import walk


def function(text: str) -> tree.Function:
    """Return the only function of a program that is one item inside the macro."""
    [item] = parse(f"verus! {{ {text} }}").items
    assert isinstance(item, tree.Function)
    return item


def expression(text: str) -> tree.Expr:
    """Return the value of a function's block."""
    body = function(f"fn f() {{ {text} }}").body
    assert body is not None
    assert body.tail is not None
    return body.tail


def shape(node: tree.Expr) -> str:
    """Return an expression with every operator's operands in brackets."""
    match node:
        case tree.Binary():
            return f"({shape(node.left)} {node.op} {shape(node.right)})"
        case tree.Chain():
            parts = [shape(node.operands[0])]
            for op, operand in zip(node.ops, node.operands[1:], strict=True):
                parts += [op, shape(operand)]
            return f"<{' '.join(parts)}>"
        case tree.BigLogic():
            return f"{{{f' {node.op} '.join(map(shape, node.operands))}}}"
        case tree.Unary():
            return f"({node.op} {shape(node.operand)})"
        case tree.Borrow():
            return f"(& {shape(node.operand)})"
        case tree.Cast():
            return f"({shape(node.operand)} as)"
        case tree.IsVariant():
            return f"({shape(node.operand)} is)"
        case tree.Matches():
            rest = "" if node.rest is None else f" {node.connective} {shape(node.rest)}"
            return f"({shape(node.operand)} matches{rest})"
        case tree.Quantifier():
            return f"({node.kind} {shape(node.body)})"
        case tree.Closure():
            return f"(closure {shape(node.body)})"
        case tree.Assign():
            return f"({shape(node.target)} {node.op or ''}= {shape(node.value)})"
        case tree.RangeExpr():
            start = shape(node.start) if node.start is not None else ""
            return f"({start} .. {shape(node.end) if node.end is not None else ''})"
        case tree.View():
            return f"({shape(node.operand)} @)"
        case tree.Field():
            return f"({shape(node.operand)} .{node.name})"
        case tree.Arrow():
            return f"({shape(node.operand)} ->{node.name})"
        case tree.MethodCall():
            return (
                f"({shape(node.receiver)} .{node.name}{''.join(' ' + shape(one) for one in node.arguments)})"
            )
        case tree.PathExpr():
            return "::".join(segment.name for segment in node.segments)
        case tree.IntLit():
            return str(node.value)
        case _:
            return type(node).__name__


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a << b + c", "(a << (b + c))"),
        ("a & b << c", "(a & (b << c))"),
        ("a ^ b & c", "(a ^ (b & c))"),
        ("a | b ^ c", "(a | (b ^ c))"),
        ("a == b | c", "(a == (b | c))"),
        ("a && b == c", "(a && (b == c))"),
        ("a || b && c", "(a || (b && c))"),
        ("a ==> b || c", "(a ==> (b || c))"),
        # Implication is to the right, explication to the left and looser.
        ("a ==> b ==> c", "(a ==> (b ==> c))"),
        ("a <== b <== c", "((a <== b) <== c)"),
        ("a ==> b <== c", "((a ==> b) <== c)"),
        ("a <==> b ==> c", "(a <==> (b ==> c))"),
        ("a = b <==> c", "(a = (b <==> c))"),
        ("a = b = c", "(a = (b = c))"),
        ("a += b + c", "(a += (b + c))"),
        ("a + b .. c + d", "((a + b) .. (c + d))"),
        ("-a as int", "((- a) as)"),
        ("a * b as int", "(a * (b as))"),
        ("a as int * b", "((a as) * b)"),
        ("!a == b", "((! a) == b)"),
        ("!a is B", "((! a) is)"),
        ("-a.b", "(- (a .b))"),
        ("*a@", "(* (a @))"),
        ("&&a", "(& (& a))"),
        ("a && &b", "(a && (& b))"),
        ("a is B && c", "((a is) && c)"),
        ("a !is B", "(! (a is))"),
        ("a has b", "(a .spec_has b)"),
        ("a !has b", "(! (a .spec_has b))"),
        ("a->0.b", "((a ->0) .b)"),
        ("a.0.1", "((a .0) .1)"),
        ("a.0.1.2", "(((a .0) .1) .2)"),
        ("a@.b@", "(((a @) .b) @)"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b <= c", "<a < b <= c>"),
        ("a <= b + 1 == c > d", "<a <= (b + 1) == c > d>"),
        # Parentheses end a chain.
        ("(a < b) == c", "((a < b) == c)"),
        ("a < (b < c)", "(a < (b < c))"),
        ("a < b && b < c", "((a < b) && (b < c))"),
    ],
)
def test_comparisons_chain_flat(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forall|i: int| a ==> b && c", "(forall (a ==> (b && c)))"),
        ("a && forall|i: int| b || c", "(a && (forall (b || c)))"),
        ("exists|i: int| forall|j: int| a", "(exists (forall a))"),
        ("|x: int| x + 1", "(closure (x + 1))"),
        ("a(|x| x) + b", "(Call + b)"),
    ],
)
def test_binders_reach_as_far_right_as_they_can(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&&& a &&& b || c", "{a &&& (b || c)}"),
        ("&&& forall|i: int| a ==> b &&& c", "{(forall (a ==> b)) &&& c}"),
        ("||| a ||| b && c", "{a ||| (b && c)}"),
        ("&&& a", "{a}"),
    ],
)
def test_bullets(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a matches Some(x) && b && c || d", "((a matches && (b && c)) || d)"),
        ("a matches Some(x) ==> b || c", "(a matches ==> (b || c))"),
        # What follows `&&` does not reach over the arrow.
        ("a matches Some(x) && b ==> c", "((a matches && b) ==> c)"),
        ("(a matches Some(x)) && b", "((a matches) && b)"),
        ("&&& a matches Some(x) &&& b &&& c", "{(a matches &&& {b &&& c})}"),
        ("b || (a matches Some(x) ==> c)", "(b || (a matches ==> c))"),
        ("b && a matches Some(x)", "(b && (a matches))"),
    ],
)
def test_the_variables_of_matches_reach_what_follows(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a <==> b <==> c",
        "&&& a ||| b",
        "a &&& b",
        "a && &&& b",
        "forall|i: int| &&& a",
        "&&& a && b matches Some(x) &&& c",
        "b || a matches Some(x) ==> c",
        "b && a matches Some(x) && c",
        "b == a matches Some(x) && c",
        "b ==> (a) matches Some(x) ==> c",
        "a ! is B",
        "a ! has b",
        "a +",
        "a b",
        "(a",
        "a)",
        "a as",
        "forall i: a",
        "let x = 3",
        "if a { }  else",
        "match a { b }",
        "x.1f",
        "a->0.1",
        "Foo { x: }",
        "a is B::C",
        "'l: x",
        "f(a, , b)",
        "if",
        "struct",
        "let final = 1;",
        "forall| | a",
        "while a decreases { }",
        "assert(a) by (bit_vector) requires b assert(c);",
        "if a || let Some(x) = b { }",
        "if (let Some(x) = b) { }",
        "#[verifier(opaque int)] a",
    ],
)
def test_what_does_not_parse_is_rejected(text: str) -> None:
    with pytest.raises(Rejected):
        function(f"fn f() {{ {text} }}")


@pytest.mark.parametrize("text", ["a != b != c", "a == b =~= c", "a =~= b < c"])
def test_mixed_comparisons_in_a_row_are_not_guessed(text: str) -> None:
    with pytest.raises(Unsupported, match="in a row"):
        expression(text)


def test_a_path_into_an_unknown_crate_is_unsupported() -> None:
    with pytest.raises(Unsupported, match="crate `f`"):
        expression("::f(a)")
    assert shape(expression("::vstd::f")) == "vstd::f"


def test_text_of_a_split_token_is_whole() -> None:
    found = function("fn f(x: impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>) { }").parameters[0].type
    assert isinstance(found, tree.TypeOther)
    assert (found.what, found.text) == ("`impl` type", "impl Fn(Vec<Vec<u8>>) -> Vec<Vec<u8>>")
    path = function("fn f(x: Vec<<T as Trait>::Item>) { }").parameters[0].type
    assert isinstance(path, tree.TypePath)
    [argument] = path.segments[0].generics or ()
    assert isinstance(argument, tree.TypeOther)
    assert (argument.what, argument.text) == ("qualified path", "<T as Trait>::Item")
    assert function("fn f<T: View<V = Seq<Seq<int>>>>() { }").generics[0].bounds == (
        "View<V = Seq<Seq<int>>>",
    )


def test_generics_split_shifts_and_comparisons() -> None:
    found = function("fn f() { let x: Vec<Vec<u8>>= g::<Vec<Vec<u8>>>(); }")
    assert found.body is not None
    [let] = found.body.statements
    assert isinstance(let, tree.Let)
    assert isinstance(let.declared, tree.TypePath)
    assert isinstance(let.value, tree.Call)


def test_bars_are_split_in_binders() -> None:
    closure = expression("|x|| | x")
    assert isinstance(closure, tree.Closure)
    assert isinstance(closure.body, tree.Closure)


def test_a_struct_needs_parentheses_in_heads_and_clauses() -> None:
    assert isinstance(expression("Foo { x: 1 }"), tree.StructLit)
    found = function("fn f() ensures r == (Foo { x: 1 }) { 3 }")
    assert isinstance(found.ensures[0], tree.Binary)
    assert isinstance(found.ensures[0].right, tree.StructLit)
    # Without them `Foo` is a name and the brace starts the body, which `x: 1` is none.
    with pytest.raises(Rejected):
        function("fn f() ensures r == Foo { x: 1 } { 3 }")
    condition = expression("if a == Foo { 1 } else { 2 }")
    assert isinstance(condition, tree.IfExpr)
    # Parentheses allow it again.
    assert isinstance(expression("if f(Foo { x: 1 }) { 1 } else { 2 }"), tree.IfExpr)


def test_a_clause_list_ends_where_the_next_clause_starts() -> None:
    found = function(
        "fn f(a: u8) -> (r: u8) requires a > 1, a < 9, ensures r == a, r > 0 decreases a, 3 { a }"
    )
    assert [len(one) for one in (found.requires, found.ensures, found.decreases)] == [2, 2, 2]
    assert found.result_name == "r"


def test_a_block_is_a_clause_only_in_front_of_a_comma() -> None:
    found = function("fn f() requires { a }, b { }")
    assert len(found.requires) == 2
    assert isinstance(found.requires[0], tree.BlockExpr)


@pytest.mark.parametrize(
    "text",
    [
        "fn f() ensures a requires b { }",
        "fn f() requires a requires b { }",
        "fn f() decreases a ensures b { }",
        "fn f() { while a decreases b invariant c { } }",
        "fn f() { while a invariant b invariant c { } }",
        "fn f() requires a",
    ],
)
def test_clauses_have_one_order(text: str) -> None:
    with pytest.raises(Rejected):
        function(text)


def test_words_of_clauses_are_names_elsewhere() -> None:
    found = expression("when + via + ensures")
    assert shape(found) == "((when + via) + ensures)"


def test_a_statement_ends_with_its_block() -> None:
    body = function("fn f() { if a { } - 1; match a { } (b) }").body
    assert body is not None
    kinds = [type(one.value).__name__ for one in body.statements if isinstance(one, tree.ExprStatement)]
    # `if a { }` and `- 1` are two statements, and so are the `match` and the parenthesised `b`.
    assert kinds == ["IfExpr", "Unary", "MatchExpr"]
    assert isinstance(body.tail, tree.PathExpr)
    # A method on a block is one expression.
    assert isinstance(expression("match a { B => 1 }.f()"), tree.MethodCall)
    # Where no statement starts, operators go on behind the block.
    assert isinstance(expression("(if a { 1 } else { 2 } + 3)"), tree.Binary)


def test_triggers_are_kept() -> None:
    found = expression("forall|i: int| #![trigger f(i), g(i)] #![auto] #[trigger] h(i) == 1")
    assert isinstance(found, tree.Quantifier)
    assert [one.path for one in found.triggers] == ["trigger", "auto"]
    assert len(found.triggers[0].expressions) == 2
    # `#[trigger]` belongs to the operand and not to the comparison.
    assert isinstance(found.body, tree.Binary)
    assert [one.path for one in found.body.left.attributes] == ["trigger"]
    assert found.body.attributes == ()


def test_a_numbered_trigger_keeps_its_number() -> None:
    found = expression("#[trigger(2)] f(i)")
    assert [one.arguments for one in found.attributes] == [("2",)]


def test_old_attributes_read_as_new_ones() -> None:
    found = function("#[verifier(external_body)] #[verifier(rlimit(50), spinoff_prover)] fn f() { }")
    assert [(one.path, one.arguments) for one in found.attributes] == [
        ("verifier::external_body", ()),
        ("verifier::rlimit", ("50",)),
        ("verifier::spinoff_prover", ()),
    ]


def test_a_signature() -> None:
    found = function(
        "pub open spec fn f<T: Copy + View<V = int>, const N: usize>(tracked a: T, mut b: &mut [T; N], &self) -> T "
        "where T: Eq recommends a, decreases b, c when d via e { a }"
    )
    assert (found.mode, found.open, found.public) == ("spec", "open", "pub")
    assert [one.bounds for one in found.generics] == [("Copy", "View<V = int>", "Eq"), ("usize",)]
    assert [(one.name, one.mutable, one.ghostness, one.self_reference) for one in found.parameters] == [
        ("a", False, "tracked", ""),
        ("b", True, "exec", ""),
        ("self", False, "exec", "&"),
    ]
    assert (len(found.decreases), shape(found.when or found.decreases[0]), found.via) == (2, "d", "e")


@pytest.mark.parametrize(
    ("text", "name", "has_pattern"),
    [
        ("(r: u8)", "r", False),
        ("u8", None, False),
        ("((u8, u8))", None, False),
        ("((a, b): (u8, u8))", None, True),
    ],
)
def test_results(text: str, name: str | None, has_pattern: bool) -> None:
    found = function(f"fn f() -> {text} {{ }}")
    assert found.result is not None
    assert (found.result_name, found.result_pattern is not None) == (name, has_pattern)


def test_wrapped_parameters_are_ghost() -> None:
    found = function("fn f(Ghost(x): Ghost<int>, Tracked(mut y): Tracked<T>) { }")
    assert [(one.name, one.ghostness, one.mutable) for one in found.parameters] == [
        ("x", "ghost", False),
        ("y", "tracked", True),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("assert(a) by { }", tree.Assert),
        ("assert(a) by (nonlinear_arith) requires b, c", tree.Assert),
        ("assert(a) by (bit_vector)", tree.Assert),
        ("assert forall|i: int| a implies b by { }", tree.AssertForall),
        ("assert forall|i: int| #[trigger] a(i) by { }", tree.AssertForall),
        ("assume(a)", tree.Assume),
        ("admit()", tree.Assume),
        ("proof { }", tree.Proof),
        ("reveal(f)", tree.Reveal),
        ("reveal_with_fuel(f, 3)", tree.Reveal),
        ("hide(f)", tree.Reveal),
        ("reveal(Seq::<int>::filter)", tree.Reveal),
        ("calc! { (==) a; { lemma(); } b; {} c; }", tree.Calc),
        ("choose|i: int| a", tree.Quantifier),
        ("vec![1, 2]", tree.ArrayLit),
        ("vec![0; n]", tree.ArrayRepeat),
        ("seq![1, 2]", tree.ArrayLit),
        ("map![1 => 2]", tree.ArrayLit),
        ("[0; 3]", tree.ArrayRepeat),
        ("a?", tree.Try),
        ("|x: u8| -> (r: u8) requires x > 0 ensures r > x { x }", tree.Closure),
        ("'a: loop { }", tree.Loop),
        ("for i in it: 0..n invariant a { }", tree.For),
        ("unsafe { }", tree.Other),
        ("async { }", tree.Other),
        ("'a: { }", tree.Other),
        ("<T as U>::f", tree.Other),
        ('println!("{}", a)', tree.MacroCall),
        ("assert_by_contradiction!(a, { })", tree.MacroCall),
        ("assert_seqs_equal!(a, b, i => { })", tree.MacroCall),
        ("1.5", tree.FloatLit),
    ],
)
def test_constructs_have_their_nodes(text: str, kind: type[tree.Expr]) -> None:
    assert isinstance(expression(text), kind)


def test_let_forms() -> None:
    body = function(
        "fn f() { let ghost mut a: int = 1; let tracked b = c; let Some(d) = e else { return }; let ghost = 1; }"
    ).body
    assert body is not None
    lets = [one for one in body.statements if isinstance(one, tree.Let)]
    assert [one.ghostness for one in lets] == ["ghost", "tracked", "exec", "exec"]
    assert lets[2].otherwise is not None


def test_conditions_may_let() -> None:
    found = expression("if let Some(x) = a && b { 1 } else { 2 }")
    assert isinstance(found, tree.IfExpr)
    assert isinstance(found.condition, tree.Binary)
    assert isinstance(found.condition.left, tree.LetCondition)
    with pytest.raises(Rejected):
        expression("f(let Some(x) = a)")


def test_patterns() -> None:
    found = expression(
        "match a { 1..=5 | -7 => b, x @ Some(_) if c => d, Foo::Bar { p, q: 3, .. } => e, (a, .., b) => f, None => g, ref h => i }"
    )
    assert isinstance(found, tree.MatchExpr)
    kinds = [type(arm.pattern).__name__ for arm in found.arms]
    assert kinds == [
        "OrPattern",
        "BindPattern",
        "VariantPattern",
        "TuplePattern",
        "PathPattern",
        "BindPattern",
    ]


def test_items() -> None:
    file = parse(
        """
        use vstd::{seq::*, map::Map as M};
        verus! {
            struct Unit;
            pub struct Pair<T>(pub T, u8);
            enum Tree { Leaf, Node { left: Box<Tree>, ghost value: int } }
            const N: usize = 3;
            spec const S: int = 4;
            impl<T> Pair<T> { fn new() -> Self { } }
            impl View for Unit { type V = int; spec fn view(&self) -> int { 3 } }
            trait Shape { spec fn area(&self) -> int; fn get(&self) -> u8 { 1 } }
            mod inner { pub fn f() { } }
            type Alias = u8;
            broadcast use {a::b, c};
            broadcast group g { a, b }
            global size_of usize == 8;
            macro_rules! m { () => {} }
        }
        fn main() { }
        """
    )
    kinds = [(type(item).__name__, item.outside) for item in file.items]
    assert kinds == [
        ("Use", True), ("Struct", False), ("Struct", False), ("Enum", False), ("Const", False), ("Const", False),
        ("Impl", False), ("Impl", False), ("Trait", False), ("Mod", False), ("TypeAlias_", False),
        ("BroadcastItem", False), ("BroadcastItem", False), ("OtherItem", False), ("OtherItem", False),
        ("Function", True),
    ]  # fmt: skip
    use = file.items[0]
    assert isinstance(use, tree.Use)
    assert use.leaves == (("vstd::seq", "*"), ("vstd::map::Map", "M"))
    enum = file.items[3]
    assert isinstance(enum, tree.Enum)
    assert [one[2] for one in enum.variants[1].fields] == ["exec", "ghost"]
    module = file.items[9]
    assert isinstance(module, tree.Mod)
    assert module.items[0].module == "inner"
    assert file.macros == 1


@pytest.mark.parametrize("form", ["verus!{{ {} }}", "verus!( {} );", "vstd::prelude::verus! {{ {} }}"])
def test_the_macro_has_three_forms(form: str) -> None:
    file = parse(form.format("fn f() { }"))
    assert [item.outside for item in file.items] == [False]
    assert file.macros == 1


def test_macros_are_counted() -> None:
    assert parse("fn f() { }").macros == 0
    assert parse("verus! { } verus! { }").macros == 2


@pytest.mark.parametrize(
    "source",
    [
        "Here is the program: verus! { }",
        "verus! { fn f() { }",
        "verus! { fn f() { } } }",
        "verus! { fn f() { } ) ",
        "verus! { let x = 3; }",
        "verus! { fn f() }",
        "verus! { fn f() { } } and some words",
        "```rust\nverus! { }\n```",
        "verus! { fn match() { } }",
        "verus! { pub pub fn f() { } }",
        "verus! { spec proof fn f() { } }",
        "verus! { struct S { x } }",
    ],
)
def test_text_that_is_no_program_is_rejected(source: str) -> None:
    with pytest.raises(Rejected):
        parse(source)


@pytest.mark.parametrize(
    "text",
    [
        "match a { #[cfg(x)] b => c }",
        "f(S { #[cfg(x)] a: 1 })",
    ],
)
def test_attributes_where_the_tree_keeps_none_are_unsupported(text: str) -> None:
    with pytest.raises(Unsupported, match="attribute `cfg`"):
        expression(text)


def test_a_library_has_no_macro() -> None:
    file = parse("pub axiom fn a() ensures true; pub uninterp spec fn f() -> int;", library=True)
    assert [(item.library, item.outside) for item in file.items] == [(True, False)] * 2


def test_places_span_the_text() -> None:
    file = parse("verus! {\n  fn f() {\n    a + b\n  }\n}")
    found = next(node for node in walk(file.items[0]) if isinstance(node, tree.Binary))
    assert found.place == Place(3, 5, 3, 10)
    assert file.items[0].place == Place(2, 3, 4, 4)


def test_an_error_says_where_and_what() -> None:
    with pytest.raises(Rejected) as caught:
        parse("verus! {\n  fn f() { a b }\n}")
    assert caught.value.place == Place(2, 14, 2, 15)
    assert "found `b`" in caught.value.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(", ")"), ("{ ", " }"), ("[", "]"), ("f(", ")"), ("-", ""), ("&", ""), ("if a { ", " } else { b }"),
        ("forall|i: int| ", ""), ("|x| ", ""), ("a ==> ", ""), ("a = ", ""), ("match a { _ => ", " }"),
        ("while a { ", " }"), ("proof { ", " }"), ("a[", "]"), ("S { x: ", " }"), ("vec![", "]"),
        ("if a { } else ", " { }"), ("return ", ""), ("{ fn g() { ", " } }"), ("x as Vec<", ">"),
    ],
)  # fmt: skip
def test_depth_is_bounded(before: str, after: str) -> None:
    deep = before * 5000 + "b" + after * 5000
    with pytest.raises(Stop):
        expression(deep)


@pytest.mark.parametrize("link", [" + b", ".f()", ".f", "[0]", "@", "?", " as int", " && b", "(b)", " ==> b"])
def test_growth_to_the_left_is_bounded(link: str) -> None:
    assert expression("a" + link * 50) is not None
    with pytest.raises(Unsupported):
        expression("a" + link * 5000)


def test_growth_inside_of_brackets_adds_up() -> None:
    # Twenty brackets, each with a hundred additions behind it, are two thousand steps to the left.
    text = "a"
    for _ in range(20):
        text = f"({text})" + " + b" * 100
    with pytest.raises(Unsupported):
        expression(text)


def test_the_deepest_program_that_is_read_can_be_printed() -> None:
    for frame in ("f(", "[", "{ ", "forall|i: int| ", "if a { "):
        close = {"f(": ")", "[": "]", "{ ": " }", "forall|i: int| ": "", "if a { ": " } else { b }"}[frame]
        text = frame * 90 + "a" + " + b" * 300 + close * 90
        assert "a + b" in show(expression(text))


def test_side_by_side_is_not_deep() -> None:
    expression("f(" + ", ".join(["a + b"] * 1000) + ")")
    function("fn f() { " + "a + b; " * 1000 + "}")


def test_depth_is_bounded_in_a_thread_as_well() -> None:
    caught: list[str] = []

    def run() -> None:
        try:
            expression("(" * 190 + "a" + ")" * 190)
            caught.append("read")
        except Stop as stop:
            caught.append(stop.message)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert caught == ["read"]
