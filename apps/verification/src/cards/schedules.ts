import type { Schedule, ScheduleChange } from "@crosszone/contracts";
import type { InputBlock } from "@slack/web-api";
import type { AnswerPress } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { literalText, oneLine, plain } from "../showing/markdown/neutralise.ts";
import { timeMrkdwn } from "../slack/notation.ts";
import type { ModalErrors } from "../slack/interaction.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { enteredText, inputBlock, modalErrors, type ModalParts, optionOf, textInput } from "./input-modals.ts";
import { type Acted, acted, type PressWork, rejected } from "./press-acts.ts";

/** Who opens a modal, and where. */
export interface ModalPlace {
  readonly link: ZoneLink;
  readonly workspace: WorkspaceContext;
  readonly user_id: string;
  readonly channel: string;
}

/** Time to read what a modal needs before Slack's trigger expires, milliseconds. */
export const formMs = 1_500;

/** Most options of a menu, and characters of an option's value. */
const [mostOptions, longestValue] = [100, 150];

/** Resolves with the menu of agents and workflows; undefined if there are none. Its block is `agent`. */
async function agentMenu({ link }: ModalPlace): Promise<InputBlock | undefined> {
  const { agents } = await link.call("list_agents", {}, { timeoutMs: formMs });
  const first = agents.toSorted((one, other) => Number(other.default) - Number(one.default));
  const options = first
    .filter(({ name }) => name.length <= longestValue)
    .slice(0, mostOptions)
    .map(({ name, kind }) => optionOf(kind === "workflow" ? `${oneLine(name, 60)} (workflow)` : name, name));
  const [initial_option] = options;
  return initial_option && inputBlock("agent", "Agent or workflow", { type: "static_select", options, initial_option });
}

/** Resolves with the modal that asks about a message; undefined if no agent can be asked. */
export async function aboutModal(place: ModalPlace): Promise<ModalParts | undefined> {
  const menu = await agentMenu(place);
  const about = "The agent gets the message as content of others, and answers in its thread.";
  const text = { ...textInput("Your question", 3_000), optional: true };
  return menu && { title: "Ask about this message", submit: "Ask", about, blocks: [menu, text] };
}

/** When schedules fire, by the value of the menu: its label, and the cron fields after minute and hour. */
const times = {
  weekday: ["Each weekday", "* * 1-5"],
  day: ["Each day", "* * *"],
  week: ["Each Monday", "* * 1"],
  hour: ["Each hour", ""],
} as const;

function cronOf(when: string | undefined, time = "09:00"): string {
  const [hour, minute] = time.split(":").map(Number);
  const [, days] = times[(when ?? "weekday") as keyof typeof times];
  return days === "" ? `${minute} * * * *` : `${minute} ${hour} ${days}`;
}

const field = (block: string, label: string, initial_value?: string): InputBlock =>
  inputBlock(block, label, { type: "plain_text_input", initial_value, max_length: 64 });
const number = (block: string, label: string, initial_value: string): InputBlock =>
  inputBlock(block, label, { type: "number_input", is_decimal_allowed: false, min_value: "1", initial_value });

/** Resolves with the modal that creates a schedule in the person's time zone; undefined if no agent can be asked. */
export async function scheduleModal(place: ModalPlace): Promise<ModalParts | undefined> {
  const { workspace, user_id, channel } = place;
  const looking = workspace.directory.user(user_id).catch(() => undefined);
  const [menu, person] = await Promise.all([agentMenu(place), looking]);
  if (menu === undefined) return undefined;
  const options = Object.entries(times).map(([value, [label]]) => optionOf(label, value));
  const initial_conversation = channel.startsWith("D") ? undefined : channel;
  const filter = { include: ["public" as const, "private" as const] };
  const where = inputBlock("channel", "Channel", { type: "conversations_select", initial_conversation, filter });
  const blocks: InputBlock[] = [
    field("name", "Name"),
    menu,
    textInput("What to ask", 3_000),
    inputBlock("when", "When", { type: "static_select", options, initial_option: options[0] }),
    inputBlock("time", "Time", { type: "timepicker", initial_time: "09:00" }),
    { ...field("cron", "Cron expression"), optional: true, hint: plain("Instead: five fields, as 30 9 * * 1-5", 150) },
    field("zone", "Time zone", person?.tz ?? "Etc/UTC"),
    { ...where, optional: true, hint: plain("Without one, I answer in your direct messages with me.", 150) },
    number("fires", "Most runs per UTC day", "24"),
    number("tokens", "Most tokens per UTC day", "200000"),
  ];
  return { title: "New schedule", submit: "Save", about: "I ask this in your name, at these times.", blocks };
}

/** The blocks of members that have another name there, and all blocks that show what is wrong. */
const blockOf: Readonly<Record<string, string>> = { title: "name", text: "answer" };
const blocksWithErrors = new Set("name agent answer cron zone channel fires tokens".split(" "));

/** Returns what is wrong with a submitted schedule, at its fields. */
export function scheduleErrors(done: Acted): ModalErrors {
  const errors = (done.problems ?? []).map(({ pointer, message }): readonly [block: string, text: string] => {
    const member = pointer.split("/").at(-1) ?? "";
    return [blockOf[member] ?? member, oneLine(`It ${message}.`, 150)];
  });
  const shown = errors.filter(([block]) => blocksWithErrors.has(block));
  return shown.length > 0 ? Object.fromEntries(shown) : modalErrors({ text: done.text });
}

/** Stores the schedule of a submitted modal. Rejects with the `ZoneError` that names what is wrong. */
export async function saveSchedule(work: PressWork, { values = {} }: AnswerPress): Promise<Acted> {
  const { link, signal, leased, workspace } = work;
  const { user_id, team_id, correlation_id: correlationId } = leased.record;
  const { name: title = "", agent = "", zone, channel, when, time, cron, fires, tokens } = values;
  const person = await workspace.directory.user(user_id);
  const settings = {
    title: title.trim(),
    owner: { team_id, user_id, name: person?.name },
    agent,
    text: enteredText(values),
    channel,
    cron: cron?.trim() || cronOf(when, time),
    zone: zone?.trim(),
    cap: { fires: Number(fires), tokens: Number(tokens) },
  };
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ["schedule", leased.record.request_id.slice(0, 8)];
  const name = words.join("-");
  // A crashed attempt may have stored it.
  const replaces = leased.attempt > 1;
  const { schedule } = await link.call("save_schedule", { name, settings, replaces }, { signal, correlationId });
  return acted(`Saved *${literalText(title)}*. ${nextText(schedule)} \`/agents schedules\` lists your schedules.`);
}

/** Returns when a schedule fires next, mrkdwn. */
export function nextText({ next_at, state, paused_reason }: Schedule): string {
  if (paused_reason?.startsWith("Waits for ") === true)
    return "Waits for you: allow or decline it in your direct messages with me.";
  if (state === "paused")
    return `Paused${paused_reason === undefined ? "" : `: ${literalText(oneLine(paused_reason, 200))}`}.`;
  return `Next: ${next_at.map(timeMrkdwn).join(", ")}.`;
}

/** What a person does with a schedule, by its change: the button, and what they read afterwards. */
export const scheduleChanges: Readonly<Record<ScheduleChange, readonly [label: string, done: string]>> = {
  pause: ["Pause", "Paused."],
  resume: ["Resume", "Resumed."],
  fire: ["Run now", "It runs now."],
  remove: ["Remove", "Removed."],
};

/** Changes a person's own schedule. The value of the button is the change and the name. */
export async function changeSchedule(work: PressWork, { value = "" }: AnswerPress): Promise<Acted> {
  const { link, signal, leased } = work;
  const { user_id, team_id, correlation_id: correlationId } = leased.record;
  const [change, name = ""] = value.split(" ") as [ScheduleChange, string?];
  // A crashed attempt may have started it.
  if (change === "fire" && leased.attempt > 1) return rejected("I was interrupted. If it does not run, press again.");
  const asked = { name, change, user_id, team_id };
  const { schedule, fire } = await link.call("change_schedule", asked, { signal, correlationId });
  if (fire?.state === "skipped") return rejected(`It does not run: ${literalText(oneLine(fire.reason ?? "", 200))}`);
  if (change === "resume" && schedule?.state === "paused") return acted(nextText(schedule));
  const next = change === "resume" && schedule !== undefined ? ` ${nextText(schedule)}` : "";
  return acted(`${scheduleChanges[change][1]}${next}`);
}
