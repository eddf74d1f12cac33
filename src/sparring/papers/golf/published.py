"""The golf study's published figures, as data. Misprints are put right, each with a note.

"Playing a Game of Cards using Neuroevolution", 2019. Percentages are shares here. Tables of the NEAT half are not here.
"""

MEASURES = ("score", "won", "matches_per_game", "turns_per_round", "rounds_ended")

INPUTS = ("hand", "state-hand", "state")  # in the order of the study's tables
TITLES = {"hand": "one hot hand", "state-hand": "one hot state and hand", "state": "one hot state"}

# Table 4 and Tables 13 to 15: (training seconds, mean absolute error, r²). The appendix permutes its headings; the seconds
# of its rows average to 209.87 and 671.37, where the study has 209.90 and 673.97.
SUPERVISED = {
    "numerical": (209.90, 1.773, 0.889),
    "one-hot-value": (673.97, 0.839, 0.979),
    "one-hot-deck": (1273.00, 0.552, 0.990),
}
SUPERVISED_TRIALS = {
    "numerical": (
        (205.22, 1.854, 0.875),
        (233.06, 1.741, 0.872),
        (221.20, 1.081, 0.970),
        (252.76, 1.926, 0.885),
        (216.51, 1.793, 0.872),
        (189.89, 1.889, 0.892),
        (219.64, 1.835, 0.893),
        (150.73, 1.874, 0.866),
        (169.59, 1.909, 0.884),
        (240.07, 1.824, 0.876),
    ),
    "one-hot-value": (
        (504.46, 0.287, 0.997),
        (1118.35, 0.985, 0.973),
        (751.84, 0.996, 0.972),
        (955.39, 0.835, 0.978),
        (691.68, 1.206, 0.963),
        (461.38, 1.164, 0.966),
        (438.53, 1.037, 0.974),
        (632.82, 0.435, 0.994),
        (648.23, 0.803, 0.983),
        (511.01, 0.642, 0.987),
    ),
    "one-hot-deck": (
        (2334.44, 0.751, 0.983),
        (1046.56, 0.732, 0.983),
        (1514.16, 0.331, 0.997),
        (1014.97, 0.436, 0.995),
        (1023.44, 0.718, 0.984),
        (925.25, 0.403, 0.996),
        (827.73, 0.483, 0.993),
        (1486.69, 0.422, 0.993),
        (1543.41, 0.435, 0.994),
        (1013.37, 0.813, 0.983),
    ),
}

# Table 5: two random players.
RANDOM = ((278.80, 0.5052, 1.49, 20.24, 0.4985), (279.29, 0.4860, 1.50, 20.24, 0.5015))

# Tables 6, 18, 20 and 22: five players of each input against random. Tables 20 and 22 print 140.72 as their average
# score; their rows give 189.85 and 224.05, as Table 6 has them.
AGAINST_RANDOM = {
    "hand": (
        (118.18, 1.0000, 7.27, 27.85, 0.1165),
        (155.46, 1.0000, 6.09, 22.59, 0.4660),
        (140.78, 1.0000, 6.57, 21.65, 0.5149),
        (161.06, 0.9996, 2.86, 19.75, 0.5987),
        (128.10, 0.9998, 2.17, 21.56, 0.5254),
    ),
    "state-hand": (
        (209.68, 0.9640, 1.81, 16.21, 0.7860),
        (180.39, 0.9968, 1.53, 20.37, 0.5794),
        (188.02, 0.9928, 1.47, 17.76, 0.7201),
        (172.27, 0.9982, 2.71, 19.38, 0.6382),
        (198.89, 0.9850, 1.16, 18.91, 0.6678),
    ),
    "state": (
        (205.41, 0.9774, 1.84, 14.27, 0.8715),
        (220.56, 0.9438, 1.70, 14.64, 0.8566),
        (231.10, 0.8974, 1.53, 15.15, 0.8344),
        (223.02, 0.9300, 1.89, 15.85, 0.8088),
        (240.14, 0.8426, 1.61, 16.10, 0.7971),
    ),
}

# Tables 17, 19 and 21: the same players against their training opponents.
AGAINST_TRAINING = {
    "hand": (
        (123.33, 0.5730, 6.86, 44.80, 0.1175),
        (151.98, 0.9438, 6.16, 31.94, 0.5034),
        (155.08, 0.5408, 5.94, 26.16, 0.5408),
        (185.01, 0.6598, 2.49, 18.80, 0.4438),
        (147.03, 0.5522, 2.38, 23.77, 0.3867),
    ),
    "state-hand": (
        (215.23, 0.5678, 1.83, 16.31, 0.7190),
        (192.75, 0.5898, 1.57, 20.79, 0.5208),
        (208.67, 0.7878, 1.35, 14.92, 0.3599),
        (181.81, 0.8308, 2.69, 19.38, 0.5785),
        (217.34, 0.7212, 1.23, 16.44, 0.3855),
    ),
    "state": (
        (218.06, 0.5960, 1.80, 13.16, 0.5685),
        (231.02, 0.5928, 1.59, 13.23, 0.5092),
        (239.89, 0.5988, 1.45, 13.72, 0.5171),
        (229.82, 0.6860, 1.83, 14.24, 0.4908),
        (246.23, 0.5640, 1.55, 14.35, 0.4810),
    ),
}

# Tables 8 and 9, the coevolved players and random: share of games the row won from the column, and the row's mean score.
FINAL_ROWS = ("hand", "state-hand", "state", "random")
FINAL_WINS: tuple[tuple[float | None, ...], ...] = (
    (None, 0.92, 0.93, 1.00),
    (0.08, None, 0.76, 1.00),
    (0.07, 0.24, None, 0.97),
    (0.00, 0.00, 0.03, None),
)
FINAL_SCORES: tuple[tuple[float | None, ...], ...] = (
    (None, 140.53, 174.50, 130.19),
    (187.43, None, 195.91, 166.94),
    (221.33, 220.59, None, 207.08),
    (283.54, 287.45, 283.14, None),
)
# Table 10: over all seven players of the study, NEAT's among them.
FINAL_RANKING = {
    "hand": (0.9000, 135.91),
    "state-hand": (0.5533, 180.73),
    "state": (0.4067, 217.58),
    "random": (0.0133, 285.10),
}

# Tables 11 and 12: greedier's share of games and score against each, and theirs against it.
GREEDIER = {"hand": (0.38, 155.85), "state-hand": (0.83, 153.45), "state": (0.91, 172.19), "random": (1.00, 146.60)}
AGAINST_GREEDIER = {
    "hand": (0.58, 150.56),
    "state-hand": (0.17, 185.59),
    "state": (0.09, 216.86),
    "random": (0.00, 282.14),
}

# Table 16: mean absolute difference in score a game between two random players, per epoch of ten games.
THRESHOLD = (11.0, 5.3, 5.7, 1.2, 8.1, 2.8, 11.5, 0.4, 8.0, 5.1)

# Tables 26 to 28: the internal tournaments of each input, (player, games won, mean score) by rank.
INTERNAL = {
    "hand": ((5, 0.7375, 134.72), (3, 0.5775, 145.80), (1, 0.5525, 140.33), (4, 0.3425, 172.30), (2, 0.2525, 168.36)),
    "state-hand": (
        (4, 0.6250, 192.92),
        (2, 0.5825, 200.13),
        (3, 0.5600, 203.35),
        (5, 0.3675, 214.91),
        (1, 0.3400, 226.48),
    ),
    "state": ((1, 0.7750, 213.53), (2, 0.5575, 233.23), (4, 0.4525, 237.68), (3, 0.4375, 240.30), (5, 0.2525, 250.47)),
}
