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

const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);
const capitalised = (word) => word.charAt(0).toUpperCase() + word.slice(1);
