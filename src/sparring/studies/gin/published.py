"""The published results of the gin rummy study.

Kotnik and Kalita, "The significance of temporal-difference learning in self-play training: TD-rummy versus EVO-rummy", 2003.
Its figures are pictures: only the text gives numbers. Figure 3 implies 80 games per player, ten with every other, so nine
players; the study names seven trained players and RANDUMB.
"""

EVO, TD, RANDUMB = "EVO", "TD", "RANDUMB"
KINDS = (EVO, TD)

# Training.
GAMES = {EVO: 89_000, TD: 58_000}  # all players of a kind together, "more than"
MACHINES, PROCESSORS, WEEKS = 5, 2, 3
LIMIT = 5_000  # turns, "for the majority of games"
RANDOM_TURNS = 10_000  # of random networks, "not uncommon"
LEAST_TURNS = 200  # per game, never reached in training
ROSE_AFTER = 15_000  # games: EVO3's turns rose again
REGIME = (5_000, 10_000)  # games between two tested versions of a player

# The tournament: ten games between every two players.
PAIRS = 5
BEST, BEST_WON = "EVO3", 0.875
DRAWN, GAMES_EACH = 18, 80
OVERTRAINED = {EVO: "EVO4 collapsed after regime 5", TD: "TD4 stagnated"}

# Final hands.
SET_SHARES = {EVO: 2 / 3, RANDUMB: 1 / 3}  # of melds: "approximately twice", "the reverse"
SETS_WORDS = {
    EVO: "about twice as many sets as sequences",
    TD: "almost all sequences",
    RANDUMB: "twice as many sequences as sets",
}
SUIT_WORDS = {EVO: "no preference", TD: "strong affinity for one suit"}
RANK_WORDS = {EVO: "a preference, for lower ones"}
