"""Texts that people read when they start a decision; the same rules as in `app.core.texts`."""

from __future__ import annotations

DECIDE_TITLE = "Make a decision"
DECIDE_SUBMIT = "Start"
DECIDE_CLOSE = "Not now"
QUESTION = "What do you have to decide?"
QUESTION_HINT = "One question that leaves the answer open, such as “How should we cover the winter rota?”"
PEOPLE = "Who should be there?"
PEOPLE_HINT = "They are invited to the channel. You lead; what others write counts as context for you."
PLACE = "Where?"
PRIVATE = "A new private channel"
DIRECT = "Our direct messages"
HERE = "This channel"
HERE_READ = "This channel ({readers} can read it)"
READER, READERS = "1 person", "{count} people"
FROM_THREAD = (
    "I read what was said in that thread and draft the first step from it. You look at the draft before it counts."
)
FROM_WORDS = "I draft the first step from these words at once, without asking. You look at the draft before it counts."
NO_QUESTION = "Please write what you have to decide."
PICK_PLACE = "Please pick a place."
NO_CHANNELS = "I may not make channels in this workspace. Pick another place."
PEOPLE_WITHOUT_CHANNEL = "Others cannot read our direct messages. Pick a channel, or leave the people out."
CANNOT_BEGIN = "I could not begin just now. Nothing was lost: please send it again in a moment."
TOO_MANY = "You have begun a lot in the last hour. You can send this again in {wait}; what you wrote stays here."
TOO_MANY_EXAMPLES = "You have begun a lot in the last hour. I can lay the example out in {wait}."
NOT_INVITED = "I am not in that channel. Write /invite @Threadwise there, then try again."
NOTHING_SAID = "I can read nothing in that thread."
HUB_BEGINS = "🧭 {person} begins a decision: *{question}*"
STARTED_TITLE = "Started"
STARTED = "Your decision has begun: {link}."
THE_DECISION = "open it"
NOT_FROM_HERE = (
    "I am not in this channel, so I cannot lead a decision here. Write /invite @Threadwise, or pick another place."
)
