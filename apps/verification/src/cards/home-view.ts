import type {
  AgentSummary,
  GetUsageResult,
  InputRequest,
  PersonTask,
  Schedule,
  TaskState,
  UsageBudget,
  UsageSum,
} from "@crosszone/contracts";
import type { Button, HomeView, KnownBlock } from "@slack/web-api";
import { callOf } from "../showing/agents-list.ts";
import { durationWords } from "../showing/markdown/compose-answer.ts";
import { channelMention, oneLine, plain, verbatimText } from "../showing/markdown/neutralise.ts";
import { timeMrkdwn } from "../slack/notation.ts";
import { authorText, decidersMrkdwn, inputControls } from "./input-card.ts";
import { argumentPieces, literalBlock, longestLabel } from "./input-modals.ts";
import { flatSchema, button } from "./presses.ts";
import { nextText, scheduleChanges } from "./schedules.ts";

/** Something of a list, and the URL of its message, if Slack returned one. */
export interface Linked<Item> {
  readonly item: Item;
  readonly link: string | undefined;
}

/** What a person's Home tab shows. A part is undefined while execution does not return it. */
export interface HomeParts {
  /** What became of the last press on it, mrkdwn. */
  readonly note?: string | undefined;
  /** The list that it shows alone, and the entry with which it begins: `agents 30`. */
  readonly page?: string | undefined;
  /** Open requests that the person can decide by name. */
  readonly inputs: readonly Linked<InputRequest>[] | undefined;
  /** Newest first. */
  readonly tasks: readonly Linked<PersonTask>[] | undefined;
  /** Open requests of the tasks. */
  readonly waitsFor: readonly InputRequest[];
  readonly agents: readonly AgentSummary[] | undefined;
  readonly schedules: readonly Schedule[] | undefined;
  readonly usage: GetUsageResult | undefined;
}

/** The lists of the tab, and the entries of one page, so that the view stays below Slack's 100 blocks and 250 KB, whatever agents say of themselves. */
const entriesOfPage = { inputs: 8, tasks: 8, agents: 30 };
type ListName = keyof typeof entriesOfPage;

/** Returns the entries of a list that the tab shows: those of the page, such as `agents 30`, or the first ones. */
export function pageOfEntries<Item>(list: ListName, items: readonly Item[] = [], page = ""): readonly Item[] {
  const from = startOf(list, page) ?? 0;
  return items.slice(from, from + entriesOfPage[list]);
}

/** Returns the entry with which a page of a list begins; undefined for another page. */
function startOf(list: ListName, page: string): number | undefined {
  const [name, from] = page.split(" ");
  return name === list ? Number(from) : undefined;
}

const longestName = 120;
const longestDescription = 160;
/** An example is shown whole, so that people know what they ask. Characters of it, and of the value of its button. */
const longestExample = 250;
const longestValue = 2_000;
const longestSection = 3_000;

const away = "_I can't show this right now. Please open this tab again in a minute._";

export const help = [
  "Write to me directly, or mention me in a channel. I answer in the thread.",
  "• `ask name: your question` asks the agent of that name, and `run name: your text` runs a workflow.",
  "• `agents` lists both; `/agents word` lists those that have the word.",
  "• `stop` stops what runs in the conversation, and `quiet` ends my answers to a thread.",
  "• `/usage` shows your language model usage and budgets.",
  "• `/agents schedule` makes me ask something for you at set times, and `/agents schedules` lists what you have set.",
].join("\n");

/** Returns a section of mrkdwn in which Slack makes no links and mentions by itself. */
const section = (text: string, accessory?: Button): KnownBlock => ({
  type: "section",
  text: { type: "mrkdwn", text: text.slice(0, longestSection), verbatim: true },
  accessory,
});
const titled = (title: string, blocks: readonly KnownBlock[]): KnownBlock[] => [
  { type: "header", text: plain(title, 150) },
  ...blocks,
];
const quoted = (text: string, longest: number): string => verbatimText(oneLine(text, longest));

/**
 * Returns a person's Home tab. `reference` identifies it, and `channel` is the direct message with the person, where presses ask. Texts of
 * agents are shown as they are: they make no links and no mentions.
 */
export function homeView(
  { correlation_id: id, channel }: { readonly correlation_id: string; readonly channel: string },
  { note, page = "", inputs, tasks, waitsFor, agents, schedules, usage }: HomeParts,
): HomeView {
  const asOf = ({ item }: Linked<PersonTask>) => waitsFor.filter(({ task_id }) => task_id === item.task_id);
  const byDefault = agents?.toSorted((one, other) => Number(other.default) - Number(one.default));
  const list = <Item>(
    name: ListName,
    items: readonly Item[] | undefined,
    how: ListParts<Item>,
  ): readonly KnownBlock[] =>
    page === "" || startOf(name, page) !== undefined
      ? titled(how.title, listed(name, items, { ...how, page, id }))
      : [];
  const blocks = [
    ...list("inputs", inputs, {
      title: "Waiting for you",
      none: "Nothing is waiting for you.",
      entry: (one) => inputEntry(one),
    }),
    ...list("tasks", tasks, {
      title: "Your questions of the last 24 hours",
      none: "None.",
      entry: (one) => [section(taskEntry(one, asOf(one)))],
    }),
    ...list("agents", byDefault, {
      title: "Agents and workflows",
      none: "No agents are available right now.",
      entry: (one, nth) => [agentEntry(one, id, nth)],
    }),
  ];
  const others = [
    ...titled("Your schedules", [schedulesEntry(schedules, id)]),
    ...titled("Your usage", [section(usage === undefined ? away : asMrkdwn(usageText(usage)))]),
    ...titled("Help", [section(help)]),
  ];
  return {
    type: "home",
    private_metadata: JSON.stringify({ channel, on_home: true }),
    blocks: [
      ...(note === undefined ? [] : [section(note), { type: "divider" } as const]),
      ...blocks,
      ...(page === "" ? others : [pageButtons([["Back", ""]], id)]),
    ],
  };
}

/** Returns the Home tab of a person whom the policy denies. */
export const deniedHome = (sentence: string): HomeView => ({ type: "home", blocks: [section(sentence)] });

/** Returns Markdown of our own, which has only bold text and lists, as mrkdwn. */
const asMrkdwn = (markdown: string): string => markdown.replaceAll("**", "*").replace(/^- /gm, "• ");

/** What a list of the tab says. */
interface ListParts<Item> {
  readonly title: string;
  readonly none: string;
  /** Returns the blocks of an entry. `nth` is its place in the list. */
  readonly entry: (item: Item, nth: number) => readonly KnownBlock[];
}

/** Returns the entries of a page, and the button for the next one. */
function listed<Item>(
  name: ListName,
  items: readonly Item[] | undefined,
  { none, entry, page, id }: ListParts<Item> & { readonly page: string; readonly id: string },
): readonly KnownBlock[] {
  if (items === undefined) return [section(away)];
  if (items.length === 0) return [section(none)];
  const from = startOf(name, page) ?? 0;
  const shown = pageOfEntries(name, items, page);
  const next = from + shown.length;
  const more = items.length - next;
  const buttons = more > 0 ? [pageButtons([[`Show ${more} more`, `${name} ${next}`]], id)] : [];
  return [...shown.flatMap((item, at) => entry(item, from + at)), ...buttons];
}

/** Returns buttons that show the tab with another page. */
const pageButtons = (pages: readonly (readonly [label: string, page: string])[], id: string): KnownBlock => ({
  type: "actions",
  elements: pages.map(([label, page]) => button(label, { verb: "page", id }, { value: page })),
});

const linked = (text: string, { link }: Linked<unknown>): string =>
  link === undefined ? text : `${text} · <${link}|open>`;

/** Pieces of arguments in an entry. All of them are in a modal. */
const mostPieces = 1;

/** Returns a request with the exact action that it asks for, and the buttons to decide it. */
function inputEntry(one: Linked<InputRequest>): readonly KnownBlock[] {
  const { title, agent, body, action, expires_at } = one.item;
  const about = body === undefined ? [] : [quoted(body, longestExample)];
  const runs =
    action === undefined ? [] : [`${quoted(action.agent, longestName)} runs ${quoted(action.tool, longestName)}`];
  const until = linked(`${quoted(agent, longestName)}, until ${timeMrkdwn(expires_at)}`, one);
  const pieces = action === undefined ? [] : argumentPieces(action).slice(0, mostPieces);
  return [
    section([`*${quoted(title, 150)}*`, until, ...about, ...runs].join("\n")),
    ...pieces.map(literalBlock),
    { type: "actions", elements: inputControls(one.item, mostPieces) },
  ];
}

const states: Readonly<Record<TaskState, string>> = {
  submitted: "Queued",
  working: "Working",
  input_required: "Waiting",
  success: "Answered",
  error: "Failed",
  canceled: "Stopped",
  timed_out: "Timed out",
};

function taskEntry(one: Linked<PersonTask>, requests: readonly InputRequest[]): string {
  const { agent, state, created_at } = one.item;
  const waiting = requests.map(
    (request) => `⏳ Waiting for ${decidersMrkdwn(request)}, until ${timeMrkdwn(request.expires_at)}`,
  );
  const shown = state === "input_required" && waiting.length > 0 ? waiting.slice(0, 3).join("\n") : states[state];
  return `${linked(`*${quoted(agent, longestName)}*, asked ${timeMrkdwn(created_at)}`, one)}\n${shown}`;
}

function agentEntry(agent: AgentSummary, id: string, nth: number): KnownBlock {
  const { name, description, default: isDefault, kind } = agent;
  const how = isDefault ? " (answers if you name no agent)" : kind === "workflow" ? " (workflow)" : "";
  const about = [`*${quoted(name, longestName)}*${how}`, quoted(description, longestDescription)].filter(Boolean);
  const example = exampleOf(agent);
  if (example === undefined) {
    const hasForm = kind === "workflow" && name.length <= longestName && flatSchema(agent.input_schema) !== undefined;
    const run = hasForm ? button("Run", { verb: "form", id }, { nth, value: name }) : undefined;
    return section([...about, `\`${quoted(callOf(agent), longestName)}: …\``].join("\n"), run);
  }
  const ask = button("Ask this", { verb: "example", id }, { nth, value: example.value });
  const accessibility_label = plain(`Ask this: ${example.text} (${name})`, longestLabel).text;
  return section([...about, `“${quoted(example.text, longestExample)}”`].join("\n"), { ...ask, accessibility_label });
}

/** Returns an agent's first example that fits, with the value of its button. A workflow takes other input. */
function exampleOf({
  name,
  kind,
  skills,
}: AgentSummary): { readonly text: string; readonly value: string } | undefined {
  if (kind === "workflow") return undefined;
  const examples = skills.flatMap((skill) => skill.examples).filter((text) => text.trim() !== "");
  return examples
    .map((text) => ({ text, value: JSON.stringify({ offered_by: name, text }) }))
    .find(({ text, value }) => text.length <= longestExample && value.length <= longestValue);
}

/** Returns how many schedules a person has, the next time, and the button for a new one. */
function schedulesEntry(schedules: readonly Schedule[] | undefined, id: string): KnownBlock {
  if (schedules === undefined) return section(away);
  const [next] = schedules.flatMap(({ next_at }) => next_at).toSorted();
  const count = schedules.length === 0 ? "None." : `${schedules.length}, listed by \`/agents schedules\`.`;
  const text = next === undefined ? count : `${count} The next one is due ${timeMrkdwn(next)}.`;
  return section(text, button("New schedule", { verb: "schedule", id }, {}));
}

/** Schedules of one list, so that a message stays below Slack's 50 blocks. */
const mostSchedules = 20;

/** Returns a person's schedules, each with what its owner can do with it. */
export function scheduleBlocks(schedules: readonly Schedule[], id: string): readonly KnownBlock[] {
  const entries = schedules.slice(0, mostSchedules).flatMap((schedule, at): KnownBlock[] => {
    const { name, settings, state, source, changed_by } = schedule;
    const { title = name, agent, channel, cron, zone, every_ms = 0 } = settings;
    const where = channel === undefined ? "your direct messages" : channelMention(channel);
    const when =
      cron === undefined ? `every ${durationWords(every_ms)}` : `\`${quoted(cron, 100)}\` ${quoted(zone ?? "", 64)}`;
    const by = changed_by === `person:${settings.owner.user_id}` ? "" : ` · last changed by ${authorText(changed_by)}`;
    const about = `*${quoted(title, 100)}* · ${quoted(agent, longestName)} in ${where} · ${when}${by}`;
    // One of the file can only be removed there.
    const changes = changesIn[state].filter((change) => source !== "file" || change !== "remove");
    const buttons = changes.map((change, nth) => {
      const value = `${change} ${name}`;
      return button(scheduleChanges[change][0], { verb: "change", id }, { nth: at * 10 + nth, value });
    });
    return [section(`${about}\n${nextText(schedule)}`), { type: "actions", elements: buttons }];
  });
  const left = schedules.slice(mostSchedules).map(({ name, settings }) => quoted(settings.title ?? name, 100));
  return left.length > 0 ? [...entries, section(`Without buttons here: ${left.join(", ")}.`)] : entries;
}

const changesIn = { active: ["pause", "fire", "remove"], paused: ["resume", "remove"] } as const;

const numbers = new Intl.NumberFormat("en-US");
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

const owners: Readonly<Record<UsageBudget["scope"], string>> = {
  person: "You",
  channel: "This channel",
  team: "Your team",
  agent: "The assistant",
};

/** Returns a person's usage of language models, and the budgets that apply to the person, as Markdown. */
export function usageText({ day: today, month, budgets }: GetUsageResult): string {
  const sums = [`- **Today:** ${sumText(today)}`, `- **This month:** ${sumText(month)}`];
  const limits = budgets.map((budget) => `- ${budgetText(budget)}`).join("\n");
  return [
    `Your language model usage (days and months are in UTC):\n${sums.join("\n")}`,
    limits === "" ? "No budget applies to you." : `Budgets that apply to you:\n${limits}`,
  ].join("\n\n");
}

function sumText(sum: UsageSum): string {
  const { calls, estimated_calls, input_tokens, output_tokens, cached_input_tokens } = sum;
  if (calls === 0) return "nothing";
  const cached = cached_input_tokens > 0 ? ` (${numbers.format(cached_input_tokens)} cached)` : "";
  const tokens = `${numbers.format(input_tokens)} input tokens${cached}, ${numbers.format(output_tokens)} output tokens`;
  const estimated = estimated_calls > 0 ? `, ${numbers.format(estimated_calls)} of the calls estimated` : "";
  return `${count(calls, "call")}, ${tokens}, ${costText(sum)}${estimated}`;
}

function costText({ calls, unpriced_calls, cost }: UsageSum): string {
  if (cost === null) return "cost unknown";
  const unknown =
    unpriced_calls > 0 && unpriced_calls < calls ? `, plus ${count(unpriced_calls, "call")} of unknown cost` : "";
  return `${dollars(cost)}${unknown}`;
}

function budgetText(budget: UsageBudget): string {
  const { scope, period, limit, used, resets_at } = budget;
  const head = `**${owners[scope]}, each ${period}:** ${amount(budget, limit)}`;
  const state =
    used === undefined
      ? ", shared with others"
      : `, ${Math.round((100 * used) / limit)}% used, ${amount(budget, Math.max(0, limit - used))} left`;
  return `${head}${state}. Resets on ${day.format(Date.parse(resets_at))} at 00:00 UTC.`;
}

function amount({ unit }: UsageBudget, value: number): string {
  return unit === "usd" ? dollars(value) : `${numbers.format(value)} tokens`;
}

/** Amounts below a cent have four digits, because many small calls add up. */
const dollars = (value: number): string => `$${value.toFixed(value > 0 && value < 0.01 ? 4 : 2)}`;

const count = (value: number, noun: string): string => `${numbers.format(value)} ${noun}${value === 1 ? "" : "s"}`;
