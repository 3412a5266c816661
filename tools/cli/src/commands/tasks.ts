import {
  type ErrorKind,
  isMessageStanding,
  isTaskState,
  type ListedMessage,
  type MessageLife,
  type Names,
  type TaskRecord,
} from "@crosszone/contracts";
import { isoTime, readSearch, type Search, shortId } from "@crosszone/service-kit/text";
import type { ApiClient } from "../api/api-client.ts";
import { onRefused } from "../api/send.ts";
import { QuestionError } from "../api/ask-agent.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import {
  cursorNotice,
  cursorOptions,
  listOptions,
  namesOf,
  openOption,
  pageNotice,
  readList,
  readState,
} from "../program/options.ts";
import { exitCodes, type Session, UsageError, withStates } from "../program/session.ts";
import { shortDuration, harmless, harmlessJson, harmlessLine, ownName } from "../text/terminal-text.ts";
import { waitsText } from "../text/input-text.ts";
import { taskText, wayText } from "../text/life-text.ts";
import { requesterOf, taskIdOf, unknownAgent, unknownReference } from "../program/unknown-names.ts";

const head = ["TASK", "AGENT", "STATE", "AGE", "REFERENCE"];

export const tasksListCommand: Command = defineCommand({
  name: "tasks list",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  options: {
    state: { flags: "--state <state>", help: `only tasks in this state: ${namesOf(isTaskState).join(", ")}` },
    agent: { flags: "--agent <agent>", help: "only tasks of this agent or workflow" },
    reference: { flags: "--reference <id>", help: "only tasks with this reference from Slack" },
    ...openOption,
    ...listOptions,
  },
  examples: [
    ["crosszone tasks list --state error", "the latest failed tasks, and why they failed"],
    ["crosszone tasks list --person Alice --since 10:30", "what a person asked this morning"],
    ["crosszone tasks list --agent counter --open", "the questions that wait for an agent, and whose they are"],
  ],
  run: async ({ values: { state, agent, reference, ...values } }, session) => {
    const list = await session.api().tasks.list({
      ...readList(values),
      state: values.waiting === true ? "input_required" : readState(state, isTaskState),
      agent: agent || undefined,
      correlation_id: reference || undefined,
    });
    const rows = list.tasks.map(rowOf);
    // Who waits is worth a request for each.
    const people = values.open === true || values.waiting === true ? await peopleOf(list.tasks, session) : undefined;
    const text = people
      ? { head: ["PERSON", ...head], rows: rows.map((row, at) => [people[at] ?? "", ...row]), none: "No tasks." }
      : { head, rows, none: "No tasks." };
    return { json: list, text, notice: pageNotice(list, list.tasks.length) };
  },
});

/** Returns who asked each task; empty for those whose requester is deleted or sealed. */
export const peopleOf = (tasks: readonly TaskRecord[], session: Session): Promise<readonly string[]> =>
  Promise.all(
    tasks.map(async (task) => {
      const requester = await requesterOf(task, session).catch(() => undefined);
      return requester?.name ?? requester?.id ?? "";
    }),
  );

/** Returns the cells of a task; the state of a failed one is the kind of its error. */
function rowOf({ task_id, agent, state, error, created_at, correlation_id }: TaskRecord): string[] {
  const stands = state === "error" ? (error?.kind ?? state) : state;
  return [shortId(task_id), agent, stands, shortDuration(Date.now() - Date.parse(created_at)), correlation_id];
}

const messageHead = ["AGE", "STATE", "PERSON", "CHANNEL", "ASKED", "AGENT", "WHY", "REFERENCE"];

export const findCommand: Command = defineCommand({
  name: "find",
  summary: "Finds messages, or shows the life of one in both zones: the beginning of its question, never its answer.",
  operands: ["[reference, link, or person or channel and time...]"],
  options: {
    state: { flags: "--state <state>", help: `only messages that stand so: ${namesOf(isMessageStanding).join(", ")}` },
    since: cursorOptions.since,
    until: cursorOptions.until,
    limit: cursorOptions.limit,
    cursor: cursorOptions.cursor,
    json: jsonOption,
  },
  examples: [
    ["crosszone find --state failed --since today", "what failed today, and why"],
    ["crosszone find Bob --state waiting", "what waits for Bob, or what Bob asked and waits for"],
    ["crosszone find --state missed", "what nobody answered after an outage"],
    ["crosszone find f8a53243", "by the reference that Slack shows, or its beginning, or the id of a task"],
    ["crosszone find https://acme.slack.com/archives/C0…/p17…", "by the link of the message"],
    ["crosszone find Alice 10:42", "what a person asked about then"],
  ],
  run: async ({ values: { json, state, ...values }, operands }, session) => {
    const { limit, cursor, since, until } = readList(values);
    const query = { limit, cursor, since, until, state: readState(state, isMessageStanding) };
    const isNarrowed = [state, since, until, cursor].some((given) => given !== undefined);
    const words = operands.join(" ");
    const search: ReturnType<typeof readSearch> =
      words === "" && isNarrowed ? { kind: "people" } : readSearch(words, Date.now());
    if ("unread" in search) throw new UsageError(search.unread);
    if (search.kind === "id") return showLife(await lifeOf(session, search.id), session, json === true);
    const list = await listOf(session.api().messages, search, query);
    const [found, second] = list.messages;
    if (found !== undefined && second === undefined && !isNarrowed)
      return showLife(await lifeOf(session, found.message.reference), session, json === true);
    const rows = list.messages.map((one) => messageRow(one, list.names));
    const text = { head: messageHead, rows, none: "No messages." };
    return { json: list, text, notice: cursorNotice(list.next_cursor) };
  },
});

/** Returns the messages of a search. The link of an answer finds the messages of its thread. */
async function listOf(
  { list }: ApiClient["messages"],
  search: Exclude<Search, { readonly kind: "id" }>,
  query: Parameters<ApiClient["messages"]["list"]>[0],
) {
  if (search.kind === "people") {
    const { person, since, until } = search;
    const said = since === undefined || until === undefined ? {} : { since: isoTime(since), until: isoTime(until) };
    return list({ ...query, person, ...said });
  }
  const { channel, ts, thread_ts } = search;
  const found = await list({ ...query, channel, ts });
  return found.messages.length > 0 || thread_ts === undefined ? found : list({ ...query, channel, ts: thread_ts });
}

function messageRow({ message, standing, task, waits_for }: ListedMessage, names: Names = {}): string[] {
  const { received_at, reason, rule, state, user_id, channel, reference } = message;
  const named = (id: string): string => names[id] ?? (id.startsWith("D") ? "direct message" : id);
  const age = shortDuration(Date.now() - Date.parse(received_at));
  const waits = waits_for && `waits for ${waits_for.map(named).join(", ")}`;
  const why = waits ?? reason ?? task?.error?.message ?? rule ?? "";
  const what = [task?.title ?? "", task?.agent ?? "", why];
  return [age, standing ?? state, named(user_id), named(channel), ...what, shortId(reference)];
}

async function lifeOf({ api }: Session, id: string): Promise<MessageLife> {
  const { messages, tasks, run } = api();
  return messages.life(id).catch(
    onRefused("message-not-found", async (refused) => {
      const whole = await taskIdOf(tasks, id);
      if (whole !== id) return messages.life(whole);
      const found = await run(id).catch(() => undefined);
      refused.message = found
        ? `No message started the run ${id}. Show it: ${ownName} runs show ${id}`
        : await unknownReference(tasks, id);
      throw refused;
    }),
  );
}

async function showLife(life: MessageLife, session: Session, isJson: boolean): Promise<typeof exitCodes.done> {
  const { stdout, stderr, env } = session;
  const texts = [wayText(life)];
  for (const { task } of isJson ? [] : life.tasks) {
    const { task_id, state } = task;
    texts.push(
      taskText(task) + waitsText(state === "input_required" ? await session.api().inputs.open({ task_id }) : []),
    );
  }
  stdout.write(isJson ? `${harmlessJson(life)}\n` : withStates(texts.join("\n"), stdout, env));
  if (!life.reported)
    stderr.write("Verification has not reported the message: it is new, came another way, or the zone link is down.\n");
  return exitCodes.done;
}

export const askCommand: Command = defineCommand({
  name: "ask",
  summary: "Asks an agent through the zone and prints its answer.",
  operands: ["<agent>", "<question>"],
  options: {
    context: { flags: "--context <id>", help: "any id you choose; the same id continues the conversation" },
    json: { ...jsonOption, help: "print the whole result as JSON" },
  },
  examples: [
    ['crosszone ask counter "How many words?"', "a single question"],
    ['crosszone ask counter "And now?" --context c1', "a question in a conversation"],
  ],
  run: async (
    { values: { context, json }, operands: [agent = "", text = ""] },
    { api, stdout, stderr, onInterrupt },
  ) => {
    if (context !== undefined && !/^[!-~]{1,128}$/.test(context))
      throw new UsageError("--context must be 1 to 128 printable ASCII characters without spaces.");
    const { askAgent, agents } = api();
    const left = new AbortController();
    const stopListening = onInterrupt(() => left.abort());
    try {
      const onProgress = (says: string): void => void stderr.write(`${harmlessLine(says)}\n`);
      const answer = await askAgent({ agent, text, contextId: context, onProgress, signal: left.signal });
      stdout.write(`${json ? harmlessJson(answer) : harmless(answer.response_text)}\n`);
      for (const { name, size } of json ? [] : (answer.files ?? []))
        stderr.write(`File: ${harmlessLine(name)} (${size} bytes)\n`);
      return exitCodes.done;
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
      const isUnknown = error.data.kind === "unknown_agent";
      stderr.write(isUnknown ? `${harmless(await unknownAgent(agents, agent))}\n` : questionProblem(error));
      return isUnknown || error.data.kind === "unauthorized" ? exitCodes.refused : exitCodes.failed;
    } finally {
      stopListening();
    }
  },
});

/** What happened and what to do, for each error kind of a question. */
const sentences: Partial<Record<ErrorKind, string>> = {
  agent_unavailable: `The agent can't be reached. Check that it runs, and its URL: ${ownName} agents show`,
  agent_misconfigured: `The agent's address, protocol or credentials can't be used. What is wrong: ${ownName} agents test`,
  agent_failed: "The agent failed.",
  agent_invalid_response: "The agent sent a response that Crosszone can't read.",
  agent_lost_task: "The agent has lost this task. Ask again.",
  agent_lost_answer:
    "The agent accepted this and ended without an answer. It may have acted: check before you ask again.",
  timeout: "The agent timed out. Slow agents should return a task at once and complete it later.",
  canceled: "Canceled.",
  rate_limited: "The agent or the zone is busy. Try again later.",
  zone_unavailable: "The zone can't work now.",
  unauthorized:
    "The zone needs CROSSZONE_LINK_TOKEN: its EXECUTION_TOKEN. `./crosszone` sets it for `./crosszone dev`.",
};

/** Returns the error text of a failed question: a sentence, the agent's own message, the owner's detail, and the reference for the logs. */
function questionProblem({ message, data }: QuestionError): string {
  const { kind, agent_says, owner_detail, correlation_id, problems = [] } = data;
  const why = kind === "zone_unavailable" ? problems.map((problem) => ` Cause: ${problem.message}.`).join("") : "";
  const lines = [harmlessLine(`${(kind && sentences[kind]) ?? message}${why}`)];
  if (agent_says !== undefined) lines.push(`The agent says: ${harmless(agent_says)}`);
  if (owner_detail !== undefined) lines.push(`Detail: ${harmless(owner_detail)}`);
  if (correlation_id !== undefined) lines.push(`Reference: ${harmlessLine(correlation_id)}`);
  return `${lines.join("\n")}\n`;
}
