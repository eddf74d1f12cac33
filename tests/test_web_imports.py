"""Files of games that people bring to the page: read, kept for who brought them, replayed, judged and played on from."""

from pathlib import Path

import pytest

import sparring
from sparring.games import find_game
from sparring.lab.analysis import foreign_games
from sparring.web.imports import MOST_OWN, _keep, _tidy
from sparring.web.refusals import LARGEST_FILE
from web_server import another, application, ready

MATCHES = Path(__file__).parent / "matches"
MATCH = (MATCHES / "gnubg.mat").read_bytes()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with application(tmp_path_factory.mktemp("imports") / "runs") as client:
        yield client


def bring(client, name, data):
    return client.post("/api/imports", params={"name": name}, content=data)


def brought(client, name="match.mat", data=MATCH):
    made = bring(client, name, data)
    assert made.status_code == 200, made.text
    return made.json()["name"]


def test_a_match_of_another_program_is_replayed_decision_by_decision(client):
    shown = client.get(f"/api/logs/{brought(client)}?game=1").json()
    games = foreign_games(find_game("backgammon"), MATCHES / "gnubg.mat")
    assert shown["games"] == len(games) and shown["names"] == ["gnubg", "root"]
    assert len(shown["frames"]) == len(games[1].actions) + 1 and shown["judged"]
    assert [frame["said"] for frame in shown["frames"][:5]] == [
        "", "Gnubg rolls 65 and plays 24/13", "Root rolls 21 and plays 13/11 6/5", "Gnubg rolls 54 and plays 24/20*/15",
        "Root rolls 66 and cannot move",
    ]  # fmt: skip
    assert "Gnubg doubles to 2" in [frame["said"] for frame in shown["frames"]]
    assert all(frame["svg"].startswith("<svg") for frame in shown["frames"])
    assert "match to 7, gnubg 0, root 1" in shown["result"]


def test_the_page_judges_it_as_the_command_does_and_says_where_it_can_be_played_on(client):
    judged = client.get(f"/api/logs/{brought(client)}/analysis?game=0").json()
    analysis = sparring.analyse(MATCHES / "gnubg.mat", number=1).games[0]
    assert [each["loss"] for each in judged["decisions"]] == [each.loss for each in analysis.decisions]
    assert [player["mean_loss"] for player in judged["players"]] == [each.mean_loss for each in analysis.players]
    mistakes = [each for each in judged["decisions"] if each["grade"]]
    assert len(mistakes) == len(analysis.mistakes()) and all(len(each["choices"]) > 1 for each in mistakes)
    answers = {each["kind"] for each in judged["decisions"] if not each["again"]}
    assert answers == {"take"}


def test_a_decision_of_it_is_played_again_with_its_dice_cube_and_score(client):
    name, number = brought(client), 8
    made = client.post(f"/api/logs/{name}/again", json={"game": 1, "number": number})
    assert made.status_code == 200, made.text
    table = ready(client, made.json()["id"])
    actions = foreign_games(find_game("backgammon"), MATCHES / "gnubg.mat")[1].actions
    dice, stakes = actions[number].dice, actions[number].stakes
    assert table["turn"] == table["seat"] == 0 and table["legal"]
    assert f"{dice[0]}{dice[1]}" in table["expected"] and f"cube {stakes.cube} " in table["text"]
    assert f"{7 - stakes.away[0]} to {7 - stakes.away[1]} in a match to 7" in table["text"]
    take = next(at for at, action in enumerate(actions) if action.kind == "take")
    assert client.post(f"/api/logs/{name}/again", json={"game": 1, "number": take}).status_code == 422


def test_positions_are_shown_with_their_best_moves(client):
    name = brought(client, "positions.xgid", (MATCHES / "positions.xgid").read_bytes())
    assert len(client.get(f"/api/logs/{name}?game=0").json()["frames"]) == 1
    (question,) = client.get(f"/api/logs/{name}/analysis?game=0").json()["decisions"]
    assert question["loss"] is None and len(question["choices"]) == 5


def test_a_log_from_elsewhere_has_everything_that_a_log_of_the_runs_folder_has(client, tmp_path):
    path = tmp_path / "elsewhere.log"
    sparring.match("golf", "greedier", "random", pairs=1, keep=path)
    name = brought(client, "C:\\games\\else where.LOG", path.read_bytes())
    shown = client.get(f"/api/logs/{name}?game=1").json()
    assert shown["games"] == 2 and shown["moves"] == len(shown["frames"]) - 1
    assert client.get(f"/api/logs/{name}/thinking?game=0&number=3&player=champion").status_code == 200
    (entry,) = [log for log in client.get("/api/logs").json() if log["name"] == name]
    assert entry["file"] == "else where.log" and entry["games"] == 2


def test_a_log_without_its_deals_can_be_judged_where_the_moves_say_everything(client, tmp_path):
    path = tmp_path / "games.log"
    sparring.match("backgammon:cube=on", "deep", "simple", pairs=1, keep=path)
    name = brought(client, "games.log", b"\n".join(path.read_bytes().splitlines()[1:]))
    shown = client.get(f"/api/logs/{name}?game=0").json()
    judged = client.get(f"/api/logs/{name}/analysis?game=0").json()
    assert shown["moves"] is None and shown["judged"]
    assert {each["move"] for each in judged["decisions"]} <= set(range(len(shown["frames"])))


@pytest.mark.parametrize(
    ("name", "data", "status", "said"),
    [
        ("match.exe", MATCH, 422, "must be one of .log, .mat"),
        (".mat", MATCH, 422, "must be one of"),
        ("match.mat", b"no games at all", 422, "match.mat"),
        ("match.mat", MATCH.replace(b"24/18 18/13", b"24/18 18/1", 1), 422, "match.mat, line "),
        ("games.log", b"\x00\x01", 422, "games.log: not a game log"),
        (
            "games.log",
            b'# sparring log {"game": "/etc/passwd", "rules": 1, "seed": 1, "players": []}\n\nx',
            422,
            "line 1",
        ),
        ("positions.txt", b"", 422, "neither games nor XGIDs"),
        ("match.mat", b" " * (LARGEST_FILE + 1), 413, "at most"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line_and_not_kept(client, name, data, status, said):
    before = client.get("/api/logs").json()
    answer = bring(client, name, data)
    assert answer.status_code == status and said in answer.json()["error"] and "\n" not in answer.json()["error"]
    assert client.get("/api/logs").json() == before


def test_files_are_listed_for_who_brought_them_and_deleted_by_nobody_else(client):
    name, other = brought(client), another(client)
    id = name.rpartition("/")[2]
    other.get("/api/games")
    assert name not in [log["name"] for log in other.get("/api/logs").json()]
    assert other.post(f"/api/imports/{id}/delete", json={}).status_code == 403
    assert client.post(f"/api/imports/{id}/delete", json={}).status_code == 200
    assert client.get(f"/api/logs/{name}").status_code == 404
    for wrong in ("imports/%2e%2e", "imports/*", "imports/%2e%2e%2fresults.sqlite"):
        assert client.get(f"/api/logs/{wrong}").status_code == 404


def test_a_person_keeps_a_limited_number_of_files(client):
    names = [
        brought(client, data=MATCHES.joinpath("positions.xgid").read_bytes(), name="p.xgid")
        for _ in range(MOST_OWN + 2)
    ]
    kept = [log["name"] for log in client.get("/api/logs").json() if log.get("imported")]
    assert len(kept) == MOST_OWN and set(kept) == set(names[-MOST_OWN:])


def test_logs_in_the_folder_where_the_server_was_started_are_listed_and_replayed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sparring.match("golf", "greedier", "random", pairs=1, keep=tmp_path / "beside.log")
    with application(tmp_path / "runs") as client:
        (entry,) = client.get("/api/logs").json()
        assert entry["name"] == "here/beside.log" and entry["games"] == 2
        assert client.get(f"/api/logs/{entry['name']}?game=1").json()["judged"]
    with application(tmp_path / "runs", local=False) as client:  # others could read what is in that folder
        assert client.get("/api/logs").json() == []
        assert client.get("/api/logs/here/beside.log").status_code == 404


def test_an_error_does_not_say_where_the_folder_of_runs_is(client):
    folder = client.app.state.registry.runs
    answer = bring(client, "games.log", b"\n\n")
    assert answer.status_code == 422 and "contains no games" in answer.json()["error"]
    assert str(folder.parent) not in answer.json()["error"] and answer.json()["error"].startswith("games.log:")


def test_a_file_that_is_deleted_while_it_is_read_or_listed_is_not_there(client, monkeypatch):
    gone = client.app.state.registry.runs / "imports" / "gone" / "x.log"
    monkeypatch.setattr("sparring.web.replaying.imported_file", lambda folder, id: gone)
    answer = client.get(f"/api/logs/imports/{'x' * 24}")
    assert answer.status_code == 404 and "deleted just now" in answer.json()["error"]
    glob = Path.glob
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: [gone, *glob(folder, pattern)])
    assert client.get("/api/logs").status_code == 200
    monkeypatch.setattr(Path, "iterdir", lambda folder: iter([gone]))
    _tidy(gone.parent, "x")


def test_nothing_is_left_of_a_file_whose_reading_fails(client, monkeypatch):
    folder = client.app.state.registry.runs / "imports"
    before = list(folder.iterdir())
    monkeypatch.setattr("sparring.web.imports.kept_in", lambda path, number: [][0])
    with pytest.raises(IndexError):
        _keep(folder, "x", "x.log", b"x")
    assert list(folder.iterdir()) == before


def test_a_very_long_game_is_judged_at_the_first_level_only(client, monkeypatch):
    name = brought(client)
    monkeypatch.setattr("sparring.web.kept.MOST_DEEP", 5)
    answer = client.get(f"/api/logs/{name}/analysis?game=0&level=1")
    assert answer.status_code == 422 and "at level 0 only" in answer.json()["error"]
    assert client.get(f"/api/logs/{name}/analysis?game=0").status_code == 200
