import type { ListedMessage, MessageLife, MessageList, Names } from "@crosszone/contracts";
import { isoTime, readSearch, type Search, shortId } from "@crosszone/service-kit/text";
import type { ApiClient, GivenValues } from "../../api/api-client.ts";
import { onRefused } from "../../api/send.ts";
import { operationFacts } from "../../generated/operations.ts";
import { type Command, defineCommand, jsonOption } from "../../program/command.ts";
import { openInputs } from "../../program/follow-run.ts";
import { nextNotice } from "../../program/options.ts";
import { optionsOf, readParameters } from "../../program/parameter-options.ts";
import { exitCodes, type Session, UsageError, withStates } from "../../program/session.ts";
import { idOf, unknownReference } from "../../program/unknown-names.ts";
import { waitsText } from "../../text/input-text.ts";
import { taskText, wayText } from "../../text/life-text.ts";
import { harmlessJson, ownName, shortDuration } from "../../text/terminal-text.ts";

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
