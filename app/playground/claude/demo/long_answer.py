"""The scripted demo model's long answer: several screens of Markdown with every shape that must survive streaming."""

from app.playground.claude.demo.replies import STATUS_QUO, options_table, with_status_quo
from app.playground.claude.demo.request import Heard, options_in, quoted, shortened

_TEMPLATE = """\
# A walk through your decision

{opening}

I do not know your situation, so everything below is a way of thinking, with gaps where your \
knowledge goes. Skip what does not fit. Nothing here has to be finished today.

## 1. What is really to be decided?

A decision stated too narrowly hides the good options; stated too widely, it never ends. Try three versions:

1. **Narrow:** the choice exactly as it came up.
2. **Wider:** the problem that this choice is meant to solve.
3. **Widest:** why that problem matters at all.

The right frame is usually the second one. Write down three more things beside it:

- **Who decides?** One name. Others may advise, inform or be affected, but one person says yes.
- **By when?** A date, or the event that would make the choice for you.
- **What is not up for debate?** Budget, law, promises already made.

> A good test: could someone outside the team read the sentence and know what you are *not* deciding?

## 2. What matters?

List what you want and, for each item, ask *why?* until the answer is “because it just does”. What is left \
at the bottom are your goals; what you passed on the way down are means. A small example of the form:

| Goal | How you would see it | Better is |
|---|---|---|
| People get an answer quickly | minutes until someone replies | less |
| The team keeps its evenings | evenings on duty per person and month | less |
| It stays affordable | cost per month | less |

Three to five goals are enough. With twelve, every option looks fair and nobody can choose.

## 3. What could you do?

{options}

An option like *{status_quo}* belongs in every such table. It is rarely neutral: things that are left alone go \
on changing.

To find options that are not on the list yet:

- take one goal alone and ask what you would do if nothing else counted;
- ask what you would do with **twice** the budget, and with **half** of it;
- combine: the first half of one option with the second half of another;
- ask someone who has lived with the problem longest.

## 4. What would happen?

For each option and each goal, compare with the way things are now, on a scale of five steps:

| Score | In words |
|---|---|
| +2 | much better than today |
| +1 | somewhat better |
| 0 | about the same |
| −1 | somewhat worse |
| −2 | much worse |

Write a reason next to every score. A score without a reason is a mood, and moods change by Thursday. Where \
you cannot score at all, you have found something worth asking about.

## 5. Which trade is yours to make?

Now look for three things, in this order:

1. An option that is **never better** than another one anywhere: let it go.
2. A goal on which **all options score the same**: it matters, but it cannot help you choose.
3. What remains are real trades: *more of this for less of that*. Nobody can make them for you. A useful \
question is how much of the one you would give up for a little more of the other.

## 6. Write it down

Keep the record short enough that someone will read it in a year:

```text
Decision:      {decision}
Decided by:    ________________     on: ____-__-__
Because:       1. ________________________________
               2. ________________________________
We gave up:    ___________________________________
We were unsure about: ____________________________
We look again when:   ____________________________
```

The line *we gave up* is the most honest one. If it is empty, the choice was easy or the record is not true.

## 7. Was it a good decision?

A good decision is not the same as a good outcome: luck comes in between. Before you announce it, check the \
chain for its weakest link: the frame, the goals, the options, the information, the reasoning, and whether \
somebody will really do it. Strengthening any other link than the weakest is effort for show.

---

**One step now, the others later: in a single sentence, what are you deciding?**"""


def long_answer(heard: Heard) -> str:
    """Walk through a whole decision, from the person's own words."""
    name = f"{heard.name}, you" if heard.name else "You"
    opening = f"{name} asked for the long version, so here it is, in seven short stops."
    if heard.remembered:
        opening += f" Earlier you said {quoted(heard.remembered)}; keep that at hand while you read."
    choice = heard.choice_so_far
    options = options_in(choice) if choice else ["Your first idea", "Someone else's idea"]
    return _TEMPLATE.format(
        opening=opening,
        options=options_table(with_status_quo(options)),
        status_quo=STATUS_QUO,
        decision=shortened(choice or heard.topic or "_" * 35, 60),
    )
