"""What the fork server does once for all processes: it reads the program's own files and imports what is imported late.

It makes no thread and opens no connection, so each fork begins as a process that has just imported everything.
"""

from __future__ import annotations

import gc

import anyio
from pydantic import SecretStr

from app.agent.claude.client import Claude
from app.agent.claude.prices import compute_cost
from app.core.conversation.usage import Usage
from app.decision.playbook.playbook import load_proact
from app.settings import Settings

load_proact()
compute_cost(Settings.model_fields["model"].default, Usage(input_tokens=1))
Claude(SecretStr("none"), None, 1.0)  # to make one imports the rest of the SDK's transport
anyio.run(anyio.sleep, 0)  # its backend is imported by the first use
gc.freeze()  # else the first collection of each process copies every page
