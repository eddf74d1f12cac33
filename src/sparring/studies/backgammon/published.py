"""The published figures of the backgammon study and of the debate it joins.

"Co-evolutionary Backgammon Player: Learning Through Self-play", 2017. Curves are percentages as printed; all other
percentages are shares here. Comments note every correction.
"""

NETWORKS = ("2-1-2", "1-2-2", "3-2", "4-2-4")  # units of each layer, in the order of Table 12
CYCLE = 100  # challenges between two points of its curves, and games of each challenge
CYCLES = 100

# Figures 28 and 29: games won of 10,000. Figure 29 counts 3,298, the other side's; its text says 67.02%.
GAMES = 10_000
RANDOM_WON, SIMPLE_WON = 5058, 6702

# The games that Figures 28 and 29 print: the winner, and the loser's stones and their value (total distance from home).
RANDOM_GAMES = """
    BLACK 14 308  BLACK 15 229  BLACK 2 48    WHITE 6 6     WHITE 15 141  WHITE 15 78   WHITE 15 83
    BLACK 12 278  BLACK 15 276  BLACK 6 132   BLACK 15 240  BLACK 15 263  WHITE 15 117  WHITE 15 136
    BLACK 15 250  WHITE 15 50   BLACK 15 260  BLACK 15 304  WHITE 8 15    BLACK 15 314"""
SIMPLE_GAMES = """
    BLACK 15 316  WHITE 4 9     WHITE 10 55   BLACK 3 63    BLACK 15 321  WHITE 15 43   WHITE 15 137
    BLACK 4 90    BLACK 8 190   WHITE 11 19   WHITE 15 75   BLACK 8 171   WHITE 6 32    BLACK 2 43
    BLACK 11 252  BLACK 15 249  BLACK 11 251  WHITE 5 6     BLACK 15 356  BLACK 15 293"""
FARTHEST = 25


def left_behind(games: str) -> list[tuple[int, int]]:
    """The loser's stones and their value in each printed game.

    Where Black won, two stones have the value 48 and six 132: White's distances are counted from the wrong end of the
    board, so a distance d is printed as 25 - d. This function corrects them.
    """
    words = games.split()
    rows = zip(words[::3], map(int, words[1::3]), map(int, words[2::3]), strict=True)
    return [(count, FARTHEST * count - value if winner == "BLACK" else value) for winner, count, value in rows]


# Appendices A and B: percentage won against random after each cycle, a hundred games a point.
AGAINST_RANDOM: dict[str, tuple[int, ...]] = {
    network: tuple(map(int, percentages.split()))
    for network, percentages in {
        "2-1-2": """
            49 59 50 52 62 57 48 63 65 63 66 72 66 65 65 60 77 63 70 67 70 69 69 71 68
            63 59 66 66 67 69 71 64 68 57 68 70 68 79 73 69 78 73 67 67 71 69 74 67 70
            79 73 62 62 64 67 63 64 64 64 62 67 64 65 67 76 61 73 79 63 65 80 72 65 72
            60 58 65 73 70 71 74 72 67 76 66 68 67 63 73 70 74 71 77 64 60 67 61 72""",
        "1-2-2": """
            59 55 57 56 51 49 53 55 62 52 57 60 55 55 58 58 69 61 50 63 65 57 56 65 58
            56 52 54 51 59 53 60 59 47 63 61 64 56 51 55 46 60 66 60 65 63 57 51 56 59
            58 61 51 58 63 58 61 67 63 66 59 52 52 57 60 61 64 62 64 56 65 53 70 53 55
            53 55 59 60 68 54 63 51 54 62 71 58 54 68 46 63 56 59 58 53 55 58 56 54 59""",
        "3-2": """
            43 45 56 68 55 63 58 63 57 52 55 62 54 54 58 54 61 52 55 57 68 67 59 55 62
            56 62 59 68 53 65 56 62 59 55 57 64 52 51 65 59 50 53 48 55 52 55 56 61 66
            66 65 63 59 72 59 55 63 61 70 63 58 69 66 68 62 50 61 57 58 62 64 59 61 63
            64 58 60 52 58 62 72 63 56 61 63 66 54 61 63 60 59 56 54 54 68 46 63 63 60""",
        "4-2-4": """
            52 63 47 60 60 54 59 52 57 56 58 52 58 59 59 58 52 66 61 50 62 65 55 53 60
            65 55 64 60 65 68 48 62 48 56 55 59 56 59 60 62 60 66 57 58 59 59 53 55 64
            61 62 65 49 62 65 60 53 57 57 55 56 53 55 61 64 48 58 56 54 55 66 63 62 66
            57 55 59 48 53 57 63 54 61 63 53 62 56 63 66 62 60 54 58 58 51 65 58 51 56""",
    }.items()
}

# Appendix A's second column lacks one number, the 52nd, where a page ends. Its printed mean, 4502 / 99, implies 54.
LOST_CYCLE, LOST = 52, 54
AGAINST_SIMPLE = tuple(
    int(percentage)
    for percentage in f"""
        32 34 37 39 36 39 41 37 47 49 39 38 50 44 37 39 41 37 31 27 32 33 39 28 22
        31 28 40 42 46 45 45 47 41 45 48 31 41 41 45 40 42 48 44 38 42 51 44 42 41
        41 {LOST} 43 45 38 42 48 50 48 45 45 49 63 46 49 48 49 54 53 52 46 49 50 46 41
        60 51 51 52 55 63 61 52 52 56 58 63 60 53 54 61 54 62 48 49 57 52 56 52""".split()
)
MEAN_RANDOM, MEAN_SIMPLE = 66.97979798, 45.47474747  # as printed below the columns
LAST = 20  # cycles that count as the end of a published curve

# Table 12: y = a x² + b x + c, and R². All are against random and use the first 99 cycles.
FITTED_CYCLES = 99
FITS = {
    "2-1-2": (-0.0027, 0.3483, 58.675, 0.21637),
    "1-2-2": (-0.0012, 0.1419, 54.888, 0.04026),
    "3-2": (-0.0014, 0.1838, 54.66, 0.07843),
    "4-2-4": (-0.0007, 0.083, 56.389, 0.015),
}

# Figure 36, the best network, and Appendix C's last one, which should be the same: 24 weights of each of two units, two of
# the one after them, and one of each of the last two. Figure 36 has 23 weights of the first unit; the 18th, -0.05, is
# from Appendix C.
FIRST_UNIT = (
    *(0.15, -0.05, -0.2, 0.15, -0.2, 0.1, 0.0, -0.1, 0.1, -0.05, -0.05, 0.1),
    *(-0.1, 0.15, -0.1, -0.25, 0.0, -0.05, -0.15, 0.35, -0.15, 0.0, 0.0, 0.15),
)
FIGURE_36 = (
    *FIRST_UNIT,
    *(0.15, 0.15, -0.05, 0.05, -0.1, 0.05, -0.15, 0.0, 0.0, -0.15, 0.1, 0.15),
    *(-0.05, 0.05, 0.05, 0.2, -0.3, 0.15, -0.05, -0.05, 0.1, -0.15, -0.05, 0.0),
    *(-0.25, -0.65, 0.0, 0.95),
)
APPENDIX_C = (
    *FIRST_UNIT,
    *(0.0, 0.15, -0.05, 0.05, -0.1, 0.05, -0.05, 0.0, -0.15, 0.15, 0.15, -0.05),
    *(0.05, 0.05, 0.2, -0.3, 0.15, -0.05, -0.05, 0.1, -0.15, -0.15, -0.05, 0.0),
    *(-0.25, -0.65, 0.8, 0.95),
)

# Tesauro's answer (1998), the study's Figures 9 and 18: shares of games by hidden units, against Gammontool and twice
# against pubeval. The study does not say how Pub-1 and Pub-2 differ.
TESAURO = {10: (0.564, 0.527, 0.507), 20: (0.619, 0.571, 0.557), 40: (0.655, 0.611, 0.602)}

# Pollack and Blair (1998) as cited in section 2.2.3: "about 40%" against pubeval, after 100,000 generations.
CLIMBING_WON = 0.40
GENERATIONS = 100_000
FROZEN = (1_000, 10_000, 100_000)  # Figure 8: the generations that later ones play against
