"""`belot play` as a person runs it, over pipes, on a running fleet and on a private one; its proofs under `verify`."""

import asyncio
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from support.belot_command import BELOT, belot_up, run

CARD = re.compile(r"(?:10|[7-9JQKA])[♣♦♥♠]")


class Person:
    """Somebody at the terminal: reads what is printed, types a legal choice, once a claim and once an illegal card."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []
        self.refusals: list[str] = []
        self._tried = False
        self._claimed = False

    async def play(self) -> str:
        """Until the command ends; gives everything it printed."""
        assert self.process.stdout is not None
        async for octets in self.process.stdout:
            line = octets.decode().rstrip("\n")
            self.lines.append(line)
            if line.startswith("refused ("):
                self.refusals.append(line)
            if line.endswith("(h help, q leave)"):
                self._type(self._choice(line))
        await self.process.wait()
        return "\n".join(self.lines)

    def _choice(self, asked: str) -> str:
        if asked.startswith("bid"):
            return "1"
        if not self._claimed:
            self._claimed = True
            return "claim"
        hand, marks = CARD.findall(self.lines[-3]), self.lines[-2].split()[1:]
        illegal = [card for card, mark in zip(hand, marks, strict=False) if mark == "·"]
        if illegal and not self._tried:
            self._tried = True
            return illegal[0]
        return "1"

    def _type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n".encode())


async def command(arguments: Sequence[str]) -> asyncio.subprocess.Process:
    """A `belot` command with both pipes open."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*BELOT, *arguments, stdin=pipe, stdout=pipe)


async def test_on_a_running_fleet_by_bots_then_by_a_person_and_both_verify(tmp_path: Path) -> None:
    async with belot_up(tmp_path / "state") as up:
        here = ("--state-dir", str(up.state))
        bots = tmp_path / "bots.json"
        status, said = await run("play", "--auto", "--ruleset", "bela", "--target", "501", "--save", str(bots), *here)
        assert status == 0, said
        assert "private fleet" not in said
        assert re.search(r"^deal  1  . (clubs|diamonds|hearts|spades) by Bot [1-4]", said, re.MULTILINE), said
        assert "development beacon" in said.splitlines()[-1]
        person = Person(await command(["play", "--ruleset", "bela", "--deals", "2", "--bot-delay", "0", *here]))
        said = await person.play()
        assert person.process.returncode == 0, said
    assert_the_table_was_pleasant(person, said)
    await assert_proofs_verify(bots, said, tmp_path)


def assert_the_table_was_pleasant(person: Person, said: str) -> None:
    """What a person must have seen in two deals of bela."""
    claim, card = person.refusals
    assert re.match(r"refused \((claim_not_certain|wrong_phase)\): \w+", claim)
    assert re.match(r"refused \(must_\w+\): \w+", card)
    assert said.count("declared, ") == 2  # a score sheet for each deal
    assert "the deal as your own client saw it" in said
    assert [line for line in person.lines if len(line) > 80 and not line.startswith(("saved", "check"))] == []


async def assert_proofs_verify(bots: Path, said: str, folder: Path) -> None:
    """Both files hold offline, the person's with what his client kept; a damaged one does not."""
    status, report = await run("verify", str(bots), "--accept-dev")
    assert status == 0, report
    (again,) = re.findall(r"^check it again: belot (verify .+)$", said, re.MULTILINE)
    status, report = await run(*again.split())
    assert status == 0, report
    assert "witness" in report
    status, report = await run("verify", str(damage(bots, folder / "damaged.json")), "--accept-dev")
    assert status == 1
    assert "FAILED at" in report


def damage(file: Path, damaged: Path) -> Path:
    """A copy with one bit changed in its middle."""
    octets = bytearray(file.read_bytes())
    octets[len(octets) // 2] ^= 1
    damaged.write_bytes(octets)
    return damaged


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the command makes its temporary directories; short, as sockets want it; empty at the end."""
    place = Path(tempfile.mkdtemp(prefix="belot-"))
    monkeypatch.setenv("TMPDIR", str(place))
    yield place
    place.rmdir()


@pytest.mark.usefixtures("place")
async def test_a_private_fleet_is_started_left_and_gone(tmp_path: Path) -> None:
    arguments = ["play", "--deals", "1", "--ruleset", "classic", "--beacon", "dev", "--state-dir", str(tmp_path / "s")]
    process = await command(arguments)
    output, _ = await process.communicate(b"h\nq\n")
    said = output.decode()
    assert process.returncode == 0, said
    assert said.startswith("starting a private fleet ...\nready: ")
    assert "your hand" in said
    assert "a card      7C" in said
    assert "leaving the table" in said
