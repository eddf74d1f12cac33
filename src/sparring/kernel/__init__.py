"""The compiled world: one decorator, random numbers, maths, and launchers that play batches of games on every core."""
