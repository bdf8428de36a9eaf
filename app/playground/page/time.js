// Slack's `ts` as people read it: in the time zone of their profile, as in Slack, and the browser's language.

let timeZone; // IANA; the browser's until the person is known
let clockFormat, dateFormat; // kept, because making one takes longer than all else here
useZone();

/** Tell times in this zone from here on. */
export function useZone(zone) {
  timeZone = zone || undefined;
  clockFormat = formatter({ hour: "numeric", minute: "2-digit" });
  dateFormat = formatter({ year: "numeric", month: "numeric", day: "numeric" }, "en");
}

function formatter(form, language) {
  return new Intl.DateTimeFormat(language, { ...form, timeZone });
}

const DAY = { weekday: "long", month: "long", day: "numeric" };
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const DAY_LENGTH = 86_400_000; // milliseconds

export const moment = (ts) => new Date(Number(ts) * 1000);

export const clock = (ts) => clockFormat.format(moment(ts));

/** The clock without a.m. and p.m., where there is little room. */
export const shortClock = (ts) => clockFormat.formatToParts(moment(ts)).filter(({ type }) => type !== "dayPeriod").map(({ value }) => value).join("").trim();

/** Name the day: today and yesterday by these words. */
export function day(ts) {
  const days = dayNumber(new Date()) - dayNumber(moment(ts));
  return days <= 1 ? capitalised(RELATIVE.format(-days, "day")) : formatter(DAY).format(moment(ts));
}

const LONG = { weekday: "long", month: "long", day: "numeric", year: "numeric" };
const FORMS = { date: { month: "long", day: "numeric", year: "numeric" }, date_short: { month: "short", day: "numeric", year: "numeric" }, date_long: LONG };

/** Tell a moment (seconds since 1970) as Slack's `<!date>` has it: "{date_short_pretty} at {time}"; null for other forms. */
export function told(seconds, form) {
  const date = moment(seconds);
  const words = form.replace(/\{(\w+)\}/g, (token, name) => {
    if (name === "time") return clockFormat.format(date);
    const plain = FORMS[name.replace(/_pretty$/, "")];
    if (!plain) return token;
    return (name.endsWith("_pretty") && near(date)) || formatter(plain).format(date);
  });
  return /[{}]/.test(words) ? null : words;
}

/** "yesterday", "today" or "tomorrow"; null for other days. */
function near(date) {
  const days = dayNumber(date) - dayNumber(new Date());
  return Math.abs(days) <= 1 ? RELATIVE.format(days, "day") : null;
}

/** Count the days since 1970 to the date that the calendar shows in the person's zone. */
function dayNumber(date) {
  const parts = dateFormat.formatToParts(date);
  const { year, month, day: dayOfMonth } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, dayOfMonth) / DAY_LENGTH;
}

const capitalised = (word) => word.charAt(0).toUpperCase() + word.slice(1);
