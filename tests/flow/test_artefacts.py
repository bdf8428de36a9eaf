"""What was made for a goal, told when its result comes to review, with links to where it stands."""

from __future__ import annotations

from app.core.copy import texts
from app.core.state.goal import GoalPhase
from app.playground.claude import ToolCall, Turn
from tests.flow.called import calls
from tests.flow.chat import Chat
from tests.flow.permitting import ALLOW, decides, final, posted

ROTA = {"name": "Rota for March", "format": "csv", "rows": [["who", "day"], ["Sam", "Mon"]]}


async def test_at_review_the_owner_sees_what_was_made_and_where_it_stands(chat: Chat) -> None:
    chat.will_answer(
        Turn(parts=[ToolCall("set_goal", {"type": "exploration", "description": "A rota for March"})]),
        calls("create_file", "I put it into a file.", **ROTA),
        calls("post_message", channel="#ops", text="The rota is ready."),
        Turn(parts=[ToolCall("finish_work", {"summary": "The rota", "artefacts": ["Rota for March", "A summary"]})]),
        "There it is.",
    )
    thread = await chat.says("@Threadwise a rota for March, as a file, and tell #ops")
    await decides(chat, thread, ALLOW, "Rota for March.csv")
    await decides(chat, thread, ALLOW, "post to #ops")
    words = await final(chat, thread, "There it is.")
    (file,) = chat.slack.people.files("Maya", "#general", thread)
    (post,) = [each for each in chat.slack.people.sees("Maya", "#ops") if each.user == chat.slack.bot_user_id]
    assert posted(chat) == ["The rota is ready."]
    assert f"📎 Made: <{file.permalink}|Rota for March.csv> · <" in words
    assert f"p{post.ts.replace('.', '')}|message in #ops> · A summary" in words
    now = await chat.conversation(thread)
    assert now.goals.phase is GoalPhase.REVIEWING


async def test_what_was_made_stands_in_the_answer_to_how_it_is_going(chat: Chat) -> None:
    chat.will_answer(
        Turn(parts=[ToolCall("set_goal", {"type": "exploration", "description": "A rota for March"})]),
        calls("create_file", **ROTA),
        "The file is there, the rest comes.",
    )
    thread = await chat.says("@Threadwise a rota for March, please")
    await decides(chat, thread, ALLOW)
    await final(chat, thread, "The file is there")
    await chat.says("@Threadwise status", thread=thread)
    await chat.sees(texts.MADE.format(things="Rota for March.csv"), thread=thread)
