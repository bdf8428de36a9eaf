"""Ids and timestamps in Slack's form. The ids repeat with the seed; timestamps are current."""

import random
import time
import uuid

_ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class Mint:
    """The one source of names in a playground."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ahead = 0.0
        """Seconds by which timestamps are ahead of our clock; negative ones, given at the start, make a past day."""
        self._last = 0  # microseconds

    def id(self, prefix: str) -> str:
        """Return an id such as C04TG7Q2MNK; the prefix tells its type."""
        return prefix + "0" + "".join(self.random.choices(_ALPHABET, k=9))

    def digits(self, count: int) -> str:
        """Return that many digits."""
        return "".join(self.random.choices("0123456789", k=count))

    def secret(self, count: int) -> str:
        """Return that many hexadecimal digits."""
        return "".join(self.random.choices("0123456789abcdef", k=count))

    def uuid(self) -> str:
        """Return a random UUID."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def ts(self) -> str:
        """Return a message timestamp, seconds.micros, later than every one before."""
        self._last = max(self._last + 1, time.time_ns() // 1_000 + round(self.ahead * 1_000_000))
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"
