// Slack's `ts` as people read it, in their own time zone and language.

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", month: "long", day: "numeric" });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const DAY_LENGTH = 86_400_000; // milliseconds

export const moment = (ts) => new Date(Number(ts) * 1000);

export const clock = (ts) => CLOCK.format(moment(ts));

/** The clock without a.m. and p.m., where there is little room. */
export const shortClock = (ts) => CLOCK.formatToParts(moment(ts)).filter(({ type }) => type !== "dayPeriod").map(({ value }) => value).join("").trim();

/** Name the day: today and yesterday by these words. */
export function day(ts) {
  const days = Math.round((midnight(new Date()) - midnight(moment(ts))) / DAY_LENGTH);
  return days <= 1 ? capitalised(RELATIVE.format(-days, "day")) : DAY.format(moment(ts));
}

const LONG = { weekday: "long", month: "long", day: "numeric", year: "numeric" };
const FORMS = { date: { month: "long", day: "numeric", year: "numeric" }, date_short: { month: "short", day: "numeric", year: "numeric" }, date_long: LONG };

/** Tell a moment (seconds since 1970) as Slack's `<!date>` has it: "{date_short_pretty} at {time}"; null for other forms. */
export function told(seconds, form) {
  const date = moment(seconds);
  const words = form.replace(/\{(\w+)\}/g, (token, name) => {
    if (name === "time") return CLOCK.format(date);
    const plain = FORMS[name.replace(/_pretty$/, "")];
    if (!plain) return token;
    return (name.endsWith("_pretty") && near(date)) || new Intl.DateTimeFormat(undefined, plain).format(date);
  });
  return /[{}]/.test(words) ? null : words;
}

/** "yesterday", "today" or "tomorrow"; null for other days. */
function near(date) {
  const days = Math.round((midnight(date) - midnight(new Date())) / DAY_LENGTH);
  return Math.abs(days) <= 1 ? RELATIVE.format(days, "day") : null;
}

const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);
const capitalised = (word) => word.charAt(0).toUpperCase() + word.slice(1);
