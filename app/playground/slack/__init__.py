"""A Slack emulator on loopback, as strict as Slack: Web API, Socket Mode, signed HTTP, people, and a web page."""

from app.playground.slack.faults import Fault, Moment
from app.playground.slack.model import Message
from app.playground.slack.options import SlackOptions
from app.playground.slack.server import SlackPlayground
from app.playground.slack.surfaces import Command, Shortcut, View

__all__ = ["Command", "Fault", "Message", "Moment", "Shortcut", "SlackOptions", "SlackPlayground", "View"]
