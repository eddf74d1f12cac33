"""Stored results of studies: well-formed, complete, and what the pages say."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sparring.arena.statistics import Interval
from sparring.report.page import Page
from sparring.studies import STUDIES, read_data
from sparring.studies.verdicts import (
    NOT_REPRODUCED,
    OTHER_READING,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    Claim,
    above,
    below,
    contains,
    judge,
    judge_all,
    near,
    read_tests,
)

ROOT = Path(__file__).parent.parent
STORED = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "results" / "studies").glob("*.json"))}


class Found:
    trials = 10


def claim(value: float, half: float = 1.0, test=above(0.0), **more):
    return Claim("a", "b", lambda found: Interval(value, value - half, value + half), test, place="Table 1", **more)


@pytest.mark.parametrize(
    ("value", "test", "verdict"),
    [
        (2.0, above(0.0), REPRODUCED), (-2.0, above(0.0), NOT_REPRODUCED), (0.5, above(0.0), UNDECIDED),
        (-2.0, below(0.0), REPRODUCED), (2.0, below(0.0), NOT_REPRODUCED), (0.5, below(0.0), UNDECIDED),
        (0.0, near(0.0, 2.0), REPRODUCED), (4.0, near(0.0, 2.0), NOT_REPRODUCED), (2.5, near(0.0, 2.0), UNDECIDED),
        (0.5, contains(0.0), REPRODUCED), (1.5, contains(0.0), NOT_REPRODUCED),
    ],
)  # fmt: skip
def test_a_verdict_follows_from_the_whole_interval(value, test, verdict):
    assert claim(value, test=test)(Found).verdict == verdict


HALF = above(0.0, refuted=5.0)  # of a published difference of 10


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [
        (12.0, 3.0, REPRODUCED), (2.0, 1.0, REPRODUCED), (-4.0, 1.0, NOT_REPRODUCED),
        (0.0, 3.0, NOT_REPRODUCED), (2.0, 2.9, NOT_REPRODUCED), (2.0, 3.1, UNDECIDED), (5.0, 6.0, UNDECIDED),
    ],
)  # fmt: skip
def test_a_direction_fails_where_not_even_half_of_the_published_difference_is_possible(value, half, verdict):
    assert claim(value, half, HALF)(Found).verdict == verdict
    assert claim(-value, half, below(0.0, refuted=-5.0))(Found).verdict == verdict


def test_the_trials_that_decide_a_direction_exclude_the_bound_or_half_of_the_published_difference():
    for value, half, trials in ((4.0, 8.0, 40), (1.0, 8.0, 40), (-3.0, 16.0, 40), (2.5, 5.0, 40)):
        assert judge_all([claim(value, half, HALF)], Found)[0].cause == f"{trials} trials would decide"


def test_half_of_what_is_published_is_counted_from_the_bound():
    assert read_tests({"above": 0.5, "theirs": [0.63]}) == [above(0.5, 0.565)]
    assert read_tests({"below": 0.0, "theirs": [-4.0, -3.0]}) == [below(0.0, -2.0), below(0.0, -1.5)]
    assert read_tests({"below": [0.5], "above": [20.0], "theirs": [0.1, 26.0]}) == [below(0.5, 0.3), above(20.0, 23.0)]
    assert read_tests({"below": 0.1, "refuted": 0.0}) == [below(0.1, 0.0)]
    assert read_tests({"near": [[2.0, 0.5]]}) == [near(2.0, 0.5)]


@pytest.mark.parametrize("study", STUDIES)
def test_published_values_lie_on_the_side_that_is_claimed(study):
    for row in read_data(study, "claims")["claim"]:
        if "theirs" in row:
            bounds = [(name, x) for name in ("above", "below") if name in row for x in np.atleast_1d(row[name])]
            bounds = (
                bounds * len(row["theirs"]) if len(bounds) == 1 else sorted(bounds, key=lambda b: list(row).index(b[0]))
            )
            for (name, bound), value in zip(bounds, row["theirs"], strict=True):
                assert value > bound if name == "above" else value < bound, row["text"]


def test_a_claim_of_several_parts_reports_the_part_that_decides():
    parts = [Interval(5, 4, 6), Interval(0.5, -0.5, 1.5), Interval(-5, -6, -4)]
    assert judge("a", "b", parts, above(0.0)).ours.value == -5
    assert judge("a", "b", parts[:2], above(0.0)).ours.value == 0.5
    assert judge("a", "b", parts, [above(0.0), contains(0.0), below(0.0)]).verdict == REPRODUCED


def test_an_undecided_claim_says_how_many_trials_would_decide():
    [judged] = judge_all([claim(0.5)], Found)
    assert judged.cause == "40 trials would decide"  # the half-width must halve


def test_a_short_training_never_refutes_a_claim():
    judged = claim(-5.0, conclusive=lambda found: False, cause="never printed")(Found)
    assert (judged.verdict, judged.trials) == (UNDECIDED, 10)
    assert "shorter" in judged.cause


def test_another_reading_counts_where_the_first_fails():
    other = {"other": lambda found: Interval(3, 2, 4), "reading": "single wins"}
    judged = claim(-5.0, cause="tried", **other)(Found)
    assert (judged.verdict, judged.cause, judged.ours.value) == (OTHER_READING, "single wins", 3)
    assert claim(5.0, **other)(Found).verdict == REPRODUCED
    failing = claim(-5.0, cause="tried", reading="x", other=lambda found: Interval(-3, -4, -2))(Found)
    assert (failing.verdict, failing.cause) == (NOT_REPRODUCED, "tried")


def test_a_report_links_a_claim_to_the_table_or_figure_it_is_about():
    page = Page("t")
    page.contents()
    page.heading("First & last")
    page.table(["claim", "place"], [["a", "Table 6, left"], ["b", "Figure 5.1"]])
    page.table(["x"], [["1"]], "Table 6: scores")
    html = page.html()
    assert '<a href="#table-6">Table 6</a>, left' in html
    assert 'id="table-6"' in html
    assert "<td>Figure 5.1</td>" in html
    assert '<li><a href="#section-first-last">First &amp; last</a></li>' in html


@pytest.mark.parametrize("name", STORED)
def test_a_stored_result_is_whole(name):
    result = STORED[name]
    assert result["study"] == name
    assert result["commit"]
    claims = result["claims"]
    assert result["counts"] == {"claims": len(claims)} | {w: sum(c["verdict"] == w for c in claims) for w in VERDICTS}
    assert len({each["claim"] for each in claims}) == len(claims)
    for each in claims:
        assert each["claim"] and each["place"] and each["published"] and each["text"], each
        assert each["trials"] > 0, each
        assert each["verdict"] in VERDICTS
        assert each["verdict"] == REPRODUCED or each["cause"], each
        value, low, high = (np.nan if x is None else x for x in each["ours"])
        assert np.isnan(low) or np.isnan(high) or low <= value <= high, each


def test_there_is_a_stored_result_of_every_study_and_only_of_studies():
    assert set(STORED) <= set(STUDIES)


def test_the_pages_say_what_the_stored_results_say():
    command = [sys.executable, str(ROOT / "docs" / "render_results.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
