"""The default workspace: Acme, its three people, its bot and its channels."""

import time

from app.playground.slack.values.model import App, Channel, IdFactory, Member
from app.playground.slack.values.options import SlackOptions
from app.playground.slack.workspace.workspace import Team, Workspace

_PEOPLE = (
    ("Maya", "Maya Okafor", "America/New_York"),
    ("Sam", "Sam Rivera", "Europe/Berlin"),
    ("Priya", "Priya Nair", "Asia/Kolkata"),
)
_CHANNELS = (("general", True), ("random", False), ("ops", True))  # name, whether the bot is in it


def create_acme(mint: IdFactory, options: SlackOptions) -> Workspace:
    """Return the default workspace with the app as it was configured; the same seed gives the same ids."""
    app_id = mint.id("A")
    # Slack: without this scope an app has neither commands nor shortcuts.
    may_offer = "commands" in options.scopes
    app = App(
        id=app_id,
        bot_id=mint.id("B"),
        user=Member(mint.id("U"), "Threadwise", "Threadwise", "Etc/UTC", is_bot=True),
        bot_token=f"xoxb-{mint.digits(12)}-{mint.digits(13)}-{mint.secret(24)}",
        app_token=f"xapp-1-{app_id}-{mint.digits(13)}-{mint.secret(64)}",
        signing_secret=mint.secret(32),
        scopes=options.scopes,
        events=options.events,
        is_agent=options.agent,
        commands=options.commands if may_offer else {},
        shortcuts=options.shortcuts if may_offer else {},
    )
    workspace = Workspace(Team(mint.id("T"), "Acme", "acme"), app, mint)
    for name, real_name, tz in _PEOPLE:
        person = Member(mint.id("U"), name, real_name, tz)
        workspace.members[person.id] = person
    people = tuple(member.id for member in workspace.members.values() if not member.is_bot)
    for name, with_bot in _CHANNELS:
        members = (*people, app.user.id) if with_bot else people
        workspace.add_channel(Channel(mint.id("C"), name, "channel", members, int(time.time())))
    return workspace
