"""The smallest game there can be, made to be copied: one card each, changed at most once for another; the higher wins.

From the folder above: `sparring match examples.higher_card random random`, `sparring train examples.higher_card`, and
`python -m sparring.testing examples.higher_card`, which checks everything that a game must satisfy.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sparring.errors import UserError
from sparring.games.card_svg import safe
from sparring.games.game import Game, Played, Policies, Presentation, Rules, play_move, start_game
from sparring.kernel.compiler import kernel
from sparring.kernel.launch import SEATS
from sparring.kernel.maths import sigmoid
from sparring.kernel.random import below, key, step

CARDS = 13
KEEP, CHANGE = range(2)  # moves
RANDOM, NET = range(2)  # players, in the order of GAME.about
LETTERS = "kc"  # moves in notation

# What is counted. `score` has one number per seat, and room for as many seats as any game has.
Tally = np.dtype([("score", np.int32, (SEATS,)), ("changes", np.int32, (SEATS,))], align=True)

# A game in progress. `turn`, `over`, `luck` and `tally` are what every game has; the rest is this one's own.
State = np.dtype(
    [
        ("turn", np.int8),
        ("over", np.int8),
        ("luck", np.uint64, (SEATS,)),
        ("tally", Tally),
        ("seats", np.int8),
        ("stream", np.uint64),
        ("card", np.int8, (SEATS,)),
    ],
    align=True,
)


@kernel
def start(s, seed, deal, luck, seats):
    """Deals follow from (seed, deal) alone, choices at random from (seed, luck) and the seat: different streams."""
    s.stream = key(key(seed, 0), deal)
    s.seats, s.turn, s.over = seats, 0, 0
    for seat in range(SEATS):
        s.luck[seat] = key(key(key(seed, 1), luck), seat)
        s.tally.score[seat] = s.tally.changes[seat] = s.card[seat] = 0
    for seat in range(seats):
        s.card[seat] = draw(s)


@kernel
def draw(s):
    s.stream = step(s.stream)
    return below(s.stream, CARDS)


@kernel
def moves(s, out):
    """Write the legal moves; returns how many."""
    out[0], out[1] = KEEP, CHANGE
    return 2


@kernel
def apply(s, move):
    """Play a legal move, and whatever needs no decision."""
    if move == CHANGE:
        s.card[s.turn] = draw(s)
        s.tally.changes[s.turn] += 1
    s.tally.score[s.turn] = s.card[s.turn]
    s.turn += 1
    if s.turn == s.seats:
        s.over = 1


@kernel
def choose(s, player, weights, scratch, int_scratch):
    """The move of the seat whose turn it is. `player` says which policy, and where its net lies in `weights`."""
    if player.policy == NET:
        return CHANGE if net_value(player, weights[player.offset :], s.card[s.turn]) > 0 else KEEP
    s.luck[s.turn] = step(s.luck[s.turn])
    return below(s.luck[s.turn], 2)


@kernel
def net_value(player, net, card):
    """The net's output for one input switched on: hidden weights row by row, hidden biases, output weights, output bias."""
    bias = player.hidden * player.inputs
    value = net[bias + 2 * player.hidden]
    for h in range(player.hidden):
        value += net[bias + player.hidden + h] * sigmoid(net[h * player.inputs + card] + net[bias + h])
    return value


class HigherCardView:
    """The game for people. In notation a seat is `k` (kept) or `c` (changed) and the card it ended with."""

    def under(self, game: Game) -> "HigherCardView":
        return self

    def text(self, s: Any, seat: int | None = None) -> str:
        return str(self.state_json(s, seat))

    def move_text(self, s: Any, move: int) -> str:
        return ("keep the card", "change it")[move]

    def state_json(self, s: Any, seat: int | None = None) -> dict[str, Any]:
        cards = [int(card) if seat in (None, owner) else None for owner, card in enumerate(s["card"][: s["seats"]])]
        return {"turn": int(s["turn"]), "over": bool(s["over"]), "cards": cards}

    def table(self, s: Any, seat: int | None, names: Sequence[str]) -> str:
        """The cards side by side; the mover's own can be touched, and at the end all lie open."""
        cards = self.state_json(s, None if s["over"] else seat)["cards"]
        best = [name for name, card in zip(names, cards, strict=False) if s["over"] and card == max(cards)]
        said = f"{' and '.join(best)} won" if best else f"{names[int(s['turn'])]} to move"
        drawn = "".join(self._card(s, owner, names[owner], card) for owner, card in enumerate(cards))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {100 * len(cards)} 180" role="group" '
            f'aria-label="{safe(said)}" font-family="sans-serif" fill="#fff" text-anchor="middle">'
            f'<rect width="{100 * len(cards)}" height="180" rx="12" fill="#2c5f4a"/>{drawn}'
            f'<text x="{50 * len(cards)}" y="168">{safe(said[:24])}</text></svg>'
        )

    def _card(self, s: Any, owner: int, name: str, card: int | None) -> str:
        part = f'data-part="card" aria-label="{_shown(card)}"' if owner == s["turn"] else ""
        return (
            f'<g {part} transform="translate({100 * owner + 50} 0)"><rect x="-32" y="34" width="64" height="96" rx="8"/>'
            f'<text y="96" font-size="36" fill="#222">{_shown(card)}</text><text y="22">{safe(name[:10])}</text></g>'
        )

    def input_sequences(self, s: Any, move: int) -> list[tuple[str, ...]]:
        """The card is touched to change it; `keep` is on no table, so it is a button."""
        return [("keep",) if move == KEEP else ("card",)]

    def game_text(self, game: Played) -> str:
        state = start_game(GAME, game.seed, game.deal, game.luck, game.rules.seats)
        for move in game.rules.moves:
            play_move(GAME, state, move)
        return " ".join(
            f"{LETTERS[move]}{card}" for move, card in zip(game.rules.moves, state[0]["card"], strict=False)
        )

    def read_moves(self, text: str, place: str) -> tuple[int, tuple[int, ...]]:
        words = text.split()
        for word in words:
            if word[0] not in LETTERS or not word[1:].isdecimal() or int(word[1:]) >= CARDS:
                raise UserError(f"{place}: {word!r} is not k or c and a card from 0 to {CARDS - 1}")
        return len(words), tuple(LETTERS.index(word[0]) for word in words)

    def game_tally(self, text: str, place: str) -> np.ndarray:
        tally = np.zeros(1, Tally)
        for seat, move in enumerate(self.read_moves(text, place)[1]):
            tally[0]["score"][seat], tally[0]["changes"][seat] = int(text.split()[seat][1:]), move
        return tally

    def replay(self, text: str, place: str, names: list[str], known: Played | None = None) -> Iterator[str]:
        for name, word in zip(names, text.split(), strict=True):
            yield f"{name} {'changes' if word[0] == 'c' else 'keeps'} and has {word[1:]}"

    def frames(self, text: str, place: str, names: list[str], known: Played | None = None) -> list[tuple[str, str]]:
        svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 30"><text x="5" y="20">{}</text></svg>'
        return [(line, svg.format(line)) for line in self.replay(text, place, names)]


def _shown(card: int | None) -> str:
    return "?" if card is None else str(card)


GAME = Game(
    name="examples.higher_card",
    summary="one card each, changed at most once; the higher wins",
    rules=Rules(
        version=1,
        seats=(2, 3, 4),
        lower_is_better=False,
        state=State,
        tally=Tally,
        start=start,
        moves=moves,
        apply=apply,
        max_moves=SEATS,
        measures=lambda tallies: {"changes": tallies["changes"].astype(float)},
        shares=frozenset({"changes"}),
        profiles=lambda tallies: {},
        labels={},
    ),
    policies=Policies(
        choose=choose,
        names={"random": "tosses a coin", "net": "changes if its network says so"},
        encodings={"card": CARDS},
        float_scratch=lambda hidden: 1,
        int_scratch=1,
    ),
    presentation=Presentation(
        view=HigherCardView(),
    ),
)
