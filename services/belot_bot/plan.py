"""How much work a bot that samples puts into a decision: counts alone, never time, so that it is the same anywhere."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of a level.

    worlds    distributions of the cards that are drawn for a card to be played
    deals     distributions that are drawn for a word of the auction
    solved    the last tricks of a play-out that are solved exactly instead
    contract  what a point of the score is worth against a card point when a card is chosen
    word_contract  the same for a word of the auction
    draws     how often a world is drawn anew that does not agree with the melds that were shown, or were not
    drawn     worlds out of which the others' words and cards choose those to be played out; 0: all are as good
    spread    points by which a card has to seem better to others to be played more often by e
    """

    worlds: int
    deals: int
    solved: int
    contract: float
    word_contract: float
    draws: int
    drawn: int = 0
    spread: int = 1
