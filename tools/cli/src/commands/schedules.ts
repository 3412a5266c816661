import { randomUUID } from "node:crypto";
import type { Fire, Schedule, ScheduleSettings } from "@crosszone/contracts";
import { readCron, type Times } from "@crosszone/service-kit/cron";
import { isoTime } from "@crosszone/service-kit/text";
import { signWebhook, webhookSecretProblem } from "@crosszone/service-kit/webhooks";
import { readYamlFile } from "@crosszone/service-kit/yaml";
import { type Command, defineCommand } from "../program/command.ts";
import {
  checkUrl,
  cursorNotice,
  cursorOptions,
  readDuration,
  readGiven,
  readHeaders,
  readNarrowed,
} from "../program/options.ts";
import { UsageError } from "../program/session.ts";
import { findNamed } from "../program/unknown-names.ts";
import { factsText, harmless, harmlessJson, harmlessLine, momentText, useOf } from "../text/terminal-text.ts";

const { limit, cursor, json } = cursorOptions;
const hookHead = "HOOK SIGNED STARTS OWNER TODAY LAST REFUSED".split(" ");
const head = ["SCHEDULE", "WHEN", "STATE", "OWNER", "ASKS", "USED TODAY", "NEXT", "LAST"];

const listSchedules: Command = defineCommand({
  name: "schedules list",
  summary: "Lists schedules with their next times.",
  options: {
    owner: { flags: "--owner <user>", help: "only of this Slack user" },
    limit,
    cursor,
    json,
  },
  examples: [
    ["crosszone schedules", "short form of the same"],
    ["crosszone schedules list --owner U024BE7LH", "the schedules of one person"],
  ],
  run: async ({ values: { owner, ...page } }, { api }) => {
    const list = await api().schedules.list({ ...readNarrowed(page), owner });
    const rows = list.schedules.map(({ name, settings, used, next_at: [next = ""], last_fire, ...is }) => [
      name,
      whenOf(settings),
      stateOf(is),
      settings.owner.user_id,
      settings.agent,
      useOf(used, settings.cap),
      next,
      last_fire === undefined ? "never" : endOf(last_fire),
    ]);
    const none = "No schedules. Create one: crosszone schedules add --help.";
    return { json: list, text: { head, rows, none }, notice: cursorNotice(list.next_cursor) };
  },
});

const showSchedule: Command = defineCommand({
  name: "schedules show",
  summary: "Shows a schedule: its settings, its next times and what it used today.",
  operands: ["<name>"],
  options: { json },
  examples: [["crosszone schedules show daily-report", "when it comes next, and why it is paused"]],
  run: async ({ operands: [name = ""] }, { api }) => shown(await api().schedules.get(name)),
});

const addSchedule: Command = defineCommand({
  name: "schedules add",
  summary: "Creates a schedule. It asks an agent or starts a workflow in the name of a Slack user.",
  operands: ["<name>"],
  options: {
    file: {
      flags: "--file <path>",
      help: "settings as YAML or JSON, as in SCHEDULES_FILE; options replace its members",
    },
    agent: { flags: "--agent <name>", help: "the agent or workflow to ask" },
    owner: { flags: "--owner <team/user>", help: "the Slack user as whom it acts, such as T024BE7LD/U024BE7LH" },
    cron: { flags: "--cron <fields>", help: "minute, hour, day of month, month, day of week" },
    zone: { flags: "--zone <zone>", help: "time zone of --cron, such as Europe/Berlin" },
    every: { flags: "--every <time>", help: "interval, such as 30m; instead of --cron" },
    text: { flags: "--text <text>", help: "the question" },
    channel: { flags: "--channel <id>", help: "Slack channel of the answer (default: the owner's direct messages)" },
    fires: { flags: "--fires <count>", help: "most fires a day" },
    tokens: { flags: "--tokens <count>", help: "most tokens of language models a day" },
    usd: { flags: "--usd <amount>", help: "most US dollars for language models a day" },
    replace: { flags: "--replace", help: "change the schedule of this name" },
    json,
  },
  examples: [
    [
      "crosszone schedules add daily --agent reporter --owner T1/U1 --cron '30 9 * * 1-5' --zone Europe/Berlin --text 'What changed?' --fires 1",
      "each weekday at half past nine",
    ],
    ["crosszone schedules add triage --file triage.yaml --replace", "change it by its file"],
  ],
  run: async ({ values, operands: [name = ""] }, { api }) => {
    const { file, replace, json: _, ...texts } = values;
    const given = file === undefined ? {} : await readSettings(file);
    const settings = { ...given, ...settingsOf(texts) } as ScheduleSettings;
    const { create, replace: change } = api().schedules;
    return shown(await (replace === true ? change : create)({ name, settings }));
  },
});

const acting = (act: "pause" | "resume", summary: string): Command =>
  defineCommand({
    name: `schedules ${act}`,
    summary,
    operands: ["<name>"],
    options: { json },
    examples: [[`crosszone schedules ${act} daily-report`, "by its name"]],
    run: async ({ operands: [name = ""] }, { api }) => shown(await api().schedules.act(name, act)),
  });

const pauseSchedule: Command = acting("pause", "Pauses a schedule. It fires no more until it is resumed.");
const resumeSchedule: Command = acting("resume", "Resumes a schedule from now on.");

const fireSchedule: Command = defineCommand({
  name: "schedules fire",
  summary: "Fires a schedule now, within its cap and by its overlap.",
  operands: ["<name>"],
  options: { json },
  examples: [["crosszone schedules fire daily-report", "try it"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const fire = await api().schedules.fire(name);
    const text = `${harmlessLine(`${endOf(fire)} ${fire.fire_id}`)}\n`;
    return { json: fire, text, isDone: fire.state !== "skipped" };
  },
});

const removeSchedule: Command = defineCommand({
  name: "schedules remove",
  summary: "Removes a schedule. What runs goes on.",
  operands: ["<name>"],
  examples: [["crosszone schedules remove daily-report", "by its name"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    await api().schedules.remove(name);
    return { text: `Removed: ${harmlessLine(name)}.\n` };
  },
});

const listFires: Command = defineCommand({
  name: "schedules fires",
  summary: "Lists what schedules and hooks started, latest first.",
  operands: ["[name]"],
  options: { limit, cursor, json },
  examples: [["crosszone schedules fires daily-report", "what became of its fires"]],
  run: async ({ values, operands: [name] }, { api, stdout }) => {
    const list = await api().schedules.fires({ ...readNarrowed(values), name });
    const rows = list.fires.map((fire) => [
      `${fire.source} ${fire.name}`,
      momentText(fire.scheduled_at, stdout),
      endOf(fire),
      fire.fire_id,
    ]);
    const text = { head: ["STARTED BY", "SCHEDULED", "STATE", "FIRE"], rows, none: "No fires." };
    return { json: list, text, notice: cursorNotice(list.next_cursor) };
  },
});

const previewSchedule: Command = defineCommand({
  name: "schedules preview",
  summary:
    "Prints the next times of a cron text, and the days of the next year on which a clock change moves them. Needs no zone.",
  operands: ["<fields>"],
  options: { zone: { flags: "--zone <zone>", help: "time zone (default: UTC)" }, json },
  examples: [["crosszone schedules preview '30 9 * * 1-5' --zone Europe/Berlin", "before you create it"]],
  run: ({ values: { zone = "UTC" }, operands: [cron = ""] }) => {
    const times = timesIn(cron, zone);
    const next: number[] = [];
    for (let at = times.next(Date.now()); next.length < 5 && at < Infinity; at = times.next(at)) next.push(at);
    const changes = [...changesOf(cron, zone)];
    const lines = next.map((at) => `${localText(at, zone)}   ${isoTime(at)}`);
    if (changes.length > 0) lines.push("", "When the clock changes:", ...changes);
    return Promise.resolve({
      json: { next_at: next.map(isoTime), clock_changes: changes },
      text: `${lines.join("\n")}\n`,
    });
  },
});

function timesIn(cron: string, zone: string): Times {
  const times = readCron(cron, zone);
  if ("next" in times) return times;
  const [option, problem] = times.zone === undefined ? ["<fields>", times.cron] : ["--zone", times.zone];
  throw new UsageError(`${option} ${harmlessLine(problem ?? "")}.`);
}

const dayMs = 86_400_000;

/** Local time as `Mon 2026-11-30 09:30`. */
function localText(at: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" }).format(at);
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);
  return `${day} ${time}`;
}

/** Yields a line for each day of the next year on which a change of the clock moves, adds or drops times. */
function* changesOf(cron: string, zone: string): Generator<string> {
  const offset = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetAt = (at: number): string => offset.format(at).split(", ").at(-1) ?? "";
  const today = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
  for (let noon = today; noon < today + 366 * dayMs; noon += dayMs) {
    if (offsetAt(noon - dayMs) === offsetAt(noon)) continue;
    // The change is on the local day that ends or begins between both.
    for (const day of new Set([noon - dayMs, noon].map((at) => localText(at, zone).slice(4, 14)))) {
      const [usual, real] = [clocksOf(cron, "UTC", day), clocksOf(cron, zone, day)];
      if (usual.join() !== real.join()) yield `${day}: ${describe(real)} instead of ${describe(usual)}`;
    }
  }
}

/** Returns the clock times of a local day, such as `09:30`. */
function clocksOf(cron: string, zone: string, day: string): string[] {
  const { next } = timesIn(cron, zone);
  const from = Date.parse(day) - dayMs;
  const texts: string[] = [];
  for (let at = next(from - 1); at < from + 3 * dayMs; at = next(at)) texts.push(localText(at, zone).slice(4));
  return texts.filter((text) => text.startsWith(day)).map((text) => text.slice(11));
}

const describe = (clocks: readonly string[]): string =>
  clocks.length > 4 ? `${clocks.length} times` : clocks.join(", ") || "nothing";

const whenOf = ({ cron, zone, every_ms: every }: ScheduleSettings): string =>
  every === undefined ? `${cron} ${zone}` : `every ${every / 60_000} min`;

const endOf = ({ state, outcome, reason = "" }: Fire): string => `${outcome ?? state} ${reason}`.trim();

const stateOf = (of: Pick<Schedule, "state" | "paused_reason">): string =>
  [of.state, of.paused_reason].filter(Boolean).join(": ");

function shown(schedule: Schedule) {
  const { name, settings, source, next_at, used, failures = 0, last_fire, changed_by } = schedule;
  const facts = {
    schedule: name,
    when: whenOf(settings),
    state: stateOf(schedule),
    approval: schedule.request_id,
    owner: `${settings.owner.team_id}/${settings.owner.user_id}`,
    next: next_at.join(", "),
    "used today": useOf(used, settings.cap),
    last: last_fire && endOf(last_fire),
    failures: failures > 0 ? String(failures) : undefined,
    source: `${source}, changed by ${changed_by}`,
    "written by": schedule.written_by,
    warning: schedule.warnings?.join(" "),
  };
  return { json: schedule, text: `${factsText(facts)}\n${harmlessJson(settings)}\n` };
}

async function readSettings(path: string): Promise<object> {
  const { value } = await readYamlFile(path, "file of a schedule", "schedule").catch((error: Error) => {
    throw new UsageError(error.message, { cause: error });
  });
  const { name: _, ...settings } = { ...(value as { readonly name?: unknown } | null) };
  return settings;
}

type Values = Partial<Record<string, string>>;

/** Returns the settings that options name; the zone checks them. */
function settingsOf({ owner, every, fires, tokens, usd, ...texts }: Values): object {
  const [, team_id, user_id] = /^([^/]+)\/([^/]+)$/.exec(owner ?? "") ?? [];
  if (owner !== undefined && user_id === undefined)
    throw new UsageError(`--owner must be TEAM/USER, such as T024BE7LD/U024BE7LH, got "${harmlessLine(owner)}".`);
  const caps = Object.entries({ fires, tokens, usd }).filter(([, most]) => most !== undefined);
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(owner !== undefined && { owner: { team_id, user_id } }),
    ...(every !== undefined && { every_ms: readDuration("--every", every) }),
    ...(caps.length > 0 && { cap: Object.fromEntries(caps.map(([unit, most]) => [unit, Number(most)])) }),
  };
}

const listHooks: Command = defineCommand({
  name: "hooks list",
  summary: "Lists the hooks, what they start, and their use today.",
  options: { json },
  examples: [["crosszone hooks", "what HOOKS_FILE has"]],
  run: async (_, { api }) => {
    const list = await api().hooks();
    const rows = list.hooks.map(({ name, sign, agent, event, owner, used, cap, last_fire, refused }) => [
      name,
      sign.kind,
      agent ?? `event ${event}`,
      owner.user_id,
      used === undefined ? "" : useOf(used, cap),
      last_fire === undefined ? "never" : `${last_fire.outcome ?? last_fire.state} ${last_fire.created_at}`,
      refused === undefined ? "" : refused.reasons.map(({ reason, count }) => `${reason} ${count}`).join(", "),
    ]);
    for (const { name, because } of list.left_out ?? []) rows.push([name, "", "", "", "", "not served", because]);
    return {
      json: list,
      text: { head: hookHead, rows, none: "No hooks. Name them in HOOKS_FILE of the execution zone." },
    };
  },
});

const sendHook: Command = defineCommand({
  name: "hooks send",
  summary: "Signs a body as its sender does, sends it to a hook, and prints the answer.",
  operands: ["<name>"],
  options: {
    file: { flags: "--file <path>", help: "the body, JSON" },
    secretEnv: { flags: "--secret-env <variable>", help: "the variable that has the secret" },
    header: { flags: "--header <text>", multiple: true, help: "another header, such as 'x-github-event: issues'" },
    url: { flags: "--url <url>", help: "where to send it (default: as the zone says)" },
  },
  examples: [
    [
      "crosszone hooks send ci --file issue.json --secret-env HOOK_SECRET --header 'x-github-event: issues'",
      "try a hook, with a header",
    ],
  ],
  run: async ({ values: { file, secretEnv, header, url }, operands: [name = ""] }, { api, env }) => {
    if (file === undefined || secretEnv === undefined) throw new UsageError("--file and --secret-env are required.");
    const { hooks } = await api().hooks();
    const hook = findNamed(hooks, name, { problem: `No hook is called "${harmlessLine(name)}".`, command: "hooks" });
    const secret = env[secretEnv] ?? "";
    const problem = webhookSecretProblem(hook.sign, secret);
    if (problem) throw new UsageError(`${secretEnv} must have the secret of the hook: it ${problem}.`);
    if (url !== undefined) checkUrl("--url", url);
    const body = await readGiven(file);
    const signed = signWebhook(hook.sign, secret, { body, id: randomUUID(), now: Date.now() });
    const headers = { "content-type": "application/json", ...signed, ...Object.fromEntries(readHeaders(header)) };
    const to = url ?? hook.url;
    // A redirect must not carry a token to another address.
    const request = { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(15_000) } as const;
    const response = await fetch(to, request).catch((error: unknown) => {
      throw new UsageError(
        `Cannot reach ${harmlessLine(to)}: ${String((error as Error).cause ?? error)}. Name another: --url.`,
      );
    });
    const text = `${harmless(await response.text()).trimEnd()}\n`;
    return { text, notice: `HTTP ${response.status} of ${harmlessLine(to)}\n`, isDone: response.ok };
  },
});

/** In the order of the help. */
export const scheduleCommands: readonly Command[] = [
  listSchedules,
  showSchedule,
  addSchedule,
  pauseSchedule,
  resumeSchedule,
  fireSchedule,
  removeSchedule,
  listFires,
  previewSchedule,
];

export const hookCommands: readonly Command[] = [listHooks, sendHook];
