import { Cron } from "croner";

/** The times of a schedule, Unix milliseconds. */
export interface Times {
  /** Returns the first time after `after`. */
  readonly next: (after: number) => number;
}

/** Why a schedule has no times: what is wrong with each of its members. */
interface TimesProblem {
  readonly cron?: string;
  readonly zone?: string;
}

const fields = [
  { name: "minute", least: 0, most: 59, words: [] },
  { name: "hour", least: 0, most: 23, words: [] },
  { name: "day of month", least: 1, most: 31, words: [] },
  { name: "month", least: 1, most: 12, words: "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ") },
  { name: "day of week", least: 0, most: 7, words: "SUN MON TUE WED THU FRI SAT".split(" ") },
];

const nicknames: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** One value, range or wildcard, with a step or not. Has no `?`, `L`, `W`, `#` and `+`, whose meanings differ between programs. */
const item = /^(?:\*|(\d{1,2}|[a-z]{3})(?:-(\d{1,2}|[a-z]{3}))?)(?:\/(\d{1,2}))?$/i;

/** Returns the times of a cron text with five fields in a time zone, or what is wrong. */
export function readCron(cron: string, zone: string): Times | TimesProblem {
  const offsetAt = offsetsOf(zone);
  if (offsetAt === undefined)
    return { zone: `is not a time zone that is known here: write a name such as Europe/Berlin or UTC` };
  const problem = problemOf(cron);
  if (problem !== undefined) return { cron: problem };
  let pattern: Cron;
  try {
    pattern = new Cron(cron, { mode: "5-part", timezone: "UTC", paused: true });
  } catch (error) {
    return { cron: `can't be read: ${(error as Error).message.replace(/^\w+: /, "")}` };
  }
  if (pattern.nextRun(new Date()) === null) return { cron: "never comes: no month has this day" };
  /** Wall-clock times are instants as if the zone were UTC. */
  const nextWall = (wall: number): number => pattern.nextRun(new Date(wall))?.getTime() ?? Infinity;
  const isHourly = /^(\*|\*\/1|0-23)$/.test(cron.trim().split(/\s+/)[1] ?? "");
  return { next: (after) => (isHourly ? nextReal : nextOnce)(after, { offsetAt, nextWall }) };
}

function problemOf(cron: string): string | undefined {
  const [, zone, rest] = /^\s*(?:CRON_)?TZ=(\S*)\s*(.*)$/i.exec(cron) ?? [];
  if (zone !== undefined) return `has no time zone: write ${zone} as the zone, and here only ${rest}`;
  const written = cron.trim().split(/\s+/);
  const instead = nicknames[cron.trim().toLowerCase()];
  if (instead !== undefined) return `has no nicknames: write ${instead} instead of ${cron.trim()}`;
  if (written.length !== fields.length)
    return `has ${written.length} fields: write five, minute, hour, day of month, month and day of week, such as 30 9 * * 1-5`;
  for (const [at, field] of fields.entries())
    for (const one of written[at]?.split(",") ?? []) {
      const problem = problemOfItem(one, field);
      if (problem !== undefined) return `has ${problem}`;
    }
  return undefined;
}

function problemOfItem(one: string, { name, least, most, words }: (typeof fields)[number]): string | undefined {
  const found = item.exec(one);
  const range = `${least} to ${most}${words.length === 0 ? "" : `, or ${words[0]} to ${words.at(-1)}`}`;
  const valueOf = (text: string): number =>
    /^\d/.test(text) ? Number(text) : words.indexOf(text.toUpperCase()) + least;
  const [, from, to, step] = found ?? [];
  const isOutside = (text = ""): boolean => {
    const isWord = words.includes(text.toUpperCase());
    return text !== "" && !isWord && !(Number(text) >= least && Number(text) <= most);
  };
  if (found === null) return `${JSON.stringify(one)} as ${name}: use numbers, lists, ranges, * and steps`;
  if (isOutside(from) || isOutside(to)) return `${one} as ${name}: write ${range}`;
  if (step !== undefined && !(Number(step) >= 1 && Number(step) <= most))
    return `${one} as ${name}: a step is 1 to ${most}`;
  if (from === undefined) return undefined;
  if (to === undefined) return step === undefined ? undefined : `${one} as ${name}: write ${from}-${most}/${step}`;
  if (valueOf(from) <= valueOf(to)) return undefined;
  const [last, first] = /^\d/.test(from) ? [most, least] : [words.at(-1), words[0]];
  const rest = String(first) === to.toUpperCase() ? to : `${first}-${to}`;
  return `${one} as ${name}, a range that runs backward: write ${from}-${last},${rest}`;
}

interface Clock {
  /** How far the zone's clock is ahead of UTC at an instant, milliseconds. */
  readonly offsetAt: (instant: number) => number;
  /** Returns the first wall-clock time after another. */
  readonly nextWall: (wall: number) => number;
}

/** Returns the next time of a schedule for each hour: it runs in real time when the clock is changed. */
function nextReal(after: number, clock: Clock): number {
  const { offsetAt, nextWall } = clock;
  const offset = offsetAt(after + 1);
  const next = nextWall(after + offset) - offset;
  if (next === Infinity || offsetAt(next) === offset) return next;
  return nextReal(firstWith(offsetAt, after + 1, next) - 1, clock);
}

/**
 * Returns the next time of a schedule for certain hours. A time that the clock shows twice counts once, the first time; one that it skips
 * counts at the first moment after the gap.
 */
function nextOnce(after: number, { offsetAt, nextWall }: Clock): number {
  let wall = after + offsetAt(after);
  for (;;) {
    wall = nextWall(wall);
    if (wall === Infinity) return wall;
    const instant = firstInstant(offsetAt, wall);
    if (instant > after) return instant;
  }
}

const dayMs = 86_400_000;

function firstInstant(offsetAt: Clock["offsetAt"], wall: number): number {
  const before = offsetAt(wall - offsetAt(wall) - dayMs);
  const changed = offsetAt(wall - before + dayMs);
  const instants = [wall - before, wall - changed].filter((at, index) => offsetAt(at) === [before, changed][index]);
  if (instants.length > 0) return Math.min(...instants);
  return firstWith(offsetAt, wall - changed - 1, wall - before);
}

/** Returns the first instant of a change of the clock between two instants with different offsets. */
function firstWith(offsetAt: Clock["offsetAt"], from: number, to: number): number {
  const offset = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}

/** What was read of zones, because that is slow. Only known zones have names, so they are few. */
const knownOffsets = new Map<string, Clock["offsetAt"]>();

const shown = { era: "short", year: "numeric", month: "numeric", day: "numeric", hour: "numeric" } as const;

/** Returns the offsets of a time zone; undefined for an unknown name. */
function offsetsOf(zone: string): Clock["offsetAt"] | undefined {
  const known = knownOffsets.get(zone);
  if (known !== undefined || !/^[A-Za-z]/.test(zone)) return known;
  let format: Intl.DateTimeFormat;
  try {
    const exact = { ...shown, minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, ...exact });
  } catch {
    return undefined;
  }
  const offsetAt: Clock["offsetAt"] = (instant) => {
    const whole = Math.floor(instant / 1_000) * 1_000;
    const parts = Object.fromEntries(format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  };
  knownOffsets.set(zone, offsetAt);
  return offsetAt;
}

/** Returns the times of an interval, counted from its anchor. */
export const interval = (everyMs: number, anchor: number): Times => ({
  next: (after) => anchor + Math.max(1, Math.floor((after - anchor) / everyMs) + 1) * everyMs,
});

/** Returns the last times from `from` to `until`, both included, oldest first, `most` at most. */
export function latestTimes(
  { next }: Times,
  { from, until, most }: { readonly from: number; readonly until: number; readonly most: number },
): readonly number[] {
  for (let span = 3_600_000; ; span *= 2) {
    const begin = Math.max(from, until - span);
    const times: number[] = [];
    for (let at = next(begin - 1); at <= until; at = next(at)) times.push(at);
    if (times.length >= most || begin === from) return times.slice(-most);
  }
}

/** Local time as `Mon 2026-11-30 09:30`. */
export function localText(at: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" }).format(at);
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);
  return `${day} ${time}`;
}

/** Yields a line for each day of the year after `now` on which a change of the clock moves, adds or drops times. */
export function* clockChanges(cron: string, zone: string, now: number): Generator<string> {
  const offset = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetAt = (at: number): string => offset.format(at).split(", ").at(-1) ?? "";
  const today = Math.floor(now / dayMs) * dayMs + dayMs / 2;
  for (let noon = today; noon < today + 366 * dayMs; noon += dayMs) {
    if (offsetAt(noon - dayMs) === offsetAt(noon)) continue;
    // The change is on the local day that ends or begins between both.
    for (const day of new Set([noon - dayMs, noon].map((at) => localText(at, zone).slice(4, 14)))) {
      const [usual, real] = [clocksOf(cron, "UTC", day), clocksOf(cron, zone, day)];
      if (usual.join() !== real.join()) yield `${day}: ${describeClocks(real)} instead of ${describeClocks(usual)}`;
    }
  }
}

/** Returns the clock times of a local day, such as `09:30`. */
function clocksOf(cron: string, zone: string, day: string): string[] {
  const times = readCron(cron, zone);
  if (!("next" in times)) return [];
  const from = Date.parse(day) - dayMs;
  const texts: string[] = [];
  for (let at = times.next(from - 1); at < from + 3 * dayMs; at = times.next(at))
    texts.push(localText(at, zone).slice(4));
  return texts.filter((text) => text.startsWith(day)).map((text) => text.slice(11));
}

const describeClocks = (clocks: readonly string[]): string =>
  clocks.length > 4 ? `${clocks.length} times` : clocks.join(", ") || "nothing";
