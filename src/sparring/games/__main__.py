"""`python -m sparring.games`: compile every game for this machine now, so that later starts find it done."""

from sparring.games import GAMES, find_game

if __name__ == "__main__":
    for name in GAMES:
        find_game(name).launcher.prepare()
