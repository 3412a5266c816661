import type { ListedMessage, MessageLife, MessageList, WorkflowRun } from "@crosszone/contracts";
import { isoTime, readSearch, visibleLine } from "@crosszone/service-kit/text";
import { h } from "preact";
import { ApiFault, type ApiQuery } from "../api.ts";
import { stateChip, timeMark } from "../frame.ts";
import { type List, openList, rowLink } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { findForm, messageActs, openLife, pendingText } from "./life-view.ts";
import { messageLooks, messageStanding, whyUnanswered } from "./message-words.ts";

/** Finds messages by anything that people have of them, and shows the life of one. `/console` lists the latest. */
export const findTab: Tab = {
  name: "Find",
  segments: ["", "messages"],
  scope: "runs:read",
  open: (place) => {
    const [, reference] = place.parts;
    if (reference === undefined) openList(place, messageList(place));
    else openLife(place, reference);
  },
};

const pathOf = (reference: string): string => `/console/messages/${encodeURIComponent(reference)}`;

function messageList(place: Place): List<ListedMessage> {
  const text = place.query["find"] ?? "";
  let isFirst = text !== "";
  return {
    title: text === "" ? "Messages" : "Found",
    fields: [
      {
        name: "state",
        label: "State",
        options: [["", "All"], ...Object.entries(messageLooks).map(([state, [words]]) => [state, words] as const)],
      },
    ],
    kept: ["find"],
    columns: [
      {
        head: "State",
        area: "state",
        cell: ({ message, task }) => {
          const [words, look] = messageStanding(message, task);
          return stateChip(look, words);
        },
      },
      {
        head: "Asked",
        area: "name",
        cell: ({ message, pending_act, task }) => {
          const problem = pendingText(pending_act) ?? whyUnanswered(message, task);
          return [
            rowLink(pathOf(message.reference), task === undefined ? "No task" : visibleLine(task.agent)),
            problem !== undefined && h("span", { class: "row-error" }, visibleLine(problem)),
          ];
        },
      },
      { head: "Person", area: "end", cell: ({ message }) => message.user_id },
      { head: "Received", area: "when", cell: ({ message }, now) => timeMark(message.received_at, now) },
      { head: "Channel", area: "more", cell: ({ message }) => message.channel },
    ],
    read: async (filter) => {
      const found = await search(place, text, filter);
      if (typeof found === "string") place.go(found, "replaces");
      const [only, ...more] = typeof found === "string" ? [] : found.messages;
      if (isFirst && only !== undefined && more.length === 0) place.go(pathOf(only.message.reference), "replaces");
      // The next Enter opens the first row; j and k move.
      else if (isFirst) requestAnimationFrame(() => document.querySelector<HTMLElement>(".row-link")?.focus());
      isFirst = false;
      return typeof found === "string" ? { rows: [] } : { rows: found.messages, next: found.next_cursor };
    },
    keyOf: ({ message }) => message.reference,
    bulk: messageActs,
    stateOf: ({ message, task }) => messageStanding(message, task)[1],
    empty:
      text === ""
        ? "No messages yet. Write to Crosszone in Slack: the message appears here within seconds."
        : "Nothing was found. Messages are deleted after TASK_RETENTION. A person is found by the name that Slack shows, or by user id.",
    acts: () => findForm(place, text),
  };
}

/** Returns the messages that a text names, or the page of what it names. */
async function search(
  { api, signal }: Place,
  text: string,
  { cursor, state }: ApiQuery,
): Promise<MessageList | string> {
  const messages = (query: ApiQuery): Promise<MessageList> =>
    api.get<MessageList>("/messages", { ...query, state, cursor, limit: 50 }, signal);
  if (text === "") return messages({});
  if (/^[CDG][A-Z0-9]{8,}$/.test(text)) return messages({ channel: text });
  const sought = readSearch(text, api.now());
  if ("unread" in sought) throw new ApiFault(sought.unread, { status: 400, kind: "unread" });
  if (sought.kind === "people") {
    const { person, since, until } = sought;
    return messages({ person, since: since && isoTime(since), until: until && isoTime(until) });
  }
  const found = await messages(
    sought.kind === "id" ? { reference: sought.id } : { channel: sought.channel, ts: sought.ts },
  );
  if (found.messages.length > 0) return found;
  if (sought.kind === "id") return (await pageOfId(sought.id)) ?? found;
  // The link of an answer names its thread.
  return sought.thread_ts === undefined ? found : messages({ channel: sought.channel, ts: sought.thread_ts });

  /** The page of a task, or of a run that no message started. */
  async function pageOfId(id: string): Promise<string | undefined> {
    const at = encodeURIComponent(id);
    const life = await api.get<MessageLife>(`/messages/${at}`, {}, signal).catch(orNone);
    if (life !== undefined) return pathOf(life.reference);
    const run = await api.get<WorkflowRun>(`/runs/${at}`, { redact: true }, signal).catch(orNone);
    return run && `/console/runs/${at}`;
  }
}

function orNone(error: unknown): undefined {
  if (!(error instanceof ApiFault) || error.status !== 404) throw error;
}
