"""What a hostile caller knows of the running fleet: names that exist, and sound messages to damage."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from google.protobuf.message import Message


@dataclass(slots=True)
class Known:
    """`texts` and `octets` by field name, `examples` of sound messages by full name, `focus`: ids that belong together.

    A request takes its ids from one focus, so that it reaches the code behind the first look-up.
    """

    texts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    octets: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    examples: dict[str, list[Message]] = field(default_factory=lambda: defaultdict(list))
    focus: list[dict[str, str]] = field(default_factory=list)

    def learn(self, messages: Sequence[Message]) -> None:
        """Keep sound messages, and the sound messages in them."""
        for message in messages:
            self._keep(message)

    def _keep(self, message: Message) -> None:
        self.examples[message.DESCRIPTOR.full_name].append(message)
        for one, value in message.ListFields():
            if one.message_type is None or one.message_type.GetOptions().map_entry:
                continue
            for part in value if one.is_repeated else (value,):
                self._keep(part)
