import type { ErrorKind, ListedMessage, MessageLife, MessageList, Names, TaskRecord } from "@crosszone/contracts";
import { isoTime, readSearch, type Search, shortId } from "@crosszone/service-kit/text";
import type { ApiClient, GivenValues } from "../api/api-client.ts";
import { onRefused } from "../api/send.ts";
import { QuestionError } from "../api/ask-agent.ts";
import { operationFacts } from "../generated/operations.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { openInputs } from "../program/follow-run.ts";
import { nextNotice } from "../program/options.ts";
import { optionsOf, readParameters } from "../program/parameter-options.ts";
import { listRow } from "../program/row.ts";
import { exitCodes, type Session, UsageError, withStates } from "../program/session.ts";
import { shortDuration, harmless, harmlessJson, harmlessLine, ownName } from "../text/terminal-text.ts";
import { waitsText } from "../text/input-text.ts";
import { taskText, wayText } from "../text/life-text.ts";
import { idOf, requesterOf, unknownAgent, unknownReference } from "../program/unknown-names.ts";

export const listTasks = listRow({
  name: "tasks list",
  operation: "listTasks",
  summary: "Lists tasks, newest first. A task is the unit of work for one question.",
  options: { waiting: { flags: "--waiting", help: "only what waits for people" } },
  examples: [
    ["crosszone tasks list --state error", "the latest failed tasks, and why they failed"],
    ["crosszone tasks list --person Alice --since 10:30", "what a person asked this morning"],
    ["crosszone tasks list --agent counter --open", "the questions that wait for an agent, and whose they are"],
  ],
  ask: ({ values: { waiting } }) => (waiting === true ? { state: "input_required" } : {}),
  of: ({ tasks }) => tasks,
  columns: async (task, { asked, session }) => {
    // Who waits is worth a request for each.
    const isWaiting = asked["open"] === true || asked["state"] === "input_required";
    const [person] = isWaiting ? await peopleOf([task], session) : [];
    return {
      PERSON: person,
      TASK: shortId(task.task_id),
      AGENT: task.agent,
      STATE: task.state === "error" ? (task.error?.kind ?? task.state) : task.state,
      AGE: shortDuration(Date.now() - Date.parse(task.created_at)),
      REFERENCE: task.correlation_id,
    };
  },
  none: "No tasks.",
  names: { kind: "task", of: ({ task_id }) => task_id },
});

/** Returns who asked each task; empty for those whose requester is deleted or sealed. */
export const peopleOf = (tasks: readonly TaskRecord[], session: Session): Promise<readonly string[]> =>
  Promise.all(
    tasks.map(async (task) => {
      const requester = await requesterOf(task, session).catch(() => undefined);
      return requester?.name ?? requester?.id ?? "";
    }),
  );

const messageHead = ["AGE", "STATE", "PERSON", "CHANNEL", "ASKED", "AGENT", "WHY", "REFERENCE"];

/** What narrows a search; its words say the rest. */
const sought = operationFacts.listMessages.parameters.filter(({ name }) =>
  ["limit", "cursor", "since", "until", "state"].includes(name),
);

export const findCommand: Command = defineCommand({
  name: "find",
  summary: "Finds messages, or shows the life of one in both zones: the beginning of its question, never its answer.",
  operands: ["[reference, link, or person or channel and time...]"],
  options: { ...optionsOf(sought), json: jsonOption },
  examples: [
    ["crosszone find --state failed --since today", "what failed today, and why"],
    ["crosszone find Bob --state waiting", "what waits for Bob, or what Bob asked and waits for"],
    ["crosszone find --state missed", "what nobody answered after an outage"],
    ["crosszone find f8a53243", "by the reference that Slack shows, or its beginning, or the id of a task"],
    ["crosszone find https://acme.slack.com/archives/C0…/p17…", "by the link of the message"],
    ["crosszone find Alice 10:42", "what a person asked about then"],
  ],
  run: async ({ values: { json, ...values }, operands }, session) => {
    const query = await readParameters(sought, { command: "find", operands: new Map(), values }, session);
    const isNarrowed = Object.entries(values).some(([name, value]) => name !== "limit" && value !== undefined);
    const words = operands.join(" ");
    const search: ReturnType<typeof readSearch> =
      words === "" && isNarrowed ? { kind: "people" } : readSearch(words, Date.now());
    if ("unread" in search) throw new UsageError(search.unread);
    if (search.kind === "id") return showLife(await lifeOf(session, search.id), session, json === true);
    const list = await listOf(session.api(), search, query);
    const [one, second] = list.messages;
    if (one !== undefined && second === undefined && !isNarrowed)
      return showLife(await lifeOf(session, one.message.reference), session, json === true);
    const rows = list.messages.map((each) => messageRow(each, list.names));
    const text = { head: messageHead, rows, none: "No messages." };
    return { json: list, text, notice: nextNotice(list.next_cursor) };
  },
});

/** Returns the messages of a search. The link of an answer finds the messages of its thread. */
async function listOf(
  { callWith }: ApiClient,
  search: Exclude<Search, { readonly kind: "id" }>,
  query: GivenValues,
): Promise<MessageList> {
  const list = (more: object) => callWith("listMessages", { ...query, ...more });
  if (search.kind === "people") {
    const { person, since, until } = search;
    const said = since === undefined || until === undefined ? {} : { since: isoTime(since), until: isoTime(until) };
    return list({ person, ...said });
  }
  const { channel, ts, thread_ts } = search;
  const found = await list({ channel, ts });
  return found.messages.length > 0 || thread_ts === undefined ? found : list({ channel, ts: thread_ts });
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

async function lifeOf(session: Session, id: string): Promise<MessageLife> {
  const api = session.api();
  return api.call("getMessage", { reference: id }).catch(
    onRefused("message-not-found", async (refused) => {
      const whole = await idOf("task", id, session);
      if (whole !== id) return api.call("getMessage", { reference: whole });
      const found = await api.call("getRun", { run_id: id }).catch(() => undefined);
      const message = found
        ? `No message started the run ${id}. Show it: ${ownName} runs show ${id}`
        : await unknownReference(id, session);
      throw Object.assign(refused, { message });
    }),
  );
}

async function showLife(life: MessageLife, session: Session, isJson: boolean): Promise<typeof exitCodes.done> {
  const { stdout, stderr, env } = session;
  const texts = [wayText(life)];
  for (const { task } of isJson ? [] : life.tasks) {
    const { task_id, state } = task;
    texts.push(
      taskText(task) + waitsText(state === "input_required" ? await openInputs(session.api(), { task_id }) : []),
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
  run: async ({ values: { context, json }, operands: [agent = "", text = ""] }, session) => {
    const { api, stdout, stderr, onInterrupt } = session;
    if (context !== undefined && !/^[!-~]{1,128}$/.test(context))
      throw new UsageError("--context must be 1 to 128 printable ASCII characters without spaces.");
    const { askAgent } = api();
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
      stderr.write(isUnknown ? `${harmless(await unknownAgent(agent, session))}\n` : questionProblem(error));
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
