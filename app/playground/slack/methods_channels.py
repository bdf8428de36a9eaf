"""Making a channel and bringing people into it: conversations.create and conversations.invite."""

from app.playground.slack.arguments import Arguments
from app.playground.slack.model import Channel, Json
from app.playground.slack.refusal import Refusal, invalid
from app.playground.slack.site import Site
from app.playground.slack.wire import channel_object

LONGEST_NAME = 80  # characters
MOST_INVITED = 100  # people in one call


def create(site: Site, args: Arguments) -> Json:
    """conversations.create: a channel with the bot as its only member."""
    name = args.text("name")
    if problem := _wrong_name(name):
        raise Refusal(problem)
    if site.workspace.channel_named(name):
        raise Refusal("name_taken")
    kind = "group" if args.flag("is_private") else "channel"
    return {"channel": channel_object(site.workspace, site.workspace.found(name, kind, site.app.user.id))}


def _wrong_name(name: str) -> str:
    """Return Slack's code for the error in a name, empty if it has none."""
    if not name:
        return "invalid_name_required"
    if len(name) > LONGEST_NAME:
        return "invalid_name_maxlength"
    if any(
        character not in "-_" and not (character.isalnum() and character.lower() == character) for character in name
    ):
        return "invalid_name_specials"
    return "" if name.strip("-_") else "invalid_name_punctuation"


def invite(site: Site, args: Arguments) -> Json:
    """conversations.invite: all of those named or, unless forced, none."""
    channel = site.joined_channel(args)
    if channel.kind == "im":
        raise Refusal("method_not_supported_for_channel_type")
    listed = [user.strip() for user in args.text("users").split(",")]
    named = list(dict.fromkeys(user for user in listed if user))
    if not named:
        raise Refusal("no_user")
    if len(named) > MOST_INVITED:
        raise invalid("invalid_arguments", [f"no more than {MOST_INVITED} users allowed"])
    problems = {user: problem for user in named if (problem := _uninvitable(site, channel, user))}
    errors: list[Json] = [{"user": user, "ok": False, "error": problem} for user, problem in problems.items()]
    welcome = [user for user in named if user not in problems]
    if errors and not (args.flag("force") and welcome):
        raise Refusal(errors[0]["error"], errors=errors)
    for user in welcome:
        channel = site.workspace.join(channel, user, site.app.user.id)
    return {"channel": channel_object(site.workspace, channel)} | ({"errors": errors} if errors else {})


def _uninvitable(site: Site, channel: Channel, user: str) -> str:
    if user == site.app.user.id:
        return "cant_invite_self"
    if user not in site.workspace.members:
        return "user_not_found"
    return "already_in_channel" if user in channel.members else ""
