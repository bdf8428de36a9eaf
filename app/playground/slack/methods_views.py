"""The views.* methods: modals, which need a trigger, and each person's Home tab, which needs none."""

from app.playground.slack.arguments import Arguments
from app.playground.slack.model import Json
from app.playground.slack.refusal import Refusal, invalid
from app.playground.slack.site import Site
from app.playground.slack.surfaces import View
from app.playground.slack.view_rules import check_view
from app.playground.slack.wire import view_object


def open_modal(site: Site, args: Arguments) -> Json:
    """views.open: a modal for whoever caused the trigger."""
    given = _given(site, args, "modal")
    trigger = site.triggers.exchange(args.required("trigger_id"))
    return _answer(site, site.workspace.views.open(trigger.user, given))


def push(site: Site, args: Arguments) -> Json:
    """views.push: a modal on top of the one whose interaction gave the trigger."""
    given = _given(site, args, "modal")
    trigger = site.triggers.exchange(args.required("trigger_id"))
    if trigger.view_id is None:
        raise Refusal("not_found")
    return _answer(site, site.workspace.views.push(trigger.user, given))


def update(site: Site, args: Arguments) -> Json:
    """views.update: of a modal still open or a Home tab; with a hash, only if it is still the one meant."""
    view = _named(site, args)
    given = _given(site, args, view.type, but=view)
    _check_hash(args, view)
    return _answer(site, site.workspace.views.renew(view, given))


def publish(site: Site, args: Arguments) -> Json:
    """views.publish: one person's Home tab."""
    person = site.workspace.members.get(args.required("user_id"))
    if person is None or person.is_bot:
        raise Refusal("user_not_found")
    before = site.workspace.views.home(person.id)
    given = _given(site, args, "home", but=before)
    if before:
        _check_hash(args, before)
    return _answer(site, site.workspace.views.publish(person.id, given))


def _named(site: Site, args: Arguments) -> View:
    view_id, external_id = args.text("view_id"), args.text("external_id")
    if view_id and external_id:
        raise invalid("invalid_arguments", ["Cannot provide both `view_id` and `external_id`"])
    if not (view_id or external_id):
        raise invalid("invalid_arguments", ["missing required field: view_id"])
    views = site.workspace.views
    view = views.find(view_id) if view_id else views.find_external(external_id)
    if view is None:
        raise Refusal("not_found")
    return view


def _given(site: Site, args: Arguments, kind: str, but: View | None = None) -> Json:
    view = args.structure("view", "invalid_arguments")
    given = check_view(view, kind, lambda: site.workspace.mint.secret(5))
    external_id = given.get("external_id")
    holder = site.workspace.views.find_external(external_id) if external_id else None
    if holder and (but is None or holder.id != but.id):
        raise Refusal("duplicate_external_id")
    return given


def _check_hash(args: Arguments, view: View) -> None:
    if args.text("hash") not in ("", view.hash):
        raise Refusal("hash_conflict")


def _answer(site: Site, view: View) -> Json:
    return {"view": view_object(site.workspace, view, with_state=False)}
