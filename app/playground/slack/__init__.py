"""A Slack emulator on loopback, as strict as Slack: Web API, Socket Mode, signed HTTP, people, and a web page."""

from app.playground.slack.server import SlackPlayground
from app.playground.slack.values.faults import Fault, Moment
from app.playground.slack.values.model import Message
from app.playground.slack.values.options import SlackOptions
from app.playground.slack.values.surfaces import Command, Shortcut, View

__all__ = ["Command", "Fault", "Message", "Moment", "Shortcut", "SlackOptions", "SlackPlayground", "View"]
