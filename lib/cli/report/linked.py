"""The graph of `[[links]]`: which memories hang together, in which order they are drawn. Pure and deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lib.cli.report.records import Card

MOST = 90  # memories and missing targets that are drawn
SWEEPS = 4


@dataclass(frozen=True)
class Node:
    """A memory (`card`), or the name that a link means and no memory has (None)."""

    name: str
    card: Card | None


@dataclass(frozen=True)
class Group:
    """Nodes that hang together, in drawing order, and the links between their places: (from, to)."""

    nodes: tuple[Node, ...]
    arcs: tuple[tuple[int, int], ...]


def groups(cards: Sequence[Card], most: int = MOST) -> tuple[list[Group], int]:
    """(groups, the largest first; how many linked nodes were left out because of `most`)."""
    nodes, arcs = _graph(cards)
    near: dict[str, set[str]] = {key: set() for key in nodes}
    for start, end in arcs:
        near[start].add(end)
        near[end].add(start)
    found: list[list[str]] = []
    seen: set[str] = set()
    for key in sorted(nodes):
        if key not in seen:
            found.append(_reached(key, near))
            seen.update(found[-1])
    found.sort(key=lambda keys: (-len(keys), keys[0]))
    made: list[Group] = []
    room = most
    for keys in found:
        order = _order(keys, near)[:room]
        room -= len(order)
        if len(order) > 1:
            place = {key: at for at, key in enumerate(order)}
            inside = sorted((place[a], place[b]) for a, b in arcs if a in place and b in place)
            made.append(Group(tuple(nodes[key] for key in order), tuple(inside)))
    return made, len(nodes) - sum(len(group.nodes) for group in made)


def _graph(cards: Sequence[Card]) -> tuple[dict[str, Node], set[tuple[str, str]]]:
    """Node and arc keys: the file of a memory, "?name" for what is missing; a memory without links is no node."""
    by_file = {card.file: card for card in cards}
    nodes: dict[str, Node] = {}
    arcs: set[tuple[str, str]] = set()
    for card in cards:
        for link in card.links:
            there = by_file.get(link.file)
            if there is card:
                continue
            key = link.file if there else f"?{link.name}"
            nodes[card.file] = Node(card.file.removesuffix(".md"), card)
            nodes[key] = Node(link.file.removesuffix(".md") if there else link.name, there)
            arcs.add((card.file, key))
    return nodes, arcs


def _reached(start: str, near: Mapping[str, set[str]]) -> list[str]:
    seen, queue = {start}, [start]
    while queue:
        for key in near[queue.pop()] - seen:
            seen.add(key)
            queue.append(key)
    return sorted(seen)


def _order(keys: Sequence[str], near: Mapping[str, set[str]]) -> list[str]:
    """Neighbours close together: breadth first from the most linked one, then a few sweeps towards their middle."""
    first = min(keys, key=lambda key: (-len(near[key]), key))
    order, seen = [first], {first}
    for key in order:
        for other in sorted(near[key] - seen, key=lambda other: (len(near[other]), other)):
            order.append(other)
            seen.add(other)
    best = order
    for _ in range(SWEEPS):
        place = {key: at for at, key in enumerate(order)}
        order = sorted(order, key=lambda key: (_middle(key, near, place), place[key]))
        if _length(order, near) < _length(best, near):
            best = order
    return best


def _middle(key: str, near: Mapping[str, set[str]], place: Mapping[str, int]) -> float:
    around = [place[other] for other in near[key]] + [place[key]]
    return sum(around) / len(around)


def _length(order: Sequence[str], near: Mapping[str, set[str]]) -> int:
    place = {key: at for at, key in enumerate(order)}
    return sum(abs(place[key] - place[other]) for key in order for other in near[key] if other in place)
