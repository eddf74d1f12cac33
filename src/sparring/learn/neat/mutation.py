"""Kernels of mutation: how the attributes of genes are initialised and changed.

A number receives Gaussian noise with its mutate rate, is redrawn with its replace rate, and stays within its limits.
"""

import math

import numpy as np

from sparring.kernel.compiler import kernel
from sparring.kernel.random import below, key, step, uniform
from sparring.learn.neat.settings import ATTRIBUTES, RANDOM


@kernel
def normal(stream):
    """A standard normal number from the next two numbers of a stream (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(uniform(step(stream))))
    return radius * math.cos(2.0 * math.pi * uniform(step(step(stream))))


@kernel
def initial_value(number, stream):
    """An initial value, from the next two numbers of a stream."""
    if number.uniform > 0.0:
        low = max(number.min_value, number.init_mean - 2.0 * number.init_stdev)
        high = min(number.max_value, number.init_mean + 2.0 * number.init_stdev)
        return low + (high - low) * uniform(step(stream))
    value = number.init_mean + number.init_stdev * normal(stream)
    return max(min(value, number.max_value), number.min_value)


@kernel
def changed(number, value, stream):
    """A value after mutation, from the next three numbers of a stream."""
    stream = step(stream)
    chance = uniform(stream)
    if chance < number.mutate_rate:
        value += number.mutate_power * normal(stream)
        return max(min(value, number.max_value), number.min_value)
    if chance < number.mutate_rate + number.replace_rate:
        return initial_value(number, stream)
    return value


@kernel
def initial_choice(choice, stream):
    """An initial property, from the next number of a stream."""
    return choice.default if choice.default != RANDOM else choice.options[below(step(stream), choice.count)]


@kernel
def initially_enabled(settings, stream):
    if settings.enabled_default != RANDOM:
        return settings.enabled_default
    return np.int64(uniform(step(stream)) < 0.5)


@kernel
def mutate_genes(genomes, first, last, options, stream):
    """Mutate the attributes of all genes of rows `first` to `last` - 1."""
    nodes, links, node_count, link_count = genomes
    settings = options[0]
    for g in range(first, last):
        own = key(key(stream, g), ATTRIBUTES)
        own = mutate_links(links, g, link_count[g], settings, own)
        mutate_nodes(nodes, g, node_count[g], settings, own)


@kernel
def mutate_links(links, g, count, settings, stream):
    for e in range(count):
        links[g, e].weight = changed(settings.weight, np.float64(links[g, e].weight), stream)
        stream = step(step(step(stream)))
        rate = settings.enabled_mutate_rate
        rate += settings.enabled_rate_to_false_add if links[g, e].enabled else settings.enabled_rate_to_true_add
        if rate > 0.0:
            stream = step(stream)
            chance = uniform(stream)
            if chance < rate:
                links[g, e].enabled = chance < 0.5 * rate
    return stream


@kernel
def mutate_nodes(nodes, g, count, settings, stream):
    still = settings.response.mutate_rate + settings.response.replace_rate == 0.0
    for k in range(count):
        nodes[g, k].bias = changed(settings.bias, np.float64(nodes[g, k].bias), stream)
        stream = step(step(step(stream)))
        if not still:
            nodes[g, k].response = changed(settings.response, np.float64(nodes[g, k].response), stream)
            stream = step(step(step(stream)))
        if settings.activation.mutate_rate > 0.0:
            nodes[g, k].activation = redrawn(settings.activation, nodes[g, k].activation, stream)
            stream = step(step(stream))
        if settings.aggregation.mutate_rate > 0.0:
            nodes[g, k].aggregation = redrawn(settings.aggregation, nodes[g, k].aggregation, stream)
            stream = step(step(stream))


@kernel
def redrawn(choice, code, stream):
    """A property after mutation, from the next two numbers of a stream."""
    stream = step(stream)
    if uniform(stream) < choice.mutate_rate:
        return choice.options[below(step(stream), choice.count)]
    return np.int64(code)
