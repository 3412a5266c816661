import type { Fire, Schedule, ScheduleSettings } from "@crosszone/contracts";
import { clockChanges, localText, readCron, type Times } from "@crosszone/service-kit/cron";
import { isoTime, namedText } from "@crosszone/service-kit/text";
import { readYamlFile } from "@crosszone/service-kit/yaml";
import { onRefused } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { readDuration } from "../program/options.ts";
import { actRow, listRow } from "../program/row.ts";
import { UsageError } from "../program/session.ts";
import { factsText, harmlessJson, harmlessLine, momentText, useOf } from "../text/terminal-text.ts";

const listSchedules = listRow({
  name: "schedules list",
  operation: "listSchedules",
  summary: "Lists schedules with their next times.",
  examples: [
    ["crosszone schedules", "short form of the same"],
    ["crosszone schedules list --owner U024BE7LH", "the schedules of one person"],
  ],
  of: ({ schedules }) => schedules,
  columns: ({ name, settings, used, next_at: [next = ""], last_fire, ...is }, { list: { names } }) => ({
    SCHEDULE: name,
    WHEN: whenOf(settings),
    STATE: namedText(stateOf(is), names),
    OWNER: namedText(settings.owner.user_id, names),
    ASKS: settings.agent,
    "USED TODAY": useOf(used, settings.cap),
    NEXT: next,
    LAST: last_fire === undefined ? "never" : endOf(last_fire),
  }),
  none: "No schedules. Create one: crosszone schedules add --help.",
  names: { kind: "schedules", of: ({ name }) => name, refusal: "schedule-not-found" },
});

/** A row about one schedule, which shows it. */
const scheduleRow = (
  operation: "getSchedule" | "pauseSchedule" | "resumeSchedule",
  summary: string,
  example: string,
) => {
  const name = `schedules ${operation.replace("Schedule", "").replace("get", "show")}`;
  return actRow({ name, operation, summary, examples: [[`crosszone ${name} daily-report`, example]], show: shown });
};

const addSchedule: Command = defineCommand({
  name: "schedules add",
  summary: "Creates a schedule. It asks an agent or starts a workflow in the name of a Slack user.",
  operands: ["<name>"],
  options: {
    file: {
      flags: "--file <path>",
      help: "settings as YAML or JSON, as in the section schedules of EXECUTION_FILE; options replace its members",
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
    json: jsonOption,
  },
  examples: [
    [
      "crosszone schedules add daily --agent reporter --owner T1/U1 --cron '30 9 * * 1-5' --zone Europe/Berlin --text 'What changed?' --fires 1",
      "each weekday at half past nine",
    ],
    ["crosszone schedules add triage --file triage.yaml --replace", "change it by its file"],
  ],
  run: async ({ values, operands: [name = ""] }, { api: open }) => {
    const { file, replace, json: _, ...texts } = values;
    const ofFile = file === undefined ? {} : await readSettings(file);
    const { given, wrong } = settingsOf(texts);
    const settings = { ...ofFile, ...given };
    const api = open();
    const refused = onRefused("invalid-body", ({ message, problems }) => {
      const all = problems.map(({ pointer, message: why }) => {
        const path = pointer.replace(/^\/(settings\/)?/, "").split("/");
        const [member = ""] = path;
        if (Object.hasOwn(ofFile, member) && !Object.hasOwn(given, member)) return `${member} of ${file} ${why}`;
        return wrong[member] ?? inOptions(path, why);
      });
      throw new UsageError([message, ...new Set(all)].map(harmlessLine).join("\n  "));
    });
    const asked =
      replace === true
        ? api.callWith("changeSchedule", { name, body: settings })
        : api.callWith("createSchedule", { body: { name, settings } });
    const schedule = await asked.catch(refused);
    return { json: schedule, ...shown(schedule) };
  },
});

const fireSchedule = actRow({
  name: "schedules fire",
  operation: "fireSchedule",
  summary: "Fires a schedule now, within its cap and by its overlap.",
  examples: [["crosszone schedules fire daily-report", "try it"]],
  show: (fire) => ({
    text: `${harmlessLine(`${endOf(fire)} ${fire.fire_id}`)}\n`,
    isDone: fire.state !== "skipped",
  }),
});

const removeSchedule = actRow({
  name: "schedules remove",
  operation: "removeSchedule",
  summary: "Removes a schedule. What runs goes on.",
  examples: [["crosszone schedules remove daily-report", "by its name"]],
  show: (_, { operands: [name = ""] }) => `Removed: ${harmlessLine(name)}.\n`,
});

const listFires = listRow({
  name: "schedules fires",
  operation: "listFires",
  summary: "Lists what schedules and hooks started, latest first.",
  operands: { name: "[name]" },
  examples: [["crosszone schedules fires daily-report", "what became of its fires"]],
  of: ({ fires }) => fires,
  columns: (fire, { session: { stdout } }) => ({
    "STARTED BY": `${fire.source} ${fire.name}`,
    SCHEDULED: momentText(fire.scheduled_at, stdout),
    STATE: endOf(fire),
    FIRE: fire.fire_id,
  }),
  none: "No fires.",
});

const previewSchedule: Command = defineCommand({
  name: "schedules preview",
  summary:
    "Prints the next times of a cron text, and the days of the next year on which a clock change moves them. Needs no zone.",
  operands: ["<fields>"],
  options: { zone: { flags: "--zone <zone>", help: "time zone (default: UTC)" }, json: jsonOption },
  examples: [["crosszone schedules preview '30 9 * * 1-5' --zone Europe/Berlin", "before you create it"]],
  run: ({ values: { zone = "UTC" }, operands: [cron = ""] }) => {
    const times = timesIn(cron, zone);
    const next: number[] = [];
    for (let at = times.next(Date.now()); next.length < 5 && at < Infinity; at = times.next(at)) next.push(at);
    const changes = [...clockChanges(cron, zone, Date.now())];
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

const whenOf = ({ cron, zone, every_ms: every }: ScheduleSettings): string =>
  every === undefined ? `${cron} ${zone}` : `every ${every / 60_000} min`;

const endOf = ({ state, outcome, reason = "" }: Fire): string => `${outcome ?? state} ${reason}`.trim();

const stateOf = ({ state, paused_reason, warnings = [] }: Partial<Schedule>): string =>
  [state, paused_reason ?? warnings[0]].filter(Boolean).join(": ");

function shown(schedule: Schedule) {
  const { name, names, settings, source, next_at, used, failures = 0, last_fire, changed_by } = schedule;
  const { team_id, user_id } = settings.owner;
  const facts = {
    schedule: name,
    when: whenOf(settings),
    state: namedText(stateOf(schedule), names),
    approval: schedule.request_id,
    owner: [names?.[user_id], `${team_id}/${user_id}`].filter(Boolean).join(", "),
    channel: settings.channel && namedText(settings.channel, names),
    next: next_at.join(", "),
    "used today": useOf(used, settings.cap),
    last: last_fire && endOf(last_fire),
    failures: failures > 0 ? String(failures) : undefined,
    source: `${source}, changed by ${changed_by}`,
    "written by": schedule.written_by,
    warning: schedule.warnings?.join(" "),
  };
  return { text: `${factsText(facts)}\n${harmlessJson(settings)}\n` };
}

async function readSettings(path: string): Promise<object> {
  const { value } = await readYamlFile(path, "file of a schedule", "schedule").catch((error: Error) => {
    throw new UsageError(error.message, { cause: error });
  });
  const { name: _, ...settings } = { ...(value as { readonly name?: unknown } | null) };
  return settings;
}

const optionOf = { name: "<name>", every_ms: "--every", cap: "--fires, --tokens or --usd" } as Record<string, string>;

/** Returns a problem of the settings with the option that has their member, or that of the cap. */
function inOptions([member = "", unit]: readonly string[], message: string): string {
  const option = unit !== undefined && member === "cap" ? `--${unit}` : (optionOf[member] ?? `--${member}`);
  return `${option} ${message
    .replace(/(or|to) (?=cron|every)/, "$1 --")
    .replace("_ms", "")
    .replace("or input", "or input in --file")}`;
}

/** Returns the settings that options name, and what is wrong with their form by member. The zone refuses such a text, and names what else is wrong. */
function settingsOf({ owner, every, fires, tokens, usd, ...texts }: Partial<Record<string, string>>) {
  const wrong: Record<string, string> = {};
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(texts).filter(([, text]) => text !== undefined),
  );
  if (owner !== undefined) {
    const [, team_id, user_id] = /^([^/]+)\/([^/]+)$/.exec(owner) ?? [];
    given["owner"] = user_id === undefined ? owner : { team_id, user_id };
    if (user_id === undefined)
      wrong["owner"] = `--owner must be TEAM/USER, such as T024BE7LD/U024BE7LH, got "${owner}"`;
  }
  if (every !== undefined)
    try {
      given["every_ms"] = readDuration("--every", every);
    } catch (error) {
      given["every_ms"] = every;
      wrong["every_ms"] = (error as Error).message.replace(/\.$/, "");
    }
  const caps = Object.entries({ fires, tokens, usd }).filter(([, most]) => most !== undefined);
  if (caps.length > 0) given["cap"] = Object.fromEntries(caps.map(([unit, most]) => [unit, Number(most)]));
  return { given, wrong };
}

/** In the order of the help. */
export const scheduleCommands: readonly Command[] = [
  listSchedules,
  scheduleRow(
    "getSchedule",
    "Shows a schedule: its settings, its next times and what it used today.",
    "when it comes next, and why it is paused",
  ),
  addSchedule,
  scheduleRow("pauseSchedule", "Pauses a schedule. It fires no more until it is resumed.", "by its name"),
  scheduleRow("resumeSchedule", "Resumes a schedule from now on.", "by its name"),
  fireSchedule,
  removeSchedule,
  listFires,
  previewSchedule,
];
