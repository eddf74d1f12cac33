"""What the gin rummy study tells, as data.

Kotnik and Kalita, "The significance of temporal-difference learning in self-play training: TD-rummy versus EVO-rummy", 2003.
Its figures are pictures: what is known of them is what the text says. Figure 3 needs 80 games of each player, ten with every
other, so nine entrants; seven trained players and RANDUMB are named.
"""

EVO, TD, RANDUMB = "EVO", "TD", "RANDUMB"
KINDS = (EVO, TD)

# Training.
GAMES = {EVO: 89_000, TD: 58_000}  # of all players of a kind together, "more than"
MACHINES, PROCESSORS, WEEKS = 5, 2, 3
LIMIT = 5_000  # turns, "for the majority of games"
RANDOM_TURNS = 10_000  # of random nets, "not uncommon"
LEAST_TURNS = 200  # a game, below which training never came
ROSE_AFTER = 15_000  # games, when EVO3's turns rose again
REGIME = (5_000, 10_000)  # games between two versions of a player that meet

# The tournament: ten games between every two players.
PAIRS = 5
BEST, BEST_WON = "EVO3", 0.875
DRAWN, GAMES_EACH = 18, 80
OVERTRAINED = {EVO: "EVO4 collapsed after regime 5", TD: "TD4 stagnated"}

# Final hands.
SET_SHARES = {
    EVO: 2 / 3,
    TD: 0.0,
    RANDUMB: 1 / 3,
}  # of melds: "approximately twice", "almost all sequences", "the reverse"
SETS_WORDS = {
    EVO: "about twice as many sets as sequences",
    TD: "almost all sequences",
    RANDUMB: "twice as many sequences as sets",
}
SUIT_WORDS = {EVO: "no preference", TD: "strong affinity for one suit"}
RANK_WORDS = {EVO: "a preference, for lower ones"}
