"""Tables in the browser: a person's game, two people's, watching; found again after a stop."""

import asyncio
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparring.arena.session import NOBODY
from sparring.games import find_game
from sparring.games.golf import rules as golf
from sparring.lab.person_record import own_records
from sparring.lab.store import Store
from sparring.testing.cast import differing
from sparring.web import table_registry as registries
from sparring.web import table_store as stores
from sparring.web.refusals import Refusal
from sparring.web.sockets import Line
from sparring.web.table_files import read_table
from sparring.web.table_registry import WATCH, TableRegistry
from sparring.web.tables import Seat, Table
from web_server import another, application, move, my_turn, next_turn, play_out, ready, sit, socket, wait_for

GOLF = find_game("golf")
ANN, BOB = "a" * 32, "b" * 32


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("tables") / "runs"


@pytest.fixture(scope="module")
def client(runs):
    with application(runs) as browser:
        yield browser


@pytest.fixture(scope="module")
def finished(client):
    return play_out(client, sit(client, seed=3))


def test_the_games_are_those_of_the_registry_with_rules_and_players(client):
    told = {game["name"]: game for game in client.get("/api/games").json()}
    assert list(told)[:2] == ["golf", "backgammon"]
    assert told["golf"]["seats"] == [2, 3, 4]
    assert told["backgammon"]["default_opponent"] == "champion"
    rounds = next(option for option in told["conquest"]["options"] if option["name"] == "rounds")
    assert (rounds["default"], rounds["least"], rounds["choices"]) == (500, 1, None)
    assert [player["name"] for player in told["golf"]["players"]] == [*GOLF.policies.champions, *GOLF.builtin]


def test_a_table_may_be_saved_while_its_result_is_recorded(tmp_path):
    table = Table("table", GOLF, 3, [Seat(ANN), Seat(None, "random")], ANN)

    def save(number: int) -> None:
        table.again = {"same": f"{number}"}
        table.save(tmp_path, lasting=number % 2 == 0)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(save, range(400)))
    assert read_table(tmp_path / "table.json").again == table.again


def test_a_whole_game_is_played_and_recorded_once(client, runs, finished):
    assert finished["result"].split(",")[0] in ("you win", "greedier wins", "drawn")
    assert finished["seed"] == 3
    (result,) = wait_for(lambda: Store(runs).read_results("play"))
    assert (result["players"], result["seat"], result["against"]) == (["you", "greedier"], 0, ["greedier"])
    assert result["scores"] == finished["scores"]
    record = client.get("/api/record").json()["records"][0]
    assert record["games"] == 1
    assert record["win_rate"]["mean"] == float(finished["result"].startswith("you win"))
    with application(runs) as later:
        wait_for(lambda: later.get(f"/api/tables/{finished['id']}").json()["over"])
        assert len(Store(runs).read_results("play")) == 1


def test_a_server_stopped_before_recording_records_when_it_starts_again(tmp_path):
    with application(tmp_path) as browser:
        told = play_out(browser, sit(browser, opponents=["random"], seed=5))
        path = tmp_path / "tables" / f"{told['id']}.json"
        wait_for(lambda: json.loads(path.read_text())["recorded"])
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"recorded": False}))
    with application(tmp_path):
        wait_for(lambda: json.loads(path.read_text())["recorded"])
    assert len(Store(tmp_path).read_results("play")) == 1  # it was recorded already: the table's id says so
    assert own_records(Store(tmp_path))[0].games == 1


def test_moves_out_of_turn_stale_illegal_or_of_others_change_nothing(client, finished):
    told = sit(client, seed=4)
    id, stranger = told["id"], another(client)
    for status, answer in [
        (409, move(client, told, number=told["number"] + 1)),
        (422, move(client, told, move=9)),
        (422, move(client, told, move=-1)),
        (422, move(client, told, move=10**30)),
        (403, move(stranger, told)),
        (409, move(client, finished | {"legal": [{"move": 0}]})),
        (404, move(client, told | {"id": "A" * 24})),
    ]:
        assert answer.status_code == status, answer.text
        assert list(answer.json()) == ["error"]
    assert client.get(f"/api/tables/{id}").json() == told


def test_two_people_play_each_sees_their_own_side_and_others_watch(client):
    bob, eve = another(client), another(client)
    told = sit(client, opponents=[], people=2)
    id = told["id"]
    assert told["note"].startswith("waiting for another person")
    assert bob.post(f"/api/tables/{id}/join", json={}).json() == {"seat": 1}
    assert bob.post(f"/api/tables/{id}/join", json={}).json() == {"seat": 1}
    assert eve.post(f"/api/tables/{id}/join", json={}).json() == {"seat": None}
    assert client.get(f"/api/tables/{id}").json()["names"] == ["you", "person"]
    assert bob.get(f"/api/tables/{id}").json()["names"] == ["person", "you"]
    watched = eve.get(f"/api/tables/{id}").json()
    assert (watched["seat"], watched["legal"], watched["names"]) == (None, [], ["person 1", "person 2"])
    early = bob.post(f"/api/tables/{id}/move", json={"move": 0, "number": 0})
    assert (early.status_code, early.json()["error"]) == (409, "it is not your turn, but that of person")
    with socket(bob, f"/ws/tables/{id}") as line, socket(eve, f"/ws/tables/{id}") as sight:
        assert line.receive_json()["seat"] == 1
        assert sight.receive_json()["seat"] is None
        told = move(client, move(client, client.get(f"/api/tables/{id}").json()).json(), 6).json()
        heard = [line.receive_json(), line.receive_json()]
        assert [h["number"] for h in heard] == [1, 2]
        assert heard[0]["said"][0].startswith("Person draws")
        assert heard[1]["legal"]
        assert [sight.receive_json()["legal"] for _ in heard] == [[], []]
    assert told["legal"] == []
    assert [table["id"] for table in bob.get("/api/tables").json()] == [id]
    assert eve.get("/api/tables").json() == []


def test_a_seed_cannot_be_chosen_where_people_meet(client):
    answer = client.post("/api/tables", json={"game": "golf", "people": 2, "seed": 1})
    assert answer.status_code == 422
    assert "cards" in answer.json()["error"]


def test_the_same_deal_again_with_seats_exchanged_once_the_game_is_over(client, finished):
    under_way = sit(client, seed=3)
    refused = client.post(f"/api/tables/{under_way['id']}/again", json={"exchange": True})
    assert refused.status_code == 409
    made = client.post(f"/api/tables/{finished['id']}/again", json={"exchange": True}).json()
    assert made["seat"] == 1
    assert client.post(f"/api/tables/{finished['id']}/again", json={"exchange": True}).json() == made
    told = ready(client, made["id"])
    assert told["names"] == ["greedier", "you"]
    table = client.app.state.registry.find(made["id"])
    first = client.app.state.registry.find(under_way["id"])
    assert differing(table.session.state_before(0), first.session.state_before(0)) == set()
    assert another(client).post(f"/api/tables/{finished['id']}/again", json={}).status_code == 403


def test_two_who_ask_for_the_same_deal_at_the_same_time_get_one_table(client, finished, monkeypatch):
    registry = client.app.state.registry
    table, create = registry.find(finished["id"]), registry.create

    async def slowly(*words, **more):
        made = await create(*words, **more)
        await asyncio.sleep(0.05)  # in which the other asks
        return made

    async def both():
        return await asyncio.gather(*(registry.again(table, table.owner, False) for _ in range(2)))

    monkeypatch.setattr(registry, "create", slowly)
    one, other = client.portal.call(both)
    assert one is other


def test_hints_are_for_whose_turn_it_is_and_change_nothing(client):
    told = sit(client, seed=8)
    path = f"/api/tables/{told['id']}/hint?player=greedier"
    hint = client.get(path).json()
    assert {one["move"] for one in hint["candidates"]} == {one["move"] for one in told["legal"]}
    assert sum(one["chosen"] for one in hint["candidates"]) == 1
    assert client.get(path).json() == hint
    assert client.get(f"/api/tables/{told['id']}").json() == told
    assert another(client).get(path).status_code == 403


def test_a_move_half_made_is_shown_where_the_game_can(client):
    told = my_turn(client, sit(client, game="backgammon", opponents=["random"], seed=1))
    path = f"/api/tables/{told['id']}/partial"
    way = max((way for one in told["legal"] for way in one["touches"]), key=len)
    begun = client.get(path, params={"touched": way[:2]}).json()["svg"]
    assert begun.startswith("<svg") and begun != told["svg"]
    assert client.get(path, params={"touched": ["point 99"]}).status_code in (400, 422)
    assert another(client).get(path, params={"touched": way[:2]}).status_code == 409
    golf = sit(client, seed=8)
    assert client.get(f"/api/tables/{golf['id']}/partial", params={"touched": ["stock"]}).status_code == 422


def test_a_move_half_made_on_a_table_that_has_gone_on_gets_no_picture_and_no_error(client):
    """What was touched last may be asked for after the move itself was played: by whoever is quick."""
    told = my_turn(client, sit(client, game="backgammon", opponents=["random"], seed=1))
    path = f"/api/tables/{told['id']}/partial"
    way = max((way for one in told["legal"] for way in one["touches"]), key=len)
    asked = {"touched": way[:1], "number": told["number"]}
    assert client.get(path, params=asked).json()["svg"].startswith("<svg")
    assert move(client, told).status_code == 200
    late = client.get(path, params=asked)
    assert (late.status_code, late.json()) == (200, {"svg": None})
    assert another(client).get(path, params=asked).status_code == 409
    assert client.get(path, params=asked | {"number": "x"}).status_code == 422


def test_thinking_of_others_is_shown_only_when_the_game_is_over(client, finished):
    told = sit(client, opponents=["greedier"], seed=9)
    told = move(client, move(client, told).json(), 6).json()
    id, turns = told["id"], client.app.state.registry.find(told["id"]).session.turns
    theirs = f"/api/tables/{id}/thinking?number={turns.index(1)}"
    assert client.get(theirs).status_code == 403
    assert another(client).get(f"/api/tables/{id}/thinking?number=0").status_code == 403
    assert client.get(f"/api/tables/{id}/thinking?number=0&player=greedier").json()["seat"] == 0
    over = f"/api/tables/{finished['id']}/thinking?number={turns.index(1)}"
    assert client.get(over).json()["player"] == "greedier"
    assert client.get(f"/api/tables/{finished['id']}/thinking").status_code == 409


def test_a_finished_game_is_replayed_and_one_under_way_is_not(client, finished):
    name = f"tables/{finished['id']}.json"
    assert name in [log["name"] for log in client.get("/api/logs").json()]
    told = client.get(f"/api/logs/{name}?game=0").json()
    assert len(told["frames"]) == told["moves"] + 1 == finished["number"] + 1
    assert [frame["move"] for frame in told["frames"][1:]] == client.app.state.registry.find(finished["id"]).moves
    assert told["frames"][1]["said"].startswith("You draw from the stock") and told["names"] == ["you", "greedier"]
    assert client.get(f"/api/logs/{name}?game=1").status_code == 404
    assert client.get(f"/api/logs/{name}/thinking?number=0&player=greedier").json()["seat"] == 0
    assert client.get(f"/api/logs/{name}/thinking?number={finished['number']}").status_code == 422
    under_way = sit(client)
    assert client.get(f"/api/logs/tables/{under_way['id']}.json").status_code == 403


def test_players_watched_go_on_while_someone_watches_and_as_fast_as_told(client):
    made = client.post("/api/watch", json={"game": "golf", "players": ["random", "greedier"], "seed": 2, "pace": 20})
    id = made.json()["id"]
    ready(client, id)
    with socket(client, f"/ws/tables/{id}") as line:
        told = [line.receive_json() for _ in range(4)]
        assert [one["number"] for one in told] == [0, 1, 2, 3]
        assert "data-part" not in told[0]["svg"]
        assert client.post(f"/api/tables/{id}/pace", json={"pace": 0}).json()["pace"] == 0
    number = wait_for(lambda: client.get(f"/api/tables/{id}").json()["number"])
    assert another(client).post(f"/api/tables/{id}/pace", json={"pace": 5}).status_code == 403
    assert client.get(f"/api/tables/{id}").json()["number"] <= number + 1


def test_someone_who_comes_while_players_stop_for_want_of_watchers_sees_them_go_on(tmp_path):
    class Work:
        """Runs everything at once; the first table that is saved has a watcher while it is being saved."""

        async def quick(self, function, *arguments):
            if function == table.save and not arrived.is_set():
                arrived.set()
                registry.lines[table.id] = {Line(None, "watcher")}
                registry._go_on(table)
            await asyncio.sleep(0)
            return function(*arguments)

        players = quick

    async def watched():
        nonlocal registry, arrived
        registry, arrived = TableRegistry(tmp_path, None, Work()), asyncio.Event()
        table.pace = 1000
        registry._spawn(table, registry._settle(table))
        while table.number < 3:
            await asyncio.sleep(0.001)
        registry.lines.clear()

    table, registry, arrived = table_for(GOLF, Seat(player="random"), Seat(player="random")), None, None
    table.kind = WATCH
    asyncio.run(asyncio.wait_for(watched(), 300))


def test_hearts_for_four_against_one_player_named_for_all(client):
    told = sit(client, "hearts", ["rule-based"], rules="rounds=1", seat=2, seed=1)
    assert told["names"] == ["rule-based", "rule-based #2", "you", "rule-based #3"]
    told = play_out(client, wait_for(lambda: next_turn(client, told["id"])))
    assert sum(told["scores"]) in (26, 78)
    assert all(f"{name} " in told["result"] for name in told["names"])


# Tables without a server.


def table_for(game, *seats, seed=1):
    made = Table("x" * 24, game, seed, list(seats), ANN)
    made.begin()
    return made


def test_taking_back_undoes_ones_own_last_move_and_what_was_answered(tmp_path):
    table = table_for(find_game("conquest"), Seat(ANN), Seat(None, "greedy"))
    with pytest.raises(Refusal, match="no move"):
        table.take_back(ANN)
    before, number = table.session.state.copy(), table.number
    table.person_moves(ANN, [0], 0)
    while table.player_to_move():
        state = table.session.state.copy()
        table.play(table.choose(state, tmp_path), state)
    assert table.number > number + 1
    table.take_back(ANN)
    assert differing(table.session.state, before) == set()
    with pytest.raises(Refusal, match="do not sit"):
        table.take_back(BOB)


def test_nothing_is_taken_back_after_another_person_or_where_the_game_forbids_it():
    table = table_for(GOLF, Seat(ANN), Seat(BOB))
    for person, chosen in ((ANN, 0), (ANN, 6), (BOB, 0)):
        table.person_moves(person, [chosen], table.number)
    with pytest.raises(Refusal, match="another person"):
        table.take_back(ANN)
    table = table_for(GOLF, Seat(ANN), Seat(BOB))
    table.person_moves(ANN, [golf.DISCARD], 0)
    assert table.shown_to(ANN)["taking_back"]  # the card lay open
    table.take_back(ANN)
    table.person_moves(ANN, [golf.STOCK], 0)
    assert not table.shown_to(ANN)["taking_back"]
    with pytest.raises(Refusal, match="shown what was hidden"):
        table.take_back(ANN)


def test_a_player_that_fails_is_told_of_and_the_table_stays(tmp_path):
    table = table_for(GOLF, Seat(None, "runs/gone"), Seat(ANN))
    assert table.choose(table.session.state.copy(), tmp_path) is None
    assert table.note(1).startswith("runs/gone cannot move")
    assert not table.player_to_move()
    assert table.shown_to(ANN)["number"] == 0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**53 - 1), st.integers(0, 60), st.sampled_from(["golf", "hearts:rounds=1"]))
def test_a_table_is_found_again_as_it_was(tmp_path_factory, seed, count, name):
    folder, game = tmp_path_factory.mktemp("kept"), find_game(name)
    others = [Seat(None, game.builtin[1])] * (min(game.rules.seats) - 1)
    table, random = table_for(game, Seat(ANN), *others, seed=seed), np.random.default_rng(seed)
    for _ in range(count):
        if table.over:
            break
        if table.player_to_move():
            state = table.session.state.copy()
            table.play(table.choose(state, folder), state)
        else:
            table.person_moves(ANN, [int(random.choice(table.session.legal))], table.number)
    table.save(folder)
    found = read_table(folder / f"{table.id}.json")
    found.begin()
    assert differing(found.session.state, table.session.state) == set()
    for person in (ANN, BOB):
        here, there = table.shown_to(person), found.shown_to(person)
        assert {key: here[key] for key in here if key != "said"} == {key: there[key] for key in there if key != "said"}
    if count <= 60:
        assert found.heard[NOBODY] == table.heard[NOBODY]


def test_files_that_are_no_tables_are_left_alone(tmp_path, caplog):
    folder = tmp_path / "tables"
    folder.mkdir()
    good = table_for(GOLF, Seat(ANN), Seat(None, "random"))
    good.save(folder)
    told = json.loads((folder / f"{good.id}.json").read_text())
    bad = {
        "a": "",
        "b": "[" * 100_000,
        "c": "[]",
        "d": json.dumps(told | {"rules": 99}),
        "e": json.dumps(told | {"game": "os"}),
        "f": json.dumps(told | {"seats": 3}),
        "g": json.dumps({"version": 1}),
    }
    for name, text in bad.items():
        (folder / f"{name}.json").write_text(text)
    with application(tmp_path) as browser:
        assert list(browser.app.state.registry.tables) == [good.id]
        assert browser.get(f"/api/tables/{'a' * 24}").status_code == 404
    assert sum("no table that can be played on" in line.message for line in caplog.records) == len(bad)
    assert {path.stem for path in folder.iterdir()} == {good.id, *bad}


# Tables that nobody needs any more.


def test_a_game_that_is_put_away_goes_on_as_it_was(client, monkeypatch):
    registry = client.app.state.registry
    told = move(client, sit(client, seed=21)).json()
    mine = registry.find(told["id"])
    monkeypatch.setattr(stores, "MOST_LIVE", 0)
    sit(another(client), seed=1)
    assert mine.session is None
    (listed,) = [one for one in client.get("/api/tables").json() if one["id"] == told["id"]]
    assert listed["yours"] and mine.session is None
    found = client.get(f"/api/tables/{told['id']}").json()
    assert {key: found[key] for key in found if key != "said"} == {key: told[key] for key in told if key != "said"}
    registry._tidy()
    assert move(client, found).json()["number"] > told["number"]


def test_a_finished_game_that_is_put_away_still_tells_its_result(client, finished, monkeypatch):
    monkeypatch.setattr(stores, "MOST_LIVE", 0)
    client.app.state.registry._tidy()
    (listed,) = [one for one in client.get("/api/tables").json() if one["id"] == finished["id"]]
    assert (listed["result"], listed["over"]) == (finished["result"], True)
    assert client.get(f"/api/logs/tables/{finished['id']}.json").json()["result"]
    assert client.get(f"/api/tables/{finished['id']}").json()["result"] == finished["result"]


def test_abandoned_tables_lock_nobody_out_and_memory_and_disk_stay_bounded(tmp_path, monkeypatch):
    for name, most in {"MOST_LIVE": 3, "MOST_TABLES": 8, "MOST_STORED": 5}.items():
        monkeypatch.setattr(stores, name, most)
    with application(tmp_path) as browser:
        registry = browser.app.state.registry
        first, ids = move(browser, sit(browser, seed=21)).json(), []
        for number in range(40):
            stranger = another(browser)
            told = sit(stranger, seed=number)
            ids.append(told["id"])
            if number % 3 == 0:
                assert move(stranger, told).status_code == 200
            assert len(registry.tables) <= 8 and len(registry.away) <= 5
            assert sum(table.session is not None for table in registry.tables.values()) <= 4
            if number == 10:
                assert first["id"] in registry.away
                assert move(browser, browser.get(f"/api/tables/{first['id']}").json()).status_code == 200
        assert len(list((tmp_path / "tables").iterdir())) <= 13
        assert browser.get(f"/api/tables/{ids[0]}").status_code == 404


def test_an_address_that_makes_many_tables_displaces_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "MOST_TABLES", 6)
    with application(tmp_path) as browser:
        registry = browser.app.state.registry
        kept = registry.find(sit(browser, seed=1)["id"])
        kept.address = "10.0.0.1"
        for number in range(12):
            sit(another(browser), seed=number)
        assert kept.id in registry.tables


def test_watched_games_do_not_keep_people_from_playing(client, monkeypatch):
    monkeypatch.setattr(registries, "MOST_OPEN", 1)
    someone = another(client)
    body = {"game": "golf", "players": ["random", "greedier"]}
    ids = [someone.post("/api/watch", json=body).json()["id"] for _ in range(registries.MOST_WATCHED + 3)]
    registry = client.app.state.registry
    assert [id in registry.tables for id in ids] == [False] * 3 + [True] * registries.MOST_WATCHED
    sit(someone)
    refused = someone.post("/api/tables", json={"game": "golf", "opponents": ["random"]})
    assert refused.status_code == 429 and "leave" in refused.json()["error"]


def test_who_leaves_deletes_the_table_or_leaves_the_seat_to_a_player(client, runs):
    ann, bob, eve = (another(client) for _ in range(3))
    told = sit(ann)
    assert eve.post(f"/api/tables/{told['id']}/leave", json={}).status_code == 403
    assert ann.post(f"/api/tables/{told['id']}/leave", json={}).json() == {}
    assert ann.get(f"/api/tables/{told['id']}").status_code == 404
    assert not (runs / "tables" / f"{told['id']}.json").exists()
    told = sit(ann, opponents=[], people=2)
    bob.post(f"/api/tables/{told['id']}/join", json={})
    assert ann.post(f"/api/tables/{told['id']}/leave", json={}).json() == {}
    after = wait_for(lambda: next_turn(bob, told["id"]))
    assert after["names"] == ["champion", "you"] and after["seat"] == 1
    before = len(Store(runs).read_results("play"))
    assert play_out(bob, after)["over"]
    assert len(Store(runs).read_results("play")) == before
    assert bob.post(f"/api/tables/{told['id']}/leave", json={}).json() == {}
    assert bob.get(f"/api/tables/{told['id']}").status_code == 404


def test_old_tables_are_deleted_when_the_server_starts_and_only_the_newest_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "MOST_TABLES", 2)
    made, now = [Table(letter * 24, GOLF, 1, [Seat(ANN), Seat(None, "random")], ANN) for letter in "abcde"], time.time()
    for age, table in enumerate(made):
        table.save(tmp_path / "tables")
        when = now - age * 40 * 24 * 3600
        os.utime(tmp_path / "tables" / f"{table.id}.json", (when, when))
    registry = TableRegistry(tmp_path, None, None)
    registry.load()
    assert list(registry.tables) == ["b" * 24, "a" * 24] and list(registry.away) == ["c" * 24]
    assert len(list((tmp_path / "tables").iterdir())) == 3
    assert registry.find("c" * 24).seed == 1
