"""What `make bench` measures: like with like, counted right, and told as it was found."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import render_results
from benchmarks import __main__ as command
from benchmarks import cores, counted, equal_time, gpu, limit, memory, parts, peak, scaling, speeds, starting, training
from benchmarks.claims import GOLF_GAMES, claims
from benchmarks.entries import ENTRIES, GIN, HEARTS, UNTRAINED, Entry, shape_of
from benchmarks.others import BACKGAMMON, openspiel, openspiel_from_python
from benchmarks.page import page
from benchmarks.pgx_speed import pgx_random

from sparring.arena.players import Contestant, pack_players
from sparring.games import find_game
from sparring.kernel.launch import Job
from sparring.lab.bench import benchmark_jobs
from sparring.lab.experiment import read_experiment
from sparring.nets.dense import Net, gaussian, size

ROOT = Path(__file__).parent.parent
SMALL = Entry(HEARTS, "round", UNTRAINED)


def small_net(name: str, hidden: int, seed: int = 1) -> Contestant:
    """A net of the game's first inputs, untrained."""
    game = find_game(name)
    encoding, inputs = next(iter(game.policies.encodings.items()))
    shape = (inputs, hidden, 1)
    net = Net(
        game.family,
        game.rules.version,
        encoding,
        shape,
        gaussian(size(shape), seed, "net"),
        input_major=game.policies.input_major,
    )
    return Contestant(f"{seed}", "net", net)


def found(**figures: float) -> dict:
    told = {name.replace("__", "."): value for name, value in figures.items()}
    return {"machine": "a machine", "versions": {"Python": "3"}, "commit": "abc", "date": "2026-01-01", "seconds": 60, "nets": {},
            "figures": told}  # fmt: skip


# Speeds.


def test_speeds_are_medians_of_turns_and_what_is_not_installed_is_left_out():
    order, values = [], iter([1.0, 5.0, 3.0])

    def measured(seconds):
        order.append(("ours", seconds))
        return next(values)

    def absent(seconds):
        order.append(("theirs", seconds))

    assert speeds.in_turns({"ours": measured, "theirs": absent}, 6.0, 3) == {"ours": 3.0}
    assert order == [("ours", 2.0), ("theirs", 2.0)] * 3


def test_every_game_is_measured_by_random_players_and_a_network_on_one_core_and_on_all():
    nets: dict[str, str] = {}
    measures = speeds.ours([SMALL], nets)
    assert set(measures) == {
        f"{HEARTS}.{side}_games_per_second.{place}" for side in ("random", "net") for place in ("one_core", "all_cores")
    }
    assert measures[f"{HEARTS}.net_games_per_second.one_core"](0.01) > 10
    assert nets == {f"{HEARTS}.net": "260-64-1"}


def test_a_team_is_told_by_the_shapes_of_its_nets():
    assert re.fullmatch(r"(\d+-\d+-1(, )?){2,}", shape_of(Entry(HEARTS, "round", "champion").players()[0]))


@pytest.mark.parametrize("name", [BACKGAMMON, "gin_rummy", "hearts"])
def test_openspiel_plays_by_its_own_loop_and_from_python(name):
    pytest.importorskip("pyspiel")
    for rival in (openspiel(name), openspiel_from_python(name)):
        speed = rival(0.05)
        assert speed is not None and speed > 1


@pytest.mark.parametrize("name", [BACKGAMMON, "gin_rummy", "hearts"])
def test_all_that_falls_by_chance_in_openspiel_is_as_likely(name):
    state, falls = pytest.importorskip("pyspiel").load_game(name).new_initial_state(), 0
    while not state.is_terminal() and falls < 60:
        if state.is_chance_node():
            falls += 1
            assert len({round(share, 9) for _, share in state.chance_outcomes()}) == 1
        state.apply_action(state.legal_actions()[0])


@pytest.mark.parametrize(
    "rival",
    [openspiel("hearts"), openspiel_from_python("hearts"), pgx_random],
    ids=["C++", "Python", "pgx"],
)
def test_a_rival_that_is_not_installed_has_no_speed(rival, monkeypatch):
    for module in ("pyspiel", "pgx", "jax"):
        monkeypatch.setitem(sys.modules, module, None)
    assert rival(0.01) is None


@pytest.mark.long
def test_pgx_plays_where_it_is_installed():
    pytest.importorskip("pgx")
    assert pgx_random(0.5) > 1


def test_others_play_in_processes_of_their_own_one_for_each_core(monkeypatch):
    pytest.importorskip("pyspiel")
    monkeypatch.setenv("SPARRING_THREADS", "1")
    with speeds.process_per_core() as pool:
        measures = speeds.others(HEARTS, pool)
        assert measures["openspiel.hearts.random_rounds_per_second.all_cores"](0.05) > 1


# What must hold.


def test_claims_compare_what_was_measured_and_say_what_is_missing():
    figures = {
        "backgammon.random_games_per_second.one_core": 10.0,
        "openspiel.backgammon.random_games_per_second.one_core": 9.0,
        f"{GIN}.net_games_per_second.one_core": 10.0,
        f"{GIN}.net_games_per_second.all_cores": 20.0,
        "openspiel.gin.random_hands_from_python_per_second.one_core": 9.0,
        "openspiel.gin.random_hands_from_python_per_second.all_cores": 21.0,
        "golf.net_games_per_second.all_cores": GOLF_GAMES + 1,
    }
    told = {(claim.game, claim.what.split(",")[0]): claim for claim in claims(figures)}
    assert told["backgammon", "random play"].holds is True
    assert told[GIN, "network"].holds is False
    assert told["golf", "random play"].holds is None and told["golf", "random play"].missing == "not in OpenSpiel"
    assert told["hearts:rounds=1", "random play"].missing == "not measured"
    assert told["golf", "games per second of a network"].holds is True


def test_every_game_has_a_claim_on_random_play_and_one_on_networks():
    assert len(claims({})) == 2 * len({entry.name for entry in ENTRIES}) + 1


# The page.


def test_a_page_tells_what_was_measured_and_nothing_else():
    text = page(found(golf__random_games_per_second__one_core=40000.0, golf__net_games_per_second__all_cores=100.0))
    assert "| golf | random | game of nine rounds | 40,000 | — |" in text
    assert re.search(r"of a network \| golf \| — \| — \| 100 \| 900 \| \*\*no\*\* \|", text)
    assert "not in OpenSpiel" in text
    assert "Genetics" not in text and "Scaling" not in text and "arithmetic limit" not in text


def test_a_page_shows_rivals_beside_ours_in_the_same_unit():
    text = page({**found(), "figures": {f"{HEARTS}.random_games_per_second.one_core": 2e5,
                                        "openspiel.hearts.random_rounds_per_second.one_core": 2e4}})  # fmt: skip
    assert f"| {HEARTS} | round | 200,000 | 20,000 | — | — | — |" in text


def test_the_results_of_the_repository_are_the_page_of_its_figures():
    found = json.loads((ROOT / "benchmarks" / "results.json").read_text())
    assert (ROOT / "benchmarks" / "RESULTS.md").read_text() == page(found)
    assert {part.partition(".")[0].partition(":")[0] for part in found["figures"]} >= {
        "golf", "backgammon", "conquest", "gin", "hearts", "openspiel", "neat", "peak"
    }  # fmt: skip


def test_the_page_of_the_gpu_is_that_of_its_parts():
    parts = json.loads((ROOT / "benchmarks" / "gpu.json").read_text())
    assert (ROOT / "benchmarks" / "GPU.md").read_text() == gpu.page(parts)
    assert {"golf", "backgammon", "peers"} <= set(parts)


def test_a_page_says_which_network_is_slower_than_random_players_from_python():
    figures = {f"{HEARTS}.net_games_per_second.one_core": 9.0, f"{HEARTS}.champion_games_per_second.one_core": 2.0,
               "openspiel.hearts.random_rounds_from_python_per_second.one_core": 3.0}  # fmt: skip
    assert f"Exception: {HEARTS} by `champion`" in page({**found(), "figures": figures})
    figures[f"{HEARTS}.champion_games_per_second.one_core"] = 4.0
    assert "Exception" not in page({**found(), "figures": figures})


# Scaling.


@pytest.mark.parametrize("name", ["backgammon:start=hypergammon", "golf"])
def test_units_without_effect_leave_the_games_as_they_were(name):
    game, small = find_game(name), small_net(name, 3)
    jobs = benchmark_jobs(game, 2)
    wide = scaling.widened(small.net, 11)
    assert wide.net.shape[1] == 11 and len(wide.net.weights) == size(wide.net.shape)
    played = [game.launcher.play(jobs, *pack_players(game, [net, net]), 1, keep_moves=True)[1] for net in (small, wide)]
    assert np.array_equal(*played) and (played[0] >= 0).sum() > 20


def test_parts_of_the_gpu_benchmark_without_games_launch_none():
    assert gpu.first_launches([]) == {}


def test_cores_are_doubled_up_to_all_of_them():
    assert [cores.counts(most) for most in (1, 2, 6, 16)] == [[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8, 16]]


def test_a_launch_over_cores_takes_as_long_as_it_should(monkeypatch):
    launches = []

    def launch(name, who, threads, games):
        launches.append((threads, games))
        return 1000.0 * threads if len(launches) < 2 else 2000.0 * threads  # faster than it seemed at first

    monkeypatch.setattr(cores, "launch", launch)
    assert cores.measured("golf", cores.RANDOM, 4, 3.0, 500.0) == 8000.0
    assert launches[0] == (4, 100)
    *_, (_, before), (_, games) = launches
    assert before / 8000 < 3.0 <= games / 8000 < 3.3


def test_speeds_over_cores_and_beside_pgx_become_tables(monkeypatch, tmp_path):
    monkeypatch.setattr(render_results, "RECORD", tmp_path)
    assert render_results.cores() == render_results.peers() == "No results are stored yet.\n"
    how = {"command": "python -m benchmarks.cores", "machine": "a machine, 4 cores", "commit": "abc"}
    rows = [
        {"game": "golf", "players": "networks", "speeds": {"1": 1000.0, "2": 1900.0, "4": 3600.0}, "processes": 3700.0},
        {"game": "golf", "players": "random", "speeds": {"1": 20000.0, "4": 70000.0}},
    ]
    result = {"cores": [1, 2, 4], "threads_per_core": 2, "launch_seconds": 3.0, "rows": rows}
    (tmp_path / "scaling.json").write_text(json.dumps({**how, "result": result}))
    text = render_results.cores()
    assert "| game | players | 1 core | 2 cores | 4 cores | 4 over one | 4 processes over one |" in text
    assert "| `golf` | networks | 1,000 | 1,900 | 3,600 | 3.6 | 3.7 |" in text
    assert "| `golf` | random | 20,000 |  | 70,000 | 3.5 |  |" in text
    figures = {"pgx.backgammon.random_games_per_second.gpu.batch_131072": 70000.0}
    result = {"gpu": "a GPU", "versions": {"pgx": "2"}, "figures": figures}
    (tmp_path / "peers.json").write_text(json.dumps({**how, "result": result}))
    assert "| pgx | 131,072 | 70,000 |" in render_results.peers()


# Memory, starting, training.


def test_a_process_grows_by_what_it_keeps_of_its_games(monkeypatch):
    monkeypatch.setattr(memory, "ENTRIES", [SMALL])
    told = memory.memory_figures(40_000)
    each = told[f"{HEARTS}.bytes_per_game"]
    assert each == Job.itemsize + find_game("hearts").rules.tally.itemsize
    assert each * 0.8 < told[f"{HEARTS}.grown_megabytes_per_million_games"] < each * 2


def test_starts_are_timed_with_nothing_compiled_and_then_with_what_that_left(monkeypatch):
    seen = []

    def timed(code, told):
        folder = told.get("SPARRING_CACHE", "")
        seen.append(
            (code.partition(";")[0], folder, Path(folder or "/none").exists() and not any(Path(folder).iterdir()))
        )
        if folder:
            (Path(folder) / "compiled").touch()
        return float(len(seen))

    monkeypatch.setattr(starting, "timed", timed)
    told = starting.start_figures(["golf"])
    assert [empty for _, folder, empty in seen if folder] == [True] + [False] * starting.WARM
    assert len({folder for _, folder, _ in seen if folder}) == 1
    assert told["golf.start_seconds.nothing_compiled"] == starting.WARM + 1
    assert not Path(seen[-1][1]).exists()


def test_training_is_timed_until_it_is_strong_enough_or_given_up(monkeypatch):
    for name, few in (("EVERY", 1), ("PAIRS", 2), ("HIDDEN", 2)):
        monkeypatch.setattr(training, name, few)
    weak = training.training_figures(strength=1.1, longest=0.001)
    assert (
        "backgammon.td.seconds_to_half_against_pubeval" not in weak and weak["backgammon.td.games_of_each_net"] == 1000
    )
    monkeypatch.setattr(training, "share_won", lambda nets: 0.7)
    assert training.training_figures(strength=0.5)["backgammon.td.seconds_to_half_against_pubeval"] > 0


# The arithmetic limit.


def test_numbers_count_what_is_done_to_them_and_round_as_single_precision_does():
    counted.DONE.clear()
    third = np.float32(1) / counted.Number(3)
    total = 2 * third + np.float32(1) - counted.Number(1)
    assert float(total) == float(np.float32(2) * (np.float32(1) / np.float32(3)) + np.float32(1) - np.float32(1))
    assert total > 0 and max(total, third) is total
    assert counted.DONE == {"quotients": 1, "products": 1, "sums": 2, "comparisons": 2}


def test_counting_plays_the_same_games_as_compiled_code():
    game, nets = find_game(HEARTS), [small_net(HEARTS, 3, 1), small_net(HEARTS, 3, 2)]
    told = counted.counted(HEARTS, nets, 1)
    jobs = benchmark_jobs(game, 1)
    moves = game.launcher.play(jobs, *pack_players(game, nets), 1, keep_moves=True)[1]
    assert told["games"] == len(jobs) and told["moves"] == (moves >= 0).sum()
    assert told["sigmoids"] > 0 and told["sigmoids"] % 3 == 0
    assert told["products"] > told["sigmoids"] and told["of_a_sigmoid"] == 20


@pytest.mark.parametrize("name", ["golf", "backgammon:start=hypergammon"])
def test_parts_of_the_work_leave_the_games_as_they_were(name):
    game = find_game(name)
    table, weights = pack_players(game, [small_net(name, 3, 1), small_net(name, 3, 2)])
    jobs = benchmark_jobs(game, 1)
    tallies, kept = game.launcher.play(jobs, table, weights, 1, keep_moves=True)
    names, work = parts.parts_of(game)
    run, room = parts.replay(game.rules.start, work, game.rules.apply), game.launcher.scratch(table)
    for until in range(len(names)):
        run(jobs, table, weights, *room, kept, until)
        assert room[0][0]["over"] and room[0][0]["tally"]["score"].tolist() == tallies["score"][-1].tolist(), names[
            until
        ]


def test_the_quickest_round_counts_in_time_of_its_own():
    def work(much):
        return lambda times: [sum(range(much)) for _ in range(times)]

    little, much = peak.fastest(work(100), work(20_000))
    assert 10 * little < much


def test_fused_multiply_adds_are_no_slower_than_separate_ones():
    told = peak.streams()
    assert told["peak.fused.operations_per_second"] > 0.8 * told["peak.separate.operations_per_second"] > 1e8


@pytest.mark.long
def test_a_game_s_limit_is_told_by_its_operations_and_parts():
    told = limit.game_figures(SMALL, limit.Counted(1))
    start = f"{HEARTS}.limit."
    assert told[f"{start}moves_counted"] == told[f"{start}moves_played"]
    assert told[f"{start}operations"] > 20 * told[f"{start}sigmoids"] > 0
    assert told[f"{start}operations_per_second"] == pytest.approx(told[f"{start}operations"] / told[f"{start}seconds"])
    assert told[f"{start}part.choosing the move"] > told[f"{start}part.the rules"] > 0
    text = page({**found(), "figures": told | {"peak.separate.operations_per_second": 4e10}})
    assert f"| {HEARTS} |" in text and "where the time goes" not in text  # one part is no parts


# The command.


def test_parts_can_be_measured_alone_and_are_written_with_where_and_of_what(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(command.PARTS, "memory", lambda seconds: {"golf.bytes_per_game": 344.0})
    command.main(["memory", "--out", str(tmp_path / "new")])
    told = json.loads((tmp_path / "new" / "results.json").read_text())
    assert told["figures"] == {"golf.bytes_per_game": 344.0}
    assert " core" in told["machine"] and told["versions"]["numba"] and told["commit"]
    assert (tmp_path / "new" / "RESULTS.md").read_text() == page(told)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["everything"], "unknown part 'everything'"),
        (["--seconds", "0"], "--seconds 0"),
        (["--seconds", "nan"], "--seconds nan"),
    ],
    ids=str,
)
def test_bad_words_are_refused_in_one_line(words, told, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2 and told in capsys.readouterr().err.splitlines()[-1]


def test_a_training_whose_later_games_are_longer_still_takes_the_asked_time(monkeypatch):
    monkeypatch.setattr(equal_time, "trained", lambda experiment, share, seed, trial: (None, 1000 * share**1.3))
    share = equal_time.fitting(None, 60.0, 1, 0)
    assert 54 < 1000 * share**1.3 < 66


@pytest.mark.parametrize(
    ("file", "field", "half"), [("gin-table", "games", 300_000), ("gin-expert", "games", 4000), ("golf-champion", "turns", 120_000)]
)  # fmt: skip
def test_learners_at_equal_time_train_the_asked_share_and_play_no_games_for_curves(file, field, half):
    options = equal_time.sized(read_experiment(ROOT / "experiments" / f"{file}.toml"), 0.5)
    assert getattr(options, field) == half and options.benchmark_pairs == 0
