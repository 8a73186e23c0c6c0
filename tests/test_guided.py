"""A mask lets through exactly the tokens that keep a text inside its grammar, over a small and a real vocabulary."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from picolab import guided
from picolab.errors import PicolabError
from picolab.guided import Grammar, Some, Vocabulary

parts = st.lists(
    st.one_of(
        st.text("ab", min_size=1, max_size=3),
        st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=3).map(tuple),
        st.builds(Some, st.sampled_from(["c", "cd"]), st.sampled_from([None, 1, 3])),
    ),
    min_size=1,
    max_size=4,
)
small = Vocabulary(["", "<end>", "a", "b", "ab", "ba", "bab", "c", "cd", "cc", "acd", "x"], end=1)


@given(parts, st.text("abcd", max_size=6))
def test_the_tree_and_trying_every_token_agree(made, begun):
    grammar = Grammar(*made)
    state = grammar.walk(grammar.start, begun)
    if state is not None:
        assert small.allowed(grammar, state) == small.allowed_one_by_one(grammar, state)


@given(parts, st.text("abcd", max_size=6))
def test_a_text_is_taken_letter_by_letter_or_at_once(made, text):
    grammar = Grammar(*made)
    state = grammar.start
    for letter in text:
        state = state and grammar.step(state, letter)
    assert state == grammar.walk(grammar.start, text)


def test_a_grammar_says_what_may_come_and_where_it_may_end():
    grammar = Grammar("x=", ("a", "ab"), Some("cd", most=2), ";")
    accepted = {"x=ac;", "x=abc;", "x=abcd;", "x=add;"}
    for text in (*accepted, "x=", "x=a;", "x=abccc;", "x=acc", "y=ac;", "x=ac;;"):
        state = grammar.walk(grammar.start, text)
        assert (state is not None and grammar.ends(state)) == (text in accepted), text
    assert Grammar("a", Some("b")).ends(Grammar("a", Some("b")).walk((0, ""), "abb"))


def test_an_empty_grammar_is_refused():
    for made in ((), ("",), ("a", ())):
        with pytest.raises(ValueError, match="needs parts"):
            Grammar(*made)


def test_the_real_vocabulary_has_every_byte_and_one_end():
    real = guided.gpt2()
    assert len(real) == 50_257
    assert real.tokens[real.end] == ""
    assert {chr(byte) for byte in range(256)} <= set(real.tokens)
    assert len(set(real.tokens)) == len(real)
    assert {" the", "def", "\n\n"} <= set(real.tokens)


def test_whatever_is_drawn_under_the_mask_is_valid_and_a_path_without_limit_never_ends():
    letters = "abcdefghijklmnopqrstuvwxyz/."
    call = Grammar('{"tool": "', ("read", "delete"), '", "path": "', Some(letters, most=12), '"}')
    for seed in range(30):
        text = "".join(choice.token for choice in guided.generate(guided.gpt2(), call, seed))
        sent = json.loads(text)
        assert sent["tool"] in ("read", "delete")
        assert 1 <= len(sent["path"]) <= 12
    with pytest.raises(PicolabError, match="did not end within 60 tokens"):
        guided.generate(guided.gpt2(), Grammar('"', Some(letters), '"'), seed=1, most=60)


def test_a_vocabulary_that_cannot_write_the_grammar_says_so():
    with pytest.raises(PicolabError, match="no token can follow 'a'"):
        guided.generate(small, Grammar("a", "zz"), seed=0)
