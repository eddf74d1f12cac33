"""A game with some of its fields changed, whichever of its parts they belong to."""

from dataclasses import fields, replace

from sparring.games.view import View


def altered(game, **changes):
    """`altered(GOLF, max_moves=100)`; a view may be given as an object."""
    if isinstance(view := changes.get("view"), View):
        changes["view"] = lambda bound: _bound(view, bound)
    parts = {part: getattr(game, part) for part in ("rules", "policies", "learning", "presentation")}
    for part, value in parts.items():
        own = {f.name: changes.pop(f.name) for f in fields(value) if f.name in changes}
        parts[part] = replace(value, **own)
    return replace(game, **parts, **changes)


def _bound(view, game):
    view.game = game
    return view
