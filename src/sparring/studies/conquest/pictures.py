"""Maps of selected games: how the best networks ended, and the game in which two fed each other."""

import numpy as np

from sparring.arena.players import find_player
from sparring.games import Played
from sparring.games.conquest.animation import game_frames
from sparring.games.conquest.picture import map_svg
from sparring.kernel.launch import Job
from sparring.lab.run import Run
from sparring.studies.conquest.measured import Rivals, Trained
from sparring.studies.conquest.published import CASES, RIVALS
from sparring.studies.conquest.study_runs import best_genomes, bests, neat_of, play_games, player_of, training_jobs

Frames = list[tuple[str, str]]  # text and SVG


def best_trial(trained: Trained) -> int:
    """The trial whose best network is the fittest."""
    return int(np.argmax(trained.fitness))


def case_pictures(trained: Trained, case: int) -> Frames:
    """As in the study: the start, the end of the fittest trial's best network, and its next best after as many rounds."""
    run, trial = trained.run, best_trial(trained)
    training = neat_of(run)
    players = [player_of(training, genome, "blue") for genome in best_genomes(training, trial)]
    jobs = training_jobs(training, [trial] * len(players), len(players))
    games = play_games(run.game, jobs, [*players, find_player(run.game, CASES[case].opponent)], None)
    names = ["blue", CASES[case].opponent]
    rounds = (len(games[0].moves) + 1) // 2
    shown = [picture_at(run, games[0], names, 0, "The start")]
    for game, rank in zip(games, ("best", "second best", "third best"), strict=False):
        after = RIVALS["rounds"] + 1 if rank == "best" else rounds
        words = f"{rank[0].upper()}{rank[1:]} network, {'at the end' if rank == 'best' else f'after round {rounds:,}'}"
        shown.append(picture_at(run, game, names, after, words))
    return shown


def rivals_pictures(rivals: Rivals) -> Frames:
    """The game with the highest joint fitness of best blue and best red, after half the rounds and at its end."""
    trial = int(np.argmax(rivals.joint.max(axis=1)))
    generation = int(rivals.peaks[trial])
    blues, reds, met_by_blues, met_by_reds = bests(neat_of(rivals.run), generation)
    payoff = rivals.matchups[generation].own["payoff"][trial].sum(axis=1)
    pair = (blues[trial], met_by_blues[trial]) if payoff[0] >= payoff[1] else (met_by_reds[trial], reds[trial])
    jobs = np.zeros(1, Job)
    jobs["seats"], jobs["player"][:, 1] = 2, 1
    game = play_games(rivals.run.game, jobs, list(pair), None)[0]
    names = [f"generation {generation + 1}, blue", "red"]
    rounds = (len(game.moves) + 1) // 2
    return [
        picture_at(rivals.run, game, names, rounds // 2, f"After round {rounds // 2:,}"),
        picture_at(rivals.run, game, names, RIVALS["rounds"] + 1, f"At the end, round {rounds:,}"),
    ]


def picture_at(run: Run, game: Played, names: list[str], rounds: int, words: str) -> tuple[str, str]:
    """The map after blue's move of a round, or at the end if the game is shorter; 0 is the start."""
    wanted = f"round-{rounds}-player-1" if rounds else "start"
    for frame in game_frames(run.game, game, names, run.experiment.options.fitness):
        if frame.name == wanted:
            break
    return words, map_svg(frame.state[0], frame.title, frame.subtitle, frame.done)
