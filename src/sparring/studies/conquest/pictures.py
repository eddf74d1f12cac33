"""Maps of games worth seeing: how best networks ended, and the game in which two fed each other."""

import numpy as np

from sparring.arena.players import find_player
from sparring.games import Played
from sparring.games.conquest.animation import Frame, game_frames
from sparring.games.conquest.picture import map_svg
from sparring.kernel.launch import Job
from sparring.lab.run import Run
from sparring.studies.conquest.cases import OPPONENTS
from sparring.studies.conquest.measured import Rivals, Trained
from sparring.studies.conquest.published import ROUNDS
from sparring.studies.conquest.study_runs import best_genomes, bests, keep_games, neat_of, player_of, training_jobs

Shown = list[tuple[str, str]]  # words and SVG


def best_trial(trained: Trained) -> int:
    """The trial whose best network is the fittest."""
    return int(np.argmax(trained.fitness))


def case_pictures(trained: Trained, case: int) -> Shown:
    """The start; the end of the fittest trial's best network; and its next best after as many rounds, as the study shows."""
    run, trial = trained.run, best_trial(trained)
    training = neat_of(run)
    players = [player_of(training, genome, "blue") for genome in best_genomes(training, trial)]
    jobs = training_jobs(training, [trial] * len(players), len(players))
    games = keep_games(run.game, jobs, [*players, find_player(run.game, OPPONENTS[case])], None)
    names = ["blue", OPPONENTS[case]]
    rounds = (len(games[0].moves) + 1) // 2
    shown = [picture_at(run, games[0], names, 0, "The start")]
    for game, rank in zip(games, ("best", "second best", "third best"), strict=False):
        after = ROUNDS + 1 if rank == "best" else rounds
        words = f"{rank[0].upper()}{rank[1:]} network, {'at the end' if rank == 'best' else f'after round {rounds:,}'}"
        shown.append(picture_at(run, game, names, after, words))
    return shown


def rivals_pictures(rivals: Rivals) -> Shown:
    """The game in which best blue and best red had the most together, after half the rounds and at its end."""
    trial = int(np.argmax(rivals.spikes.height))
    generation = int(rivals.spikes.generation[trial])
    blues, reds, met_by_blues, met_by_reds = bests(neat_of(rivals.run), generation - 1)
    payoff = rivals.meetings[generation - 1].own["payoff"][trial].sum(axis=1)
    pair = (blues[trial], met_by_blues[trial]) if payoff[0] >= payoff[1] else (met_by_reds[trial], reds[trial])
    jobs = np.zeros(1, Job)
    jobs["seats"], jobs["player"][:, 1] = 2, 1
    game = keep_games(rivals.run.game, jobs, list(pair), None)[0]
    names = [f"generation {generation}, blue", "red"]
    rounds = (len(game.moves) + 1) // 2
    return [
        picture_at(rivals.run, game, names, rounds // 2, f"After round {rounds // 2:,}"),
        picture_at(rivals.run, game, names, ROUNDS + 1, f"At the end, round {rounds:,}"),
    ]


def picture_at(run: Run, game: Played, names: list[str], rounds: int, words: str) -> tuple[str, str]:
    """The map after blue's move of a round, or at the end if that was before."""
    frame = frame_at(run, game, names, rounds)
    return words, map_svg(frame.state[0], frame.title, frame.subtitle, frame.done)


def frame_at(run: Run, game: Played, names: list[str], rounds: int) -> Frame:
    """The start for round 0."""
    frames = game_frames(run.game, game, names, run.experiment.options.fitness)
    frame = next(frames)
    if rounds:
        for frame in frames:
            if frame.name == f"round-{rounds}-player-1":
                break
    return frame
