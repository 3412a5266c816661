import { hash } from "node:crypto";
import type { ParamProblem, ScheduleSettings } from "@crosszone/contracts";
import { openedHere, type RecordCodec } from "@crosszone/service-kit";
import { interval, readCron, type Times } from "@crosszone/service-kit/cron";
import { canonicalJson } from "@crosszone/service-kit/json";
import { isProgram } from "../people/input-record.ts";
import type { ScheduleTable } from "../store/fire-tables.ts";

/** The context that a schedule's sealed settings are bound to. */
export const scheduleContext = (name: string): string => `schedule ${name}`;

/** Returns a schedule's settings; undefined when they were modified. Throws if their key is missing (`isKeyMissing`). */
export const openSettings = (
  codec: RecordCodec,
  { name, record }: { readonly name: string; readonly record: string },
) => openedHere(() => codec.fromColumn(record, scheduleContext(name))) as ScheduleSettings | undefined;

/** Longest JSON of an input, characters. */
const longestInput = 10_000;

/** Whether a rule is broken, the member, and what is wrong with it. */
type MemberRule = readonly [isBroken: boolean, pointer: string, message: string];

/** Returns the problems of the broken rules, in their order. */
export const brokenMembers = (rules: readonly MemberRule[]): ParamProblem[] =>
  rules.flatMap(([isBroken, pointer, message]) => (isBroken ? [{ pointer, message }] : []));

/** Returns what the schema of settings can't say is wrong with them. */
export function problemsOfSettings(settings: ScheduleSettings): ParamProblem[] {
  const { owner, cron, zone, every_ms: every, text, input, channel, thread_ts } = settings;
  const times = cron === undefined || zone === undefined ? {} : readCron(cron, zone);
  const { cron: wrongCron, zone: wrongZone } = "next" in times ? {} : times;
  return brokenMembers([
    [isProgram(owner.user_id), "/owner/user_id", "must be a Slack user"],
    [(cron === undefined) === (every === undefined), "/cron", "is needed, or every_ms, but not both"],
    [(cron === undefined) !== (zone === undefined), "/zone", "belongs to cron: give both or neither"],
    [(text === undefined) === (input === undefined), "/text", "is needed, or input, but not both"],
    [JSON.stringify(input ?? {}).length > longestInput, "/input", "has more than 10,000 characters"],
    [thread_ts !== undefined && channel === undefined, "/thread_ts", "needs the channel of its thread"],
    [wrongCron !== undefined, "/cron", wrongCron ?? ""],
    [wrongZone !== undefined, "/zone", wrongZone ?? ""],
  ]);
}

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
