"""Sorting of people's words in a step by the scripted demo model: thoughts, items, remarks. Pure."""

import re
from collections.abc import Sequence

DECISIONS, WISHES, UNKNOWNS, FACTS = "potential_decisions", "objectives", "uncertainties", "considerations"

_SENTENCES = re.compile(r"[^.!?;\n]+(?:[.!?;]+(?=\s|$)|[.](?=\S)[^.!?;\n]*)*[.!?;]*")
_TURNS = re.compile(
    r",?\s+but\s+|,\s+(?:and\s+|or\s+)?(?=(?:i|we|the|they|our|my|nobody|somebody|everybody|whether)\b)"
    r"|(?P<last>,\s+and\s+)(?=\w+(?:\s+\w+){2})",
    re.IGNORECASE,
)
_LINES = re.compile(r"\n|;|(?<=[.!?])\s+(?!\()")
_GOES_ON = r"(?!\s*(?:as|like|which|because|since|if|with|without|including|so that)\b)"
"""Words after a comma that belong to what stands before it."""
_COMMAS = re.compile(rf",{_GOES_ON}\s*(?:and\s+|or\s+)?", re.IGNORECASE)
_WORDS = re.compile(rf",{_GOES_ON}\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_COMMA_AND, _AND = re.compile(r",\s*(?:and|or)\s", re.IGNORECASE), re.compile(r"\s+(?:and|or)\s+", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:between|either)\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:(?:[-*•–]|\d{1,2}[.)])\s+|(?:and|or|also)\s+)+", re.IGNORECASE)
_INLINE = re.compile(r"(?<!\S)\d{1,2}[.)]\s+(?=\S)")
"""Number of a point in a list that is written on one line."""
_POINT = re.compile(r"(?<!\S)(\d{1,2})\.(?=\s+\S)")
_HELD = re.compile(
    r"\([^()\n]{1,200}\)"
    r"|\b(?:max|min|approx|ca|incl|inkl|excl|bzw|resp|vs|no|nr|e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a)\.(?=\s+[a-z\d(])"
    r"|\b(?:St|Dr|Mr|Mrs|Ms|Prof|Nr|Fr|Hr|Str|e\.\s?V)\.(?=\s)"
)
"""Brackets and abbreviations: what stands in them ends no sentence and divides no list."""
_DIVIDING = ".!?;,"
_HOLD = str.maketrans(_DIVIDING, "".join(chr(0xE000 + place) for place in range(len(_DIVIDING))))
_FREE = {held: ord(sign) for sign, held in zip(_DIVIDING, _HOLD.values(), strict=True)}
_AROUND = " \t,;:–—-"
_SHORT = 7  # words; a comma between longer pieces belongs to a sentence
_LONG = 10  # words of a piece beside two others or more: that is a list
_TERSE = 3  # words; in shorter text, "and" divides two things as well
_FRAGMENT = 3  # words; less says nothing by itself

_SIGNS: Sequence[tuple[str, re.Pattern[str]]] = tuple(
    (box, re.compile(pattern, re.IGNORECASE))
    for box, pattern in (
        (
            DECISIONS,
            r"\b(?:should|shall|could) (?:we|i)\b|\bwhether (?:to|we should|i should)\b"
            r"|\b(?:we|i|they) (?:could|can)\b.*\bor\b"
            r"|\b(?:decid|choos|decision|choice)\w*|\b(?:pick|select)\b|\bhow (?:to|do we|can we|should)\b"
            r"|\bsort out\b",
        ),
        (
            UNKNOWNS,
            r"\b(?:not sure|unsure|no (?:idea|clue)|(?:don['’]?t|do not|can['’]?t|cannot) (?:\w+ )?(?:know|tell)"
            r"|nobody knows|who knows"
            r"|uncertain\w*|unclear|unknown|might|may|maybe|perhaps|probably|depends|risk\w*|worr\w+|afraid"
            r"|fear\w*|whether)\b",
        ),
        (
            WISHES,
            r"\b(?:want|wants|wish|hope|goal|aim|need|needs|would like|'d like|must not|should|matters?"
            r"|important|avoid"
            r"|rather|better|cheap\w*|fewer|faster|safe\w*|keep(?:ing)?|as (?:soon|little|much|few) as)\b",
        ),
        (DECISIONS, r"\bor\b.*\?|\bwhich\b.*\?|\boptions?\b"),
    )
)
_TO_US = re.compile(
    r"^\W*(?:(?:hm+|well|ok(?:ay)?|and|so|but|sorry|oh)\b\W*)*(?:what|why|how|when|where|who|can|could|do|does|is|are)"
    r"\b.*\?\W*$",
    re.IGNORECASE,
)


def _pattern(*forms: str) -> re.Pattern[str]:
    """Compile alternatives; an apostrophe may be typed, curly or left out."""
    return re.compile("|".join(forms).replace("'", "['’]?"), re.IGNORECASE)


_FILLER = r"(?:(?:honestly|frankly|well|hm+|sorry|ok(?:ay)?|nope?|yes|w?h?oo?ps|oh|ah|so|and|but|to be honest)\W+)*"
_BYE = (
    r"(?:\W+(?:to (?:add|say)|from (?:me|us|my side)|comes to mind|for (?:now|me|us|today|it)|with (?:it|this|that)"
    r"|here|now|then|thanks|thank you|please|i think|really|so far))*\W*$"
)
"""What may follow on words that end a talk."""
_UNKNOWN = _pattern(
    rf"^\W*{_FILLER}(?:(?:(?:i|we)\s+)?(?:(?:really|honestly|simply|just|also|still)\s+)?(?:don't|do not|can't"
    rf"|cannot|couldn't)"
    r" (?:really |yet )?(?:know|say|tell|judge)|(?:(?:i|we) have )?(?:absolutely )?no (?:idea|clue)|(?:(?:i'm"
    r"|i am|we're) )?(?:not (?:really )?sure|unsure)"
    r"|dunno|idk|(?:that is |it's |it is )?hard to (?:say|tell)|who knows|nobody knows|no opinion)"
    r"(?:\W+(?:that|this|it|yet|either|now|at all|really|honestly|sorry|to be honest|here|the answer"
    r"|what to say))*\W*$",
)
_CHAT = _pattern(
    rf"^\W*{_FILLER}(?:hi|hello|hey|thanks?|thank you|cheers|ok(?:ay)?|yes|yep|yeah|yup|no|nope|sure|right"
    rf"|great|good|fine|well|hm+"
    r"|please|done|go (?:on|ahead)|(?:good )?(?:morning|afternoon|evening)|that(?:'s| is) (?:all|it|everything)"
    r"|nothing(?: else| more)?|no more|none|obviously|of course|definitely|maybe|not really|i see"
    r"|(?:that )?makes sense|w?h?oo?ps|oh|ah|lgtm|(?:i )?approved?|(?:all )?looks? (?:good|fine|right|ok(?:ay)?)"
    r"|(?:that(?:'s| is) )?(?:(?:a )?(?:very )?(?:good|nice|hard|tough|tricky) question|interesting|nice|cool"
    r"|funny|weird|enough|clear)|agreed|fair enough|wow|lol|ha(?:ha)*"
    r"|sorry|never ?mind|got it|understood|perfect|exactly|correct|true|same here|i agree)"
    r"(?: there| threadwise| you| so far| for now| then| again| me| very much| indeed)*\W*$",
    r"^\W*(?:(?:ok(?:ay)?|yes)\W+)?(?:that|this|it)(?:'s| is| looks) (?:a )?(?:fair|fine|good|right|correct)\b",
    r"^\W*(?:no|yes|not really)\W+(?:(?:it|that|this) )?(?:does|did|do)(?:n't| not)?(?: really)? surprise\b.*$",
)
_FOR_US = _pattern(
    r"^\W*(?:please |can (?:we|you) |could (?:we|you) |let's |let us |i want to |now )*(?:"
    r"show(?: me| us)?(?: (?:all|everything|it|that|the (?:list|notes?|items?|card|draft|table|rest)"
    r"|what you (?:have|noted|got).*))?"
    r"|(?:move|go) (?:on|ahead|forward|back)|continue|proceed|next(?: (?:one|step|question|please))*"
    r"|skip(?: (?:it|this|that)(?: (?:one|step|question))?)?|pass"
    r"|wait|hold on|one (?:moment|second)|stop|cancel|abort|quit|exit|start (?:over|again)|restart|reset"
    r"|repeat(?: (?:that|it|the question))?|say (?:that|it) again"
    r"|help(?: me)?(?: please)?|what now|what next|undo(?: (?:that|it|this))?|redo|edit|rate|change (?:it|that"
    r"|this|something)"
    r"|(?:drop|delete|remove|undo|scratch|forget|take out) (?:that|it|this|them|all|everything|the (?:last"
    r"|first|second|third|other|previous)(?: (?:one|item|two))?)"
    r")(?: please| now| again| then)*\W*$",
    r"^\W*(?:you (?:forgot|missed|got|misunderstood|are wrong|did not|didn't)|that(?:'s| is|'s"
    r"| was) (?:not what i (?:meant|said)|wrong|not right)"
    r"|i (?:did not|didn't) (?:mean|say|write)|this is (?:confusing|wrong)|i do(?:n't| not) understand)\b.*$",
    rf"^\W*{_FILLER}(?:(?:none|neither|nothing|any|all|both) of (?:these|those|them|it|the (?:above|options|two))"
    r"|(?:i(?:'m| am) not sure\W+)?you (?:tell me|decide|choose|say))\W*$",
    r"^\W*[/!]\w+\W*$",
)
_SKIPS = _pattern(
    r"^\W*(?:(?:i|we|let's|let us|can (?:i|we)|please|i'd like to|i want to)\W+)*(?:skip|pass|next)"
    r"(?: (?:it|this|that|one|step|question|please))*\W*$",
)
_ALL = _pattern(
    rf"^\W*(?:\w+\W+){{0,4}}(?:that(?:'s| is| was) (?:all|it|everything)(?: (?:i|we) (?:have|know|can think of))?"
    rf"|i(?:'m| am) (?:done|ready)|we(?:'re| are) (?:done|ready)){_BYE}",
    rf"^\W*{_FILLER}(?:(?:(?:i|we) (?:have|can think of)|i think of|there(?:'s| is)) )?(?:nothing (?:else|more)"
    rf"|no more(?: (?:ideas?|options?|questions?|thoughts?|points?|wishes|items?|of (?:them|those)))?){_BYE}",
    r"^\W*(?:please |now |ok(?:ay)?,? |let's |can you )*(?:done|finish(?: (?:it|this|here|now))?|finished"
    r"|enough|ready|wrap (?:it )?up|summari[sz]e(?: (?:it|this|now))?"
    r"|put it together|let me see (?:it|the (?:card|result|draft)))(?: please| now| then)*\W*$",
)
_ASKS_US = _pattern(
    r"^\W*(?:what|how|who|why|which|can|could|do|would|will|are)\b(?:\W+\w+){0,3}?\W+you\b.*\?\W*$",
)
_SAID = re.compile(r"(?<=[.!?;])\s+|\n")
_TERMS = (
    r"(?:decisions?|(?:fundamental |means )?objectives?|uncertaint(?:y|ies)|considerations?|frames?|limits?|measures?"
    r"|options?|alternatives?|baselines?|status quo|ratings?|doubts?|ranges?|tradeoffs?|scores?|triggers?|premortems?)"
)
_ON_METHOD = _pattern(
    rf"^\W*{_FILLER}what(?:'s| is| are)(?: meant by)? (?:a |an |the )?\W*{_TERMS}\W*(?:here)?\W*$",
    rf"^\W*{_FILLER}what (?:does|do) \W*{_TERMS}\W* mean(?: here)?\W*$",
)
"""Questions about the words of the method, in which people may name what they would else be taken to list."""
_BECAUSE = re.compile(
    r"^[\s,.:(–-]*(?:(?:because(?: of)?|since|as|due to|for the reason that)\b\s*)?(?P<reason>.*?)[\s.,)]*$",
    re.I | re.S,
)
ALL = r"\b(?:all|both|every(?:thing|one| option)|each)\b"
REST = r"\b(?:(?:the )?rest|(?:the |all (?:the )?)?others?)\b"
"""Patterns of words for all options or elements, and for those that are left."""
_NOT_ALL = _pattern(r"\b(?:not|n't|but|except|before|wait|one more)\b|\?")


def reason_in(tail: str) -> str:
    """Return the reason that words behind a figure give; empty if they give none."""
    found = _BECAUSE.match(tail)
    reason = found["reason"].strip() if found else ""
    return reason if re.search(r"\w", reason) else ""


def clauses(words: str) -> list[str]:
    """Return the thoughts in a text, each exactly as written."""
    found = [piece for sentence in _SENTENCES.findall(_hold(words)) for piece in _turns(sentence.strip(_AROUND))]
    return [piece for each in found if not is_chat(piece := each.translate(_FREE))]


def items(words: str) -> list[str]:
    """Return the items of a list: lines, sentences, or short words between commas."""
    lines = [line for each in _LINES.split(_hold(_bracket_numbers(words))) for line in _numbered(each)]
    found = [piece.translate(_FREE) for line in lines for piece in _listed(line)]
    return [item for piece in found if (item := _BULLET.sub("", piece).strip(_AROUND + ".")) and not is_chat(item)]


def box_of(clause: str) -> str:
    """Return the list that a thought belongs to by its words; considerations if no word decides."""
    return next((box for box, sign in _SIGNS if sign.search(clause)), FACTS)


def is_for_us(clause: str) -> bool:
    """Return True if a clause asks the model something, and is no thought of its own."""
    is_asked = _TO_US.match(clause) or (clause.endswith("?") and len(clause.split()) <= _FRAGMENT)
    return bool(is_asked) and box_of(clause) == FACTS


def is_chat(clause: str) -> bool:
    """Return True if the clause has no content of its own: a greeting, a yes, "I don't know", "done"."""
    has_none = re.search(r"\w", clause) is None
    return has_none or any(each.match(clause) for each in (_CHAT, _UNKNOWN)) or was_all(clause)


def is_unknown(words: str) -> bool:
    """Return True if all that the words say is that people do not know."""
    return _UNKNOWN.match(words) is not None


def is_meant_for_us(clause: str) -> bool:
    """Return True for a command, a complaint or a question to the program: it is no part of the decision."""
    return any(each.match(clause) for each in (_FOR_US, _ASKS_US, _ON_METHOD))


def is_skip(words: str) -> bool:
    """Return True if people want to go on without an answer."""
    return _SKIPS.match(words) is not None


def is_short_remark(words: str) -> bool:
    """Return True if nothing of the words is a thought."""
    return all(is_chat(each) for each in re.split(r"[.!,;\n]+", words))


def was_all(words: str) -> bool:
    """Return True if a sentence says that this was all, and nothing takes it back."""
    return any(map(_is_end, _SAID.split(words)))


def without_ends(words: str) -> str:
    """Return the words without the sentences that say that this was all."""
    left = (" ".join(each for each in _SAID.split(line) if not _is_end(each)) for line in words.split("\n"))
    return "\n".join(filter(str.strip, left))


def _is_end(sentence: str) -> bool:
    return _ALL.search(sentence) is not None and not _NOT_ALL.search(sentence)


def _hold(words: str) -> str:
    """Return the words with the signs in brackets and abbreviations hidden; `_FREE` brings them back."""
    return _HELD.sub(lambda held: held[0].translate(_HOLD), words)


def _bracket_numbers(words: str) -> str:
    """Return the words with "1." and "2." of a list as "1)" and "2)": these end no sentence."""
    numbers = [int(each) for each in _POINT.findall(words)]
    return _POINT.sub(r"\1)", words) if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)) else words


def _numbered(line: str) -> list[str]:
    """Divide a line before its numbers, "1) this 2) that"; one number alone is part of its words."""
    starts = [found.start() for found in _INLINE.finditer(line)]
    ends = [*starts[1:], len(line)]
    return [line] if len(starts) < 2 else [line[: starts[0]], *(line[a:b] for a, b in zip(starts, ends, strict=True))]


def _turns(sentence: str) -> list[str]:
    """Divide a sentence where its subject changes. Fragments stay with the words before them."""
    pieces, start = list[str](), 0
    for turn in _TURNS.finditer(sentence):
        piece = sentence[start : turn.start()]
        if _CHOICE.search(piece) and _AND.search(sentence, turn.end()):
            continue  # "between the old one, the new one or none"
        if turn["last"] and "," in piece:
            continue  # the end of a list, not of a thought
        if len(piece.split()) >= _FRAGMENT and len(sentence[turn.end() :].split()) >= _FRAGMENT:
            pieces.append(piece)
            start = turn.end()
    return [piece for each in (*pieces, sentence[start:]) if (piece := each.strip(_AROUND))]


def _listed(line: str) -> list[str]:
    """Return the pieces of a line that lists things with commas; else the line itself."""
    pieces = _COMMAS.split(line)
    longest = max(len(piece.split()) for piece in pieces)
    if len(pieces) == 1 or longest > (_SHORT if len(pieces) == 2 else _LONG):
        return [line]
    if longest <= _TERSE:
        return _WORDS.split(line)
    last = pieces[-1:] if len(pieces) == 2 or _COMMA_AND.search(line) else _AND.split(pieces[-1])
    return [*pieces[:-1], *(last if len(last) == 2 else pieces[-1:])]
