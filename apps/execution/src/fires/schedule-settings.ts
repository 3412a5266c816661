import { hash } from "node:crypto";
import {
  isNewSchedule,
  isScheduleSettings,
  isSchedulesSection,
  type NewSchedule,
  type ParamProblem,
  problemsOf,
  type ScheduleSettings,
  type SchedulesSection,
} from "@crosszone/contracts";
import { openedHere, type RecordCodec } from "@crosszone/service-kit";
import { interval, readCron, type Times } from "@crosszone/service-kit/cron";
import { canonicalJson, isObject, ownMember } from "@crosszone/service-kit/json";
import { brokenMembers, settingsRow } from "@crosszone/service-kit/settings";
import { isProgram } from "../people/input-record.ts";
import type { ScheduleTable } from "../store/tables.ts";

/** The context that a schedule's sealed settings are bound to. */
export const scheduleContext = (name: string): string => `schedule ${name}`;

/** Returns a schedule's settings; undefined when they were modified. Throws if their key is missing (`isKeyMissing`). */
export const openSettings = (
  codec: RecordCodec,
  { name, record }: { readonly name: string; readonly record: string },
) => openedHere(() => codec.fromColumn(record, scheduleContext(name))) as ScheduleSettings | undefined;

/** Longest JSON of an input, characters. */
const longestInput = 10_000;

/** Returns everything that is wrong with settings: by their schema, and what that can't say. */
export function problemsOfSettings(given: unknown): ParamProblem[] {
  const wrong = problemsOf(isScheduleSettings, given);
  if (!isObject(given)) return wrong;
  const broken = new Set(wrong.map(({ pointer }) => pointer.split("/")[1]));
  const has = (name: keyof ScheduleSettings): boolean => given[name] !== undefined;
  const readable = Object.fromEntries(Object.entries(given).filter(([name]) => !broken.has(name)));
  const { owner, cron, zone = "UTC", input = {} } = readable as Partial<ScheduleSettings>;
  const times = cron === undefined ? {} : readCron(cron, zone);
  const { cron: wrongCron, zone: wrongZone } = "next" in times ? {} : times;
  return [
    ...wrong,
    ...brokenMembers([
      [owner !== undefined && isProgram(owner.user_id), "/owner/user_id", "must be a Slack user"],
      [has("cron") === has("every_ms"), "/cron", "is needed, or every_ms, but not both"],
      [has("cron") !== has("zone"), "/zone", "belongs to cron: give both or neither"],
      [has("text") === has("input"), "/text", "is needed, or input, but not both"],
      [JSON.stringify(input).length > longestInput, "/input", "has more than 10,000 characters"],
      [has("thread_ts") && !has("channel"), "/thread_ts", "needs the channel of its thread"],
      [wrongCron !== undefined, "/cron", wrongCron ?? ""],
      [wrongZone !== undefined, "/zone", wrongZone ?? ""],
    ]),
  ];
}

/** The section of the settings: a schedule's name, and its settings in the same map. Undefined without the section. */
export const schedulesRow = settingsRow({
  schema: isSchedulesSection,
  check: (entries: SchedulesSection | undefined, { refuse }): readonly NewSchedule[] | undefined => {
    if (entries === undefined) return undefined;
    const listed = entries.map(({ name, ...settings }) => ({ name, settings }));
    for (const [at, { name, settings }] of listed.entries()) {
      if (listed.findIndex((one) => one.name === name) < at)
        refuse({ pointer: `/${at}/name`, message: "is also the name of another schedule" });
      refuse(...problemsOfSettings(settings).map((one) => ({ ...one, pointer: `/${at}${one.pointer}` })));
    }
    return listed;
  },
});

/** Returns everything that is wrong with a schedule to create. */
export function problemsOfNew(given: unknown): ParamProblem[] {
  const settings = ownMember(given, "settings");
  const all = problemsOf(isNewSchedule, given);
  if (!isObject(settings)) return all;
  const others = all.filter(({ pointer }) => !pointer.startsWith("/settings/"));
  return [...others, ...problemsOfSettings(settings).map(inRequest)];
}

/** Returns a problem of settings by its pointer into a request that has them as its member `settings`. */
export const inRequest = (of: ParamProblem): ParamProblem => ({ ...of, pointer: `/settings${of.pointer}` });

/** Returns the times of valid settings, without jitter. `anchor`: what an interval counts from, Unix milliseconds. */
export function timesOf({ cron, zone, every_ms: every }: ScheduleSettings, anchor: number): Times {
  if (every !== undefined) return interval(every, anchor);
  const times = readCron(cron ?? "", zone ?? "");
  // A newer version may know zones that this one doesn't.
  return "next" in times ? times : { next: () => Infinity };
}

const usualJitterMs = 30_000;

/** Returns how much later a schedule fires, milliseconds: the same for one name in every process. */
export function jitterOf(name: string, { jitter_ms: most = usualJitterMs }: ScheduleSettings): number {
  return Number.parseInt(hash("sha256", name).slice(0, 8), 16) % (most + 1);
}

/** Whether two settings have the same times. */
export const haveSameTimes = (a: ScheduleSettings, b: ScheduleSettings): boolean =>
  a.cron === b.cron && a.zone === b.zone && a.every_ms === b.every_ms && a.jitter_ms === b.jitter_ms;

/** Returns what an owner allows: all settings but those that change neither what is asked nor when, and a name that others wrote. */
export function allowanceOf(settings: ScheduleSettings): object {
  const { team_id, user_id } = settings.owner;
  const allowed = { ...settings, owner: { team_id, user_id }, jitter_ms: undefined, pause_after: undefined };
  return JSON.parse(JSON.stringify(allowed)) as object;
}

/** Returns the digest of what an owner allows. */
export const allowanceDigest = (settings: ScheduleSettings): string =>
  hash("sha256", canonicalJson(allowanceOf(settings)));

/** Whether an owner has allowed these settings. What an older build stored goes on. */
export const isAllowed = ({ allowed }: Pick<ScheduleTable, "allowed">, settings: ScheduleSettings): boolean =>
  allowed === null || allowed === allowanceDigest(settings);
