"""The checks, each a function of a game, a seed and a deal that raises AssertionError.

They are in the order to run them: the launcher trusts its kernels, so it plays only after games played move by move have shown
that they end and that all moves are legal.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import permutations
from xml.etree import ElementTree

import numpy as np

from sparring.arena.play import played
from sparring.arena.players import Contestant, pack_players
from sparring.errors import UserError
from sparring.games import Game, Played, View
from sparring.games.game import legal_moves, play_move, start_game
from sparring.testing.cast import cast, choose_afresh, differing, one_job, parting, rotations, sit_down, walk

LUCK = "luck"  # the field with each seat's random stream: choosing may change it, and `Policies.policy_state`
OPENINGS = 16  # consecutive deals compared: two may look alike, but not all
NAMES = ("Ann & <Bo>", 'Cy "it\'s"', "a name that is far too long for any table", "\x00")
WORDS = 40  # characters that fit on a button
SOME = 9  # every ninth state of a game is examined in detail


def check_deals_are_pure(game: Game, seed: int, deal: int) -> None:
    """(seed, deal) determines a deal byte for byte, whatever the players' luck."""
    for seats in game.rules.seats:
        first = start_game(game, seed, deal, 0, seats)
        again, lucky = start_game(game, seed, deal, 0, seats), start_game(game, seed, deal, 1, seats)
        assert not differing(first, again), f"{game.name}: the same deal again differs in {differing(first, again)}"
        wrong = differing(first, lucky) - {LUCK}
        assert not wrong, f"{game.name}: the deal depends on luck: other luck changed {wrong}"


def check_deals_differ(game: Game, seed: int, deal: int) -> None:
    """Different deals, and one deal under different seeds, do not all look alike."""
    for seats in game.rules.seats:
        deals = {_opening(game, seed, deal + n, seats) for n in range(OPENINGS)}
        fault = f"{OPENINGS} deals from {deal} on begin alike: the deal's number is not used"
        assert len(deals) > 1, f"{game.name}: {fault}"
        seeds = {_opening(game, (seed + n) % 2**64, deal, seats) for n in range(OPENINGS)}
        assert len(seeds) > 1, f"{game.name}: deal {deal} begins alike under {OPENINGS} seeds: the seed is not used"


def _opening(game: Game, seed: int, deal: int, seats: int) -> str:
    """All that the seats see before the first move."""
    state = start_game(game, seed, deal, 0, seats)
    return json.dumps([game.view.state_json(state[0], seat) for seat in range(seats)])


def check_games_end(game: Game, seed: int, deal: int) -> None:
    """Every player's games against itself end within `max_moves`, for every number of seats."""
    for seats in game.rules.seats:
        for contestant in cast(game, seed):
            _walk(game, [contestant] * seats, seed, deal)


def check_choices_are_offered(game: Game, seed: int, deal: int) -> None:
    """Every player in every seat chooses legal moves, and the rules offer each move once."""
    for contestants in rotations(game, seed):
        for number, (legal, _) in enumerate(walk(sit_down(game, contestants, seed, deal, deal))):
            assert len(set(legal)) == len(legal), f"{game.name}: move {number}: a move is offered twice: {legal}"
            assert min(legal) >= 0, f"{game.name}: move {number}: a negative move is offered: {legal}"


def check_choosing_changes_luck_alone(game: Game, seed: int, deal: int) -> None:
    """Choosing changes nothing in the state but luck, `policy_state` and `self_reported` fields.

    What a player caches in scratch memory does not change its choice.
    """
    for contestants in rotations(game, seed):
        session, without_memory = (sit_down(game, contestants, seed, deal, deal) for _ in range(2))
        while not session.over:
            before = session.state.copy()
            move, name = session.movers[session.turn].choose(session.state), session.names[session.turn]
            wrong = _changed(game, before, session.state)
            assert not wrong, f"{game.name}: by choosing, {name} changed {wrong}"
            afresh = choose_afresh(without_memory, before)
            assert move == afresh, f"{game.name}: {name} chose {move}, but {afresh} without what it remembered"
            session.play(move)


def _changed(game: Game, before: np.ndarray, after: np.ndarray) -> set[str]:
    """The fields that differ, without luck, `policy_state` and `self_reported`."""
    counted = differing(before["tally"], after["tally"]) - game.rules.self_reported
    return differing(before, after) - {LUCK, *game.policies.policy_state, *([] if counted else ["tally"])}


def check_moves_are_exact(game: Game, seed: int, deal: int) -> None:
    """Every legal move can be played and changes the state; every other move is refused and changes nothing."""
    for seats in game.rules.seats:
        session = sit_down(game, cast(game, seed)[:1] * seats, seed, deal, deal)
        known = {-1, np.iinfo(np.int16).max}
        for number, (legal, _) in enumerate(walk(session)):
            known.update(legal, [max(legal) + 1])
            if number % SOME == 0:
                _check_offered(game, session.state, legal)
                _check_refused(game, session.state, known - set(legal))
        _check_refused(game, session.state, known)


def _check_offered(game: Game, state: np.ndarray, moves: Sequence[int]) -> None:
    for move in moves:
        after = state.copy()
        play_move(game, after, move)
        changes = differing(state, after) - {LUCK}
        assert changes, f"{game.name}: move {move} changes nothing in\n{game.view.text(state[0])}"
        assert game.view.move_text(state[0], move), f"{game.name}: move {move} has no words"


def _check_refused(game: Game, state: np.ndarray, moves: set[int]) -> None:
    before = state.tobytes()
    for move in sorted(moves):
        try:
            play_move(game, state, move)
        except UserError:
            assert state.tobytes() == before, f"{game.name}: refusing move {move} changed the state"
        else:
            raise AssertionError(f"{game.name}: move {move} is not offered but was played")


def check_rules_need_no_luck(game: Game, seed: int, deal: int) -> None:
    """The same deal and moves lead to the same end, whatever the players' luck."""
    for contestants in rotations(game, seed):
        end, moves = _walk(game, contestants, seed, deal)
        state = start_game(game, seed, deal, deal + 1, len(contestants))
        for number, move in enumerate(moves):
            assert move in legal_moves(game, state), f"{game.name}: move {number}: other luck made {move} illegal"
            play_move(game, state, move)
        wrong = _changed(game, end, state)
        assert not wrong, f"{game.name}: the same moves under other luck end differently in {wrong}"


def _walk(game: Game, contestants: list[Contestant], seed: int, deal: int) -> tuple[np.ndarray, list[int]]:
    """A whole game one move at a time: the state at its end, and the moves."""
    session = sit_down(game, contestants, seed, deal, deal)
    moves = [move for _, move in walk(session)]
    return session.state, moves


def check_launcher_agrees(game: Game, seed: int, deal: int) -> None:
    """The launcher plays the same games as the kernels called move by move."""
    for contestants in rotations(game, seed):
        end, moves = _walk(game, contestants, seed, deal)
        record, tally = _launch(game, contestants, seed, deal)
        where = _first_difference(record.moves, moves)
        assert list(record.moves) == moves, f"{game.name}: the launcher's moves differ {where}"
        wrong = differing(end["tally"], tally)
        assert not wrong, f"{game.name}: the launcher's tally differs in {wrong}"


def _launch(game: Game, contestants: list[Contestant], seed: int, deal: int) -> tuple[Played, np.ndarray]:
    """Play a game by the launcher; returns its record and tally."""
    job = one_job(seed, deal, deal, list(range(len(contestants))))
    tallies, moves = game.launcher.play(job, *pack_players(game, contestants), threads=1, keep_moves=True)
    return played(job[0], moves[0]), tallies


def _first_difference(a: Sequence[int], b: Sequence[int]) -> str:
    """Where two lists of moves first differ."""
    number = parting(a, b)
    return f"from move {number} on: {list(a[number : number + 3])} against {list(b[number : number + 3])}"


def check_seats_decide(game: Game, seed: int, deal: int) -> None:
    """Results depend only on who sits where: not on the order of the players' table, nor on which of two equal players it is."""

    def tallies(contestants: list[Contestant], *orders: Sequence[int]) -> np.ndarray:
        jobs = np.concatenate([one_job(seed, deal, deal, list(rows)) for rows in orders])
        return game.launcher.play(jobs, *pack_players(game, contestants), threads=1)[0]

    for contestants in rotations(game, seed):
        rows = range(len(contestants))
        wrong = differing(tallies(contestants, rows), tallies(contestants[::-1], rows[::-1]))
        names = ", ".join(c.name for c in contestants)
        assert not wrong, f"{game.name}: {names}: the order of rows in the table of players changed {wrong}"
    for seats in game.rules.seats:
        for contestant in cast(game, seed):
            first, *others = tallies([contestant] * seats, *permutations(range(seats)))
            for other in others:
                wrong = differing(first, other)
                assert not wrong, f"{game.name}: exchanging {contestant.name} with itself changed {wrong}"


def check_work_is_order_free(game: Game, seed: int, deal: int) -> None:
    """Neither the number of threads nor the order of jobs changes a game."""
    everyone = cast(game, seed)
    table, weights = pack_players(game, everyone)
    count, sizes = len(everyone), game.rules.seats
    tables = [(n, [(n + seat) % count for seat in range(seats)]) for n in range(count) for seats in sizes]
    jobs = np.concatenate([one_job(seed, deal + n, deal + n, rows) for n, rows in tables])
    one, _ = game.launcher.play(jobs, table, weights, threads=1)
    two, _ = game.launcher.play(jobs, table, weights, threads=2)
    backward, _ = game.launcher.play(jobs[::-1].copy(), table, weights, threads=1)
    assert not differing(one, two), f"{game.name}: a second thread changed {differing(one, two)}"
    wrong = differing(one, backward[::-1])
    assert not wrong, f"{game.name}: the order of jobs changed {wrong}: something is left over from the game before"


def check_records_survive(game: Game, seed: int, deal: int) -> None:
    """A game is read back from its notation and from JSON, and the notation alone gives the same tally."""
    for contestants in rotations(game, seed):
        record, tally = _launch(game, contestants, seed, deal)
        text = game.view.game_text(record)
        seats, moves = game.view.read_moves(text, "record")
        assert seats == record.seats, f"{game.name}: {record.seats} seats came back from the notation as {seats}"
        where = _first_difference(moves, record.moves)
        assert moves == record.moves, f"{game.name}: the notation's moves differ {where}"
        payload = json.loads(json.dumps(asdict(record)))
        same = Played(**{**payload, "moves": tuple(payload["moves"])}) == record
        assert same, f"{game.name}: the record changes in JSON"
        wrong = differing(game.view.game_tally(text, "record"), tally) - game.rules.self_reported
        assert not wrong, f"{game.name}: the tally computed from the notation differs in {wrong}"


def check_measures_fit(game: Game, seed: int, deal: int) -> None:
    """Measures are one finite number per game and seat; profiles have as many as labels."""
    for contestants in rotations(game, seed):
        _, tally = _launch(game, contestants, seed, deal)
        shape = tally["score"].shape
        for name, values in game.rules.measures(tally).items():
            assert values.shape == shape, f"{game.name}: measure {name} has shape {values.shape}, not {shape}"
            assert np.isfinite(values).all(), f"{game.name}: measure {name} is not finite: {values.tolist()}"
        for name, values in game.rules.profiles(tally).items():
            wanted = (*shape, len(game.rules.labels[name]))
            assert values.shape == wanted, f"{game.name}: profile {name} has shape {values.shape}, not {wanted}"
            assert np.isfinite(values).all(), f"{game.name}: profile {name} is not finite"


def check_tables_can_be_clicked(game: Game, seed: int, deal: int) -> None:
    """In an interactive view every table is well-formed SVG for every seat and for spectators, and every move can be made by
    clicks that do not begin with those of another move."""
    view = game.view
    if not view.interactive:
        return
    for seats in game.rules.seats:
        session = sit_down(game, cast(game, seed)[:1] * seats, seed, deal, deal)
        for number, (legal, _) in enumerate(walk(session)):
            if number % SOME == 0:
                ways = {move: view.input_sequences(session.state[0], move) for move in legal}
                shown = _check_pictures(game, view, session.state, seats)
                _check_ways(game, ways)
                _check_parts(game, ways, shown)
        _check_pictures(game, view, session.state, seats)


def _check_pictures(game: Game, view: View, state: np.ndarray, seats: int) -> set[str]:
    """Check every seat's table; returns the clickable parts for the seat to move."""
    parts = {seat: _parts(game, view.table(state[0], seat, NAMES[:seats])) for seat in (None, *range(seats))}
    return parts.get(int(state[0]["turn"]), set())


def _parts(game: Game, svg: str) -> set[str]:
    """The names of a picture's clickable parts."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise AssertionError(f"{game.name}: a table is not well-formed SVG: {error}") from None
    assert root.tag == "{http://www.w3.org/2000/svg}svg", f"{game.name}: a table is not SVG but {root.tag}"
    parts = set()
    for element in root.iter():
        part, label = element.get("data-part"), (element.get("aria-label") or "").strip()
        if part is not None:
            assert label, f"{game.name}: {part!r} can be clicked, but has no aria-label"
            parts.add(part)
    return parts


def _check_ways(game: Game, ways: dict[int, list[tuple[str, ...]]]) -> None:
    made: dict[tuple[str, ...], int] = {}
    for move, several in ways.items():
        assert several and all(several), f"{game.name}: move {move} cannot be made by clicks: {several}"
        for way in several:
            other = made.setdefault(way, move)
            assert other == move, f"{game.name}: moves {other} and {move} are made by the same clicks {way}"
    for way, move in made.items():
        for length in range(1, len(way)):
            other = made.get(way[:length], move)
            assert other == move, f"{game.name}: clicks {way} of move {move} begin with those of move {other}"


def _check_parts(game: Game, ways: dict[int, list[tuple[str, ...]]], shown: set[str]) -> None:
    """Parts that are not on the table become buttons, so they must be short words."""
    for part in {part for several in ways.values() for way in several for part in way} - shown:
        fit = part.isprintable() and part == part.strip() and len(part) <= WORDS and any(map(str.isalpha, part))
        assert fit, f"{game.name}: {part!r} is neither on the table nor fit for a button"
