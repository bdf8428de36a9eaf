"""What people read of what Claude may do without asking; the same rules as in `app.core.texts`.

Titles and buttons of windows are plain, and 24 characters at most.
"""

from __future__ import annotations

TITLE = "Permissions"
CLOSE = "Close"
NOTHING_OWN = "You have allowed or forbidden nothing for good."
ALWAYS = "✅ {label}\n_I do it without asking. You allowed it for good:_ {date}"
NEVER = "🚫 {label}\n_I never do it. You forbade it for good:_ {date}"
UNLABELLED = "{tool}: {scope}"
MORE = "… and {count} more: `/threadwise permissions`"

# Of the workspace

POLICY_NEVER = "🚫 For everybody in this workspace, never: {tools}"
POLICY_ALWAYS = "✅ For everybody in this workspace, without asking: {tools}"
ANY_TOOL = "everything"
SCOPED = "{tool} ({scope})"

# Revoking

REVOKE = "Revoke"
SURELY = "Revoke this?"
SURELY_ALWAYS = "From now on I ask you again before I do it: {label}"
SURELY_NEVER = "From now on I may ask you again about it: {label}"
KEEP = "Keep"

# Pages

PREVIOUS = "◀ Back"
NEXT = "Next ▶"
PAGE = "Page {page} of {pages}"
