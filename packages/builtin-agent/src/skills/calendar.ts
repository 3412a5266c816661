import { describeMove, describeSpan } from "../dates/describe-dates.ts";
import { type DateContext, longDate, parseDate } from "../dates/parse-date.ts";
import { parseDuration } from "../dates/parse-duration.ts";
import type { BuiltinSkill } from "../message/skill.ts";

/** Answers one form of question; `undefined` when the phrase has another form or no date. */
type Reading = (phrase: string, today: Temporal.PlainDate) => string | undefined;

/** Counts and finds days. "Today" is the day in UTC, and answers say so: the person's time zone is unknown. */
export const calendar: BuiltinSkill = {
  id: "calendar",
  name: "Dates",
  description: "Counts days, weeks and workdays, finds weekdays and adds to dates.",
  examples: [
    "days until 2026-12-25",
    "days between 1 March 2026 and 24 December 2026",
    "workdays from 2026-03-01 to 2026-03-31",
    "what day is 2027-01-01",
    "2026-03-01 + 45 days",
    "3 weeks before 24 December 2026",
    "10 business days from today",
    "what is the date today",
  ],
  match: ({ phrase, now }) => {
    if (phrase.length > 120) return undefined;
    const bare = phrase
      .toLowerCase()
      .replace(/^(?:(?:what|which|calculate)(?:['’]?s)? (?:is |was |will be )?)?(?:the )?/, "");
    const today = Temporal.PlainDate.from(now.toISOString().slice(0, 10));
    for (const reading of READINGS) {
      const answer = reading(bare, today);
      if (answer !== undefined) return () => answer;
    }
    return undefined;
  },
};

const UNIT = "days?|nights?|sleeps|weeks?|months?|years?|weekdays|workdays|working days|business days";
const COUNT_UNTIL = new RegExp(
  `^(?:countdown|how long|(?:how many |number of )?(${UNIT}))(?: is it| has it been| are there| are left| left)? (until|till|til|to|before|since|after) (.+)$`,
);
const COUNT_BETWEEN = new RegExp(
  `^(?:how long|difference|time|(?:how many |number of )?(${UNIT}))(?: is it| are there| are)? (?:between|from) (.+?) (?:and|to|until|till|through) (.+)$`,
);
const WEEKDAY_OF =
  /^(?:day of (?:the )?week|weekday|day|date)(?: (?:is|was|will|does|did|of|for|on))?(?: it)? (?:on )?(.+?)(?: be)?(?: on| fall| fall on)?$/;
const TODAY =
  /^(?:today(?:['’]s)?(?: date)?|(?:current )?date(?: today| is it(?: today)?)?|day(?: is it)?(?: today)?|today is)$/;
const WEEK = /^(?:calendar |current |iso )?week(?: number)?(?: (?:is|of|for))?(?: (?:it|this))?(?: (.+))?$/;

const READINGS: readonly Reading[] = [
  todaysDate,
  weekdayOf,
  countUntil,
  countBetween,
  addToDate,
  durationFromDate,
  weekNumber,
];

function countUntil(phrase: string, today: Temporal.PlainDate): string | undefined {
  const [, unit = "", word = "", target = ""] = COUNT_UNTIL.exec(phrase) ?? [];
  const isPast = word === "since" || word === "after";
  const date = parseDate(target, { today, lean: isPast ? "past" : "future" });
  if (date === undefined) return undefined;
  const [start, end] = isPast ? [date, today] : [today, date];
  return `${describeSpan({ start, end, unit })}. Today is ${longDate(today)} in UTC.`;
}

function countBetween(phrase: string, today: Temporal.PlainDate): string | undefined {
  const [, unit = "", from = "", to = ""] = COUNT_BETWEEN.exec(phrase) ?? [];
  const context: DateContext = { today, lean: "future" };
  const [start, end] = [parseDate(from, context), parseDate(to, context)];
  return start && end && `${describeSpan({ start, end, unit })}. The last day is not counted.`;
}

function addToDate(phrase: string, today: Temporal.PlainDate): string | undefined {
  const [, from = "", sign = "", length = ""] = /^(.*?) ?(\+|-|−|\bplus\b|\bminus\b) ?(\d[^+−-]*)$/.exec(phrase) ?? [];
  const duration = parseDuration(length);
  const start = from === "" ? today : parseDate(from, { today, lean: "future" });
  if (duration === undefined || start === undefined) return undefined;
  return describeMove({ start, duration, backwards: sign !== "+" && sign !== "plus", today });
}

function durationFromDate(phrase: string, today: Temporal.PlainDate): string | undefined {
  const [, length = "", word = "", from = "today"] =
    /^(?:(?:date|day)(?: is it| is| was it| was)? )?(.+?) (ago|from|after|before)(?: (.+))?$/.exec(phrase) ??
    /^(?:(?:date|day)(?: is it| will it be)? )?in (.+)$/.exec(phrase) ??
    [];
  const duration = parseDuration(length);
  const start = parseDate(from, { today, lean: "future" });
  if (duration === undefined || start === undefined) return undefined;
  return describeMove({ start, duration, backwards: word === "ago" || word === "before", today });
}

function todaysDate(phrase: string, today: Temporal.PlainDate): string | undefined {
  return TODAY.test(phrase) ? `Today is **${longDate(today)}** (${today.toString()}) in UTC.` : undefined;
}

function weekNumber(phrase: string, today: Temporal.PlainDate): string | undefined {
  const match = WEEK.exec(phrase);
  const date = match && parseDate(match[1] ?? "today", { today, lean: "future" });
  return date ? `${longDate(date)} is in **week ${date.weekOfYear}** of ${date.yearOfWeek} (ISO 8601).` : undefined;
}

function weekdayOf(phrase: string, today: Temporal.PlainDate): string | undefined {
  const context: DateContext = { today, lean: "future" };
  const date = parseDate(phrase, context) ?? parseDate(WEEKDAY_OF.exec(phrase)?.[1] ?? "", context);
  if (date === undefined) return undefined;
  return `${date.toString()} is a **${longDate(date).split(" ")[0]}**: ${longDate(date)}, week ${date.weekOfYear} of ${date.yearOfWeek}.`;
}
