"""Slack's text, both ways, and the links in it: those that lead where they say stay, all others become text."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from app.core.copy.texts import escape
from app.core.text import safe_stream
from app.core.text.addresses import LONGEST_QUERY
from app.core.text.markdown import Blocks, LineKind
from app.core.text.sanitize import cut_safe_prefix, keep_visible, purify
from handlers.views.kit.narrow_tables import narrow_tables, narrow_tables_prefix

WORD_JOINER = "\u2060"
"""Invisible; behind it, Slack recognises neither a mention nor a link."""

LONGEST_ADDRESS = 1_000
"""Limit of an address behind a label. In a longer one, people could not see where it leads, or what it carries."""

OWN = "slack.com"
"""All other hosts are foreign: a long query to them may carry words of the thread off, so it is shown in full."""

_SAFE = r"(?:https?://|mailto:)"
_USER = r"(?P<user>https?:(?=//(?:[^\s/?#<>@`]{0,255}[@`]|[^\s/?#<>@`]{256})))"
"""Before user data, which can pose as a host, and before invalid hosts: too long ones, or with a backtick."""

_PART = r"(?:[^\s<>()\[\]{signs}]|\([^\s<>()\[\]{signs}]{{0,100}}+\))*+"
_PATH, _QUERY, _FRAGMENT = _PART.format(signs="?#"), _PART.format(signs="#"), _PART.format(signs="")
_LINKS = (
    r"(?P<code>\\.|(?<!`)(?P<ticks>`{1,2})(?!`)[^`\n]{1,300}(?P=ticks)(?!`))"
    rf"|\[(?P<label>(?:[^\[\]\n]|\[[^\[\]\n]{{0,300}}\]){{0,300}})\]\(\s?<?(?P<scheme>{_SAFE})(?P<host>[^\s/?#()<>\[\]]{{1,255}})"
    rf"(?=[\s/?#)>])(?=(?P<rest>{_PATH}(?:\?(?P<query>{_QUERY}))?+(?:#{_FRAGMENT})?+)?(?P<end>[\s)>])?)"
    rf"|(?P<address><{_SAFE}[^\s<>|]{{1,{LONGEST_ADDRESS}}}>)"
    rf"|{_USER}"
    r"|(?P<bad>\](?=\()|<(?=[A-Za-z][A-Za-z0-9+.-]{1,31}:))"
    r"|(?P<definition>(?<=\])(?=:))"
)
_LINK = re.compile(_LINKS, re.IGNORECASE)
_LINK_OR_OPEN_CODE = re.compile(rf"(?P<open>(?<!`)`{{1,2}}(?!`)[^`\n]{{0,302}}`{{0,2}}\Z)|{_LINKS}", re.IGNORECASE)
_WHOLE_LINE = re.compile(r"[ >]*(?:\|.*\||\d+)\s*")
"""A row or a number. While a text grows, more could follow that makes something else of it."""
_TIMES = re.compile(r"<!date\^[^<>|]*\|([^<>]*)>")
_POSING = re.compile(_USER, re.IGNORECASE)
_UNDECIDED = re.compile(
    rf"(?<=\])\(\s?<?(?:[^\s()<>\[\]]|\([^\s()<>\[\]]{{0,100}}+\)?+){{0,{LONGEST_ADDRESS + 20}}}+\Z"
    rf"|<[^\s<>]{{0,{LONGEST_ADDRESS + 20}}}\Z|\\\Z"
)
_BARE = re.compile(r"(?:(?<=https:)|(?<=http:))/{0,2}[^\s/?#<>@`]{0,255}\Z", re.IGNORECASE)
_ADDRESS_BEGINS = re.compile(r"(?<=\])[(:]|<|(?:(?<=https:)|(?<=http:))/", re.IGNORECASE)
_DEFINES = re.compile(r"[\s>*+.)\d-]*+\[")

_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61\u2024\ua4f8", "."))
_EMPHASIS = str.maketrans(dict.fromkeys("*~`\\" + WORD_JOINER))
_NAMED_HOST = re.compile(r"(?:https?://|www\.|@)[\w.-]+", re.IGNORECASE)
_DOTTED = re.compile(r"(?<![\w.-])(?:[\w-]+\.)+[\w-]+(?![\w-])")
_IP = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}")
_TLD = re.compile(r"xn--[\w-]+|[^\W\d_]{2,}")
_NO_FUNCTION = frozenset({"biz", "ch", "com", "de", "edu", "eu", "fr", "gov", "io", "mil", "net", "org", "uk"})
"""Endings of hosts that are hardly names of functions: a bracket behind them is no call."""
_FILE = re.compile(
    r"[\w-]+\.(?:py|js|ts|tsx|jsx|json|md|txt|csv|tsv|pdf|docx?|xlsx?|pptx?|html?|css|png|jpe?g|gif|svg|ya?ml|toml|xml|sql"
    r"|sh|rs|java|cpp|log|ini|cfg|lock|zip|gz|ipynb)"
)
"""A name with one dot and a common file extension, although some of those are also endings of hosts."""


def disarm_links(markdown: str) -> str:
    """Disarm links to anything but web and mail addresses, and links whose label shows another address than theirs."""
    lines, last, blocks = _split_complete(markdown)
    return "".join(lines) + (last if blocks.take(last) is not LineKind.TEXT else _disarm(last))


def disarm_links_prefix(markdown: str) -> str:
    """Do the same for a growing text: the result is a prefix of the result for any longer text.

    The addresses of undecided links are held back, at most some thousand characters.
    """
    lines, last, blocks = _split_complete(markdown)
    kind = blocks.take(last)
    if kind is LineKind.OPENS:  # or a code span, or text
        last = _cut_before(_ADDRESS_BEGINS, last)
    elif kind is LineKind.TEXT:
        last = _trim_open_code(_trim_undecided(last))
    return "".join(lines) + last


def _split_complete(markdown: str) -> tuple[list[str], str, Blocks]:
    """Return the judged complete lines, the last line as it is, and its block state."""
    *lines, last = markdown.split("\n")
    blocks = Blocks()
    return [_disarm_line(f"{line}\n", blocks) for line in lines], last, blocks


def _disarm_line(line: str, blocks: Blocks) -> str:
    return _disarm(line) if blocks.take(line) is LineKind.TEXT else line


def _trim_open_code(line: str) -> str:
    """Return a growing line without the part that depends on whether an open code span will be closed."""
    opened = next((found for found in _LINK_OR_OPEN_CODE.finditer(line) if found["open"]), None)
    if not opened:
        return _disarm(line)
    before = line[: opened.start()]
    shown = _trim_undecided(before)
    return _disarm(shown) + (_cut_before(_ADDRESS_BEGINS, opened[0]) if shown == before else "")


def _trim_undecided(line: str) -> str:
    """Return the part of a line whose verdict no longer text can change."""
    line = _cut_before(_UNDECIDED, line)
    bare = _BARE.search(line)
    if bare and not any(found.start() < bare.start() < end for found, end in _find_links(line)):
        return line[: bare.start()]
    return line


def _cut_before(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return text[: found.start()] if found else text


def _disarm(line: str) -> str:
    definition = WORD_JOINER if _DEFINES.match(line) else ""  # it would make links of brackets far away
    shown, at = list[str](), 0
    for found, end in _find_links(line):
        joiner = definition if found.lastgroup == "definition" else WORD_JOINER
        if opened := _find_open_address(found):
            labelled = found.end("label") + 1
            shown += [line[at:labelled], f"{joiner}(<{line[slice(*opened)]}>"]
        else:
            shown += [line[at:end], "" if end == found.end() and _is_kept(found) else joiner]
        at = end
    return "".join(shown) + line[at:]


def _find_links(line: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield what is judged in a line, with its end. A disarmed link ends where its address begins.

    The text behind it is searched again, because it may hold other links.
    """
    at = 0
    while found := _LINK.search(line, at):
        end = found.end()
        if opened := _find_open_address(found):
            end = opened[1]
        elif not _is_kept(found) and found["host"] is not None:
            end = found.end("label") + 1
        elif not _is_kept(found) and found["address"]:
            end = found.start() + 1
        yield found, end
        at = max(end, found.start() + 1)


def _is_kept(found: re.Match[str]) -> bool:
    """Return True for code, and for a link that hides nothing."""
    if found["host"] is not None:
        return _is_honest(found) and not _has_long_query(found)
    return bool(found["code"] or (found["address"] and not _POSING.search(found[0])))


def _find_open_address(found: re.Match[str]) -> tuple[int, int] | None:
    """Return the place of an address that takes the label's place as the link, because its query is long."""
    if found["host"] is None or found["end"] != ")" or not _has_long_query(found) or not _is_honest(found):
        return None
    begun = found.start("scheme")
    return None if found.string[begun - 1] == "<" else (begun, found.end("rest"))


def _has_long_query(found: re.Match[str]) -> bool:
    target = _strip_host(found["host"])
    return len(found["query"] or "") > LONGEST_QUERY and target != OWN and not target.endswith(f".{OWN}")


def _is_honest(found: re.Match[str]) -> bool:
    """Return True for a link with a plain, short address whose label shows no other host."""
    rest, host = found["rest"], found["host"]
    if rest is None or not found["end"] or len(rest) > LONGEST_ADDRESS - len(host):
        return False
    target = _strip_host(host)
    if "@" in host and found["scheme"].lower() != "mailto:":
        return False
    return all(each == target or target.endswith(f".{each}") for each in map(_strip_host, _find_hosts(found["label"])))


def _find_hosts(label: str) -> Iterator[str]:
    """Yield what looks like a host in a label: no file, version, abbreviation or function call.

    Characters that look like a dot are treated as one, and invisible ones are removed.
    """
    said = keep_visible(html.unescape(label.replace("\\", ""))).translate(_DOTS).translate(_EMPHASIS)
    plain = unicodedata.normalize("NFKC", said)
    yield from _NAMED_HOST.findall(plain)
    for each in _DOTTED.finditer(plain):
        name = each[0].casefold().rstrip("-")
        ending = name.rpartition(".")[2]
        is_call = plain[each.end() : each.end() + 1] == "(" and ending not in _NO_FUNCTION
        is_host = _TLD.fullmatch(ending) and not (is_call or _is_file(each, plain))
        if is_host or _IP.fullmatch(name):
            yield name


def _is_file(found: re.Match[str], label: str) -> bool:
    return bool(_FILE.fullmatch(found[0].casefold())) and label[found.end() : found.end() + 1] not in ("/", ":", "?")


def _strip_host(host: str) -> str:
    """Return a host without scheme, user, port and www, in the form of a DNS query."""
    name = unicodedata.normalize("NFKC", host.translate(_DOTS)).casefold()
    name = name.rpartition("//")[2].rpartition("@")[2].partition(":")[0].removeprefix("www.").rstrip(".")
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name


_BRACKETS = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")
_CONTROL = re.compile(r"<\s*([@#]\w|!(here|channel|everyone|group|subteam|date)\b)[^<>\n]{0,200}>")
_POWER = re.compile(r"<(?=\s*[!@#])")
_BROADCAST = re.compile(r"(?<![a-z0-9])@(?=(channel|here|everyone|group)(?![a-z0-9]))", re.IGNORECASE)

_LONGEST_CONTROL = 220
_UNDECIDED_CONTROL = re.compile(r"<\s*(?:[@#!][^<>\n]{0,210})?\Z")
_UNDECIDED_POWER = re.compile(r"<\s*\Z")
_UNDECIDED_BROADCAST = re.compile(r"@[a-z]{0,8}\Z", re.IGNORECASE)


def resolve_markup(text: str) -> str:
    """Return a person's text with links as `label (address)` and resolved entities."""
    opened = _BRACKETS.sub(_resolve_bracket, text)
    return opened.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()


def _resolve_bracket(found: re.Match[str]) -> str:
    target, label = found[1], found[2]
    if target.startswith("!date^"):
        return label or target
    if target.startswith("!"):
        return f"@{(label or target[1:].partition('^')[0]).removeprefix('@')}"
    if target[:1] in ("@", "#"):
        return f"{target[0]}{label or target[1:]}"
    return f"{label} ({target})" if label and label != target.removeprefix("mailto:") else label or target


def render_verbatim(text: str) -> str:
    """Return others' text for use in our mrkdwn: it reads as written, links nothing and notifies no one."""
    return escape(disarm_mentions(text))


def render_time(moment: datetime, form: str, otherwise: str) -> str:
    """Return a time that Slack shows on the reader's own clock; `otherwise` is the fallback.

    Slack's forms are such as `{time}` and `{date_short_pretty}`, which says "tomorrow" as long as that is true.
    """
    return f"<!date^{int(moment.timestamp())}^{form}|{otherwise}>"


def write_dates_out(text: str) -> str:
    """Return mrkdwn of ours with the fallback of each time in its place."""
    return _TIMES.sub(r"\1", text)


def disarm_mentions(markdown: str) -> str:
    """Disarm mentions and broadcasts in a model's text: it can name people, but not notify them.

    Text that resembles one, such as `<!DOCTYPE html>` in code, keeps its appearance. Links lead where they say.
    """
    for pattern, _, replace in _STEPS:
        markdown = pattern.sub(replace, markdown)
    return disarm_links(markdown)


def disarm_mentions_prefix(markdown: str) -> str:
    """Do the same for a growing text: the result is a prefix of the result for any longer text."""
    for pattern, undecided, replace in _STEPS:
        found = undecided.search(markdown, max(len(markdown.rstrip()) - _LONGEST_CONTROL, 0))
        markdown = pattern.sub(replace, markdown[: found.start()] if found else markdown)
    return disarm_links_prefix(markdown)


def split_pages(answer: str, breaks: Sequence[int] = ()) -> tuple[str, ...]:
    """Return the pages of a reply that was sanitised before it was stored.

    After each of the `breaks`, in characters, there is a new page.
    """
    parts = _cut_parts(answer, breaks)
    return tuple(page for part in parts for page in safe_stream.split_pages(disarm_mentions(narrow_tables(part))))


def split_cut_off(answer: str, breaks: Sequence[int] = ()) -> tuple[str, ...]:
    """Return the pages of such a reply that broke off: what its end would have closed is closed, or left out."""
    *whole, last = _cut_parts(answer, breaks)
    end = "\n" if _WHOLE_LINE.fullmatch(last, last.rfind("\n") + 1) else ""
    pages = (
        *(page for part in whole for page in split_pages(part)),
        *safe_stream.preview_pages(f"{disarm_mentions(narrow_tables(last))}{end}"),
    )
    return tuple(page for page in pages if page.strip())


def split_previews(growing: str, breaks: Sequence[int] = ()) -> tuple[str, ...]:
    """Return the pages of a growing reply from its raw text. A page that is full, or before a break, is final."""
    *whole, last = _cut_parts(growing, breaks)
    before = [page for part in whole for page in split_pages(purify(part))]
    shown = narrow_tables_prefix(cut_safe_prefix(last))
    pages = safe_stream.preview_pages(disarm_mentions_prefix(shown))
    return (*before, *(page for page in pages if page.strip())) if before else pages


def _cut_parts(text: str, breaks: Sequence[int]) -> list[str]:
    """Return a text cut at its breaks, without parts that would show nothing."""
    places = [0, *(at for at in breaks if 0 < at < len(text)), len(text)]
    cut = [text[begin:end] for begin, end in pairwise(places)]
    first, *later = [part for part in cut if part.strip()] or [text]
    return [first, *(part.lstrip("\n") for part in later)]


def _name_control(found: re.Match[str]) -> str:
    return _BRACKETS.sub(_resolve_bracket, f"<{found[0][1:].lstrip()}")


_STEPS = (
    (_CONTROL, _UNDECIDED_CONTROL, _name_control),
    (_POWER, _UNDECIDED_POWER, f"<{WORD_JOINER}"),
    (_BROADCAST, _UNDECIDED_BROADCAST, f"@{WORD_JOINER}"),
)
"""Pattern, the end of a growing text for which it is undecided, and the replacement."""
