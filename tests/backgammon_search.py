"""Search once more, in plain Python on the plain rules' positions: what the compiled search is compared with."""

from backgammon_bearoff import equities
from backgammon_inputs import INPUTS, checkers
from backgammon_reference import finished, of, plays, points_won

ROLLS = [(one, two) for one in range(1, 7) for two in range(1, 7)]
FEW = 6


def flipped(outcomes):
    win, *others = outcomes
    return [1 - win, *others[2:], *others[:2]]


def equity(outcomes):
    """In points; of a network with one output, whose value counts from 0 to 1."""
    if len(outcomes) == 1:
        return 6 * outcomes[0] - 3
    win, gammon, backgammon, lost, lost_all = outcomes
    return 2 * win - 1 + gammon + backgammon - lost - lost_all


def as_network(outcomes, outputs):
    """Exact outcomes as a network with so many outputs says them."""
    return outcomes if outputs == 5 else [0.5 + equity(outcomes) / 6]


def ended(position, colour):
    """The exact outcomes of a side that has played: the game is over, or few checkers are left at home. None otherwise."""
    if finished(position, colour):
        points = points_won(position, colour)
        return [1.0, float(points > 1), float(points > 2), 0.0, 0.0]
    mine, theirs = (checkers(position, side) for side in (colour, -colour))
    if any(mine[6:]) or any(theirs[6:]) or any(position.bar) or not all(position.off):
        return None
    if sum(mine) > FEW or sum(theirs) > FEW:
        return None
    return [0.5 - 0.5 * equities(tuple(theirs[:6]), tuple(mine[:6]))[0], 0.0, 0.0, 0.0, 0.0]


def static(net, position, colour):
    """The outcomes at 0 ply of a side that has played."""
    exact = ended(position, colour)
    if exact:
        return as_network(exact, net.shape[-1])
    outputs = net.values(INPUTS[net.encoding](position, colour)).tolist()
    if len(outputs) == 1:
        return outputs
    win, gammon, backgammon, lost, lost_all = outputs
    gammon = 0.0 if of(-colour, position.off) else min(gammon, win)
    lost = 0.0 if of(colour, position.off) else min(lost, 1 - win)
    return [win, gammon, min(backgammon, gammon), lost, min(lost_all, lost)]


def expected(net, position, colour, plies):
    """The outcomes of a side about to roll."""
    total = [0.0] * net.shape[-1]
    for roll in ROLLS:
        best = max(plays(position, colour, *roll), key=lambda end: equity(static(net, end, colour)))
        for k, chance in enumerate(after(net, best, colour, plies - 1)):
            total[k] += chance / 36
    return total


def after(net, position, colour, plies):
    """The outcomes of a side that has played."""
    if plies == 0 or ended(position, colour):
        return static(net, position, colour)
    theirs = expected(net, position, -colour, plies)
    return flipped(theirs) if len(theirs) == 5 else [1 - theirs[0]]
