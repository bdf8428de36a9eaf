"""Errors, sorted by what the worker does about them.

ThreadwiseError
├── IllegalEvent        the event cannot happen now: drop it, audit its code, tell the person
├── BrokenInvariant     a bug of ours would have led to a state that cannot be: park the work
├── LostConversation    somebody else holds it: stop at once, write nothing
├── Retryable           try the same again later; not counted as a failed attempt
│   ├── StoreUnavailable
│   │   └── SecretsUnavailable
│   └── SlackUnavailable
│       └── SlackLockedOut  the token is not accepted: it says nothing about the call
├── SlackRefused        Slack will never take this call: give up on the effect, keep the thread going
│   └── PlaceGone       nor any other in this place: keep what was to be said, pause what runs there, tell the owner
├── ModelFailed         the turn ends with a sentence, a reference and, where it helps, Retry
│   └── OutOfBudget     the model was not asked: keep all that was said and done, and tell when it goes on
├── OutOfReach          a tool cannot do what the model wants: the model is told why
│   └── OutcomeUnknown  it may have been done all the same: it is never repeated
├── TooLong             a text is refused before it is stored or shown
├── FileRefused         a file cannot be read: name it and say why, and answer all the same
├── FileNotFetched      a file is not given to us: name it and say why, and answer all the same
├── ExtractionError     data of the model is refused: say so to the model, or ask the person
└── SettingsError       the program cannot start; the message says what to set

Anything else is a bug. Vendor errors become ours at the edge, `from` theirs; people never see `str(error)`.
"""

from __future__ import annotations

from enum import StrEnum


class ThreadwiseError(Exception):
    """Abstract: the root of the tree."""


class IllegalEvent(ThreadwiseError):
    """This event cannot happen in this state. Nothing was changed."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code} {detail}".strip())
        self.code = code
        self.detail = detail


class ForbiddenMeanwhile(IllegalEvent):
    """What was allowed and was about to begin has been forbidden by its owner. Nothing was changed."""

    def __init__(self) -> None:
        super().__init__("FORBIDDEN_MEANWHILE")


class BrokenInvariant(ThreadwiseError):
    """A step would have led to a state that cannot be: a bug of ours. Nothing was changed."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))


class LostConversation(ThreadwiseError):
    """The lease ran out or another worker saved first."""


class Retryable(ThreadwiseError):
    """Abstract: an outage or a limit outside of us. `after` is in seconds."""

    def __init__(self, message: str = "", after: float = 1.0) -> None:
        super().__init__(message or self.__doc__)
        self.after = after


class StoreUnavailable(Retryable):
    """MongoDB cannot be reached, or the folder of the erasure secrets."""


class SecretsUnavailable(StoreUnavailable):
    """The folder of the erasure secrets cannot be read or written. Its message tells operators what to do."""


class SlackUnavailable(Retryable):
    """Slack cannot be reached, or asks us to wait. If `ambiguous`, the call may have been carried out all the same.

    If `unsent`, it did not even leave: Slack has not counted it. `status` is that of an answer that is not Slack's own.
    """

    def __init__(
        self,
        message: str = "",
        after: float = 1.0,
        *,
        ambiguous: bool = False,
        unsent: bool = False,
        status: int = 0,
    ) -> None:
        super().__init__(message, after)
        self.ambiguous = ambiguous
        self.unsent = unsent
        self.status = status

    @property
    def is_unknown(self) -> bool:
        """True if something between us and Slack knows no such address, or lets nobody through to it."""
        return self.status in (403, 404, 405, 410, 501)


class SlackLockedOut(SlackUnavailable):
    """Slack does not accept our token until whoever runs the program has seen to it. The call was not carried out."""


class SlackRefused(ThreadwiseError):
    """Slack answered with an error that trying again will not mend."""

    def __init__(self, method: str, code: str) -> None:
        super().__init__(f"{method}: {code}")
        self.method = method
        self.code = code


class PlaceGone(SlackRefused):
    """Nothing can be said in this place any more: we are not in it, it is closed, or it is not there."""


class FailureKind(StrEnum):
    """Why a turn failed, in the terms that the person is told (texts in `app.core.copy.texts`)."""

    BUSY = "busy"
    LIMITED = "limited"
    SPENT = "spent"
    MISCONFIGURED = "misconfigured"
    TOO_LONG = "too_long"
    OVERSIZED = "oversized"
    INVALID = "invalid"
    CUT = "cut"
    TIMEOUT = "timeout"
    PACED = "paced"
    """Our own limit of requests a minute, or of answers at once."""
    SPENT_TODAY = "spent_today"
    """Our own budget of a day."""
    UNFINISHED = "unfinished"
    """An extraction in which the model did not submit, or did not summarise."""
    NOT_THEIRS = "not_theirs"
    """Its owner is somebody who may not own a conversation (any more)."""
    OVERHEARD = "overheard"
    """While it waited for a person, others have come to read the thread who may not read what it knows."""
    RETIRED = "retired"
    """The component that leads this step is not installed any more."""
    INTERNAL = "internal"


class ModelFailed(ThreadwiseError):
    """The model gave no complete answer. `reference` is the vendor's request id, if there is one.

    `told` says who answered what, for whoever runs the program and for nobody else.
    """

    def __init__(self, kind: FailureKind, reference: str = "", after: float | None = None, told: str = "") -> None:
        super().__init__(kind.value)
        self.kind = kind
        self.reference = reference
        self.after = after
        self.told = told


class OutOfBudget(ModelFailed):
    """Our own budget of a day was used up between two requests of an answer. `after` says when there is a new one."""

    def __init__(self, after: float) -> None:
        super().__init__(FailureKind.SPENT_TODAY, after=after)


class OutOfReach(ThreadwiseError):
    """A tool cannot do this, and the model is told why, in words that quote nothing."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class NotJoined(OutOfReach):
    """A channel that the person can see and the app is not in: it can be named, and not read."""

    def __init__(self, words: str, *, is_public: bool) -> None:
        super().__init__(words)
        self.is_public = is_public


class OutcomeUnknown(OutOfReach):
    """A tool may have done what the model wants, and nobody knows. The words are for a tool that only reads."""


class TooLong(ThreadwiseError):
    """A text is longer than it may be; both in UTF-8 bytes."""

    def __init__(self, maximum: int, actual: int) -> None:
        super().__init__(f"{actual} of at most {maximum} bytes")
        self.maximum = maximum
        self.actual = actual


class FileFault(StrEnum):
    """Why a file was not read (texts in `app.core.copy.file_faults`)."""

    UNKNOWN_KIND = "unknown_kind"
    TOO_LARGE = "too_large"
    BROKEN = "broken"
    LOCKED = "locked"
    TOO_MANY_PAGES = "too_many_pages"
    TOO_LONG_TO_READ = "too_long_to_read"
    TOO_MUCH_MEMORY = "too_much_memory"
    EMPTY = "empty"
    ONLY_PICTURES = "only_pictures"
    """A PDF without text, as from a scanner, with more pages than the model can look at."""
    FAILED = "failed"
    """Not the file's fault: the process that reads files did not start, or has a bug."""


class FileRefused(ThreadwiseError):
    """A file was not read. Of its content it tells nothing.

    `limit` is the one that was exceeded: bytes for `TOO_LARGE`, pages for `TOO_MANY_PAGES`, otherwise 0.
    """

    def __init__(self, reason: FileFault, limit: int = 0) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.limit = limit


class FetchFault(StrEnum):
    """Why a file could not be fetched from Slack (texts in `app.core.copy.file_access`)."""

    NO_SCOPE = "no_scope"
    """The app was installed before it could ask for `files:read`."""
    LOGIN_PAGE = "login_page"
    """Slack answers with a page instead of the file."""
    HIDDEN = "hidden"
    """Slack does not show it to the app, as some files of other companies."""
    EXTERNAL = "external"
    """It lies with another service."""
    DELETED = "deleted"
    ELSEWHERE = "elsewhere"
    """Its address is none of Slack's own."""
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    """The message has more files than are read."""
    UNAVAILABLE = "unavailable"


class FileNotFetched(ThreadwiseError):
    """A file was not given to us. `limit` is the one that was exceeded: bytes for `TOO_LARGE`, files for `TOO_MANY`."""

    def __init__(self, reason: FetchFault, limit: int = 0) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.limit = limit


class ExtractionFailure(StrEnum):
    """Why data that the model wrote could not be read."""

    TOO_LONG = "too_long"
    TOO_DEEP = "too_deep"
    MALFORMED = "malformed"


class ExtractionError(ThreadwiseError):
    """The model's data is not what it must be. Of the data itself it tells nothing."""

    def __init__(self, kind: ExtractionFailure) -> None:
        super().__init__(kind.value)
        self.kind = kind


class SettingsError(ThreadwiseError):
    """The settings do not allow a start. The message is one clear sentence that says what to do."""
