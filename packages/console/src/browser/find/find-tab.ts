import type { ListedMessage, MessageList } from "@crosszone/contracts";
import type { ApiQuery } from "@crosszone/contracts/operations";
import { isoTime, readSearch, visibleLine } from "@crosszone/service-kit/text";
import { h } from "preact";
import { ApiFault } from "../api.ts";
import { stateChip, timeMark } from "../frame.ts";
import { type List, openList, rowLink } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { personText, waitingText } from "../words.ts";
import { findForm, messageActs, openLife, pendingText } from "./life-view.ts";
import { messageLooks, messageTitle, whyUnanswered } from "./message-words.ts";

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

const hourMs = 3_600_000;

/** The periods of the list, and where each begins before now, Unix milliseconds. */
const periods: Readonly<Record<string, readonly [words: string, since: (now: number) => number]>> = {
  today: ["Today", (now) => new Date(now).setHours(0, 0, 0, 0)],
  hour: ["Last hour", (now) => now - hourMs],
  week: ["7 days", (now) => now - 168 * hourMs],
};

const optionsOf = (words: Readonly<Record<string, readonly [words: string, ...unknown[]]>>) =>
  Object.entries(words).map(([value, [text]]) => [value, text] as const);

const nothing: MessageList = { messages: [] };

/** A row, with the names of its page. */
type Found = ListedMessage & Pick<MessageList, "names">;

const pathOf = (reference: string): string => `/console/messages/${encodeURIComponent(reference)}`;

function messageList(place: Place): List<Found> {
  const text = place.query["find"] ?? "";
  let isFirst = text !== "";
  return {
    title: text === "" ? "Messages" : "Found",
    fields: [
      { name: "state", label: "State", options: [["", "All"], ...optionsOf(messageLooks)] },
      { name: "since", label: "Received", options: [["", "Any time"], ...optionsOf(periods)] },
    ],
    kept: ["find"],
    columns: [
      {
        head: "State",
        area: "state",
        cell: ({ message, standing = message.state }) =>
          stateChip(messageLooks[standing][1], messageLooks[standing][0]),
      },
      {
        head: "Asked",
        area: "name",
        cell: ({ message, pending_act, standing = message.state, task, waits_for, names }) => {
          const problem = pendingText(pending_act) ?? whyUnanswered(message, task);
          const look = messageLooks[standing][1] === "failed" ? "row-error" : "muted";
          return [
            rowLink(pathOf(message.reference), messageTitle({ ...message, standing }, task)),
            task?.title !== undefined && h("span", { class: "muted" }, visibleLine(task.agent)),
            problem !== undefined && h("span", { class: look }, visibleLine(problem)),
            waits_for && h("span", { class: "row-waits" }, waitingText({ waits_for, names })),
          ];
        },
      },
      { head: "Person", area: "end", cell: ({ message, names }) => personText(message.user_id, names) },
      { head: "Received", area: "when", cell: ({ message }, now) => timeMark(message.received_at, now) },
      { head: "Channel", area: "more", cell: ({ message, names }) => personText(message.channel, names) },
    ],
    read: async (filter) => {
      const found = await search(place, text, filter);
      if (typeof found === "string") place.go(found, "replaces");
      const { messages, names, next_cursor: next } = typeof found === "string" ? nothing : found;
      const [only, ...more] = messages;
      // A name alone is the beginning of a search.
      const isOne = only !== undefined && more.length === 0 && /\d/.test(text);
      if (isFirst && isOne) place.go(pathOf(only.message.reference), "replaces");
      // The next Enter opens the first row; j and k move.
      else if (isFirst) requestAnimationFrame(() => document.querySelector<HTMLElement>(".row-link")?.focus());
      isFirst = false;
      return { rows: messages.map((one) => ({ ...one, names })), next };
    },
    keyOf: ({ message }) => message.reference,
    bulk: messageActs,
    stateOf: ({ message, standing = message.state }) => messageLooks[standing][1],
    empty:
      text === ""
        ? "No messages yet. Write to Crosszone in Slack: the message appears here within seconds."
        : "Nothing was found. Messages are deleted 30 days after their end, or later if the zone keeps its tasks longer. People and channels are found by the names that Slack shows, or by their ids.",
    acts: () => findForm(place, text),
  };
}

/** Returns the messages that a text names, or the page of what it names. */
async function search(
  { api, signal }: Place,
  text: string,
  { cursor, limit = 50, since: period, state }: ApiQuery,
): Promise<MessageList | string> {
  const from = periods[String(period)]?.[1](api.now());
  const narrow = { state, since: from && isoTime(from), cursor, limit };
  const messages = (query: ApiQuery): Promise<MessageList> => api.call("listMessages", { ...narrow, ...query }, signal);
  if (text === "") return messages({});
  if (/^[CDG][A-Z0-9]{8,}$/.test(text)) return messages({ channel: text });
  const sought = readSearch(text, api.now());
  if ("unread" in sought) throw new ApiFault(sought.unread, { status: 400, kind: "unread" });
  if (sought.kind === "people") {
    const { person, since, until } = sought;
    const said = since === undefined || until === undefined ? {} : { since: isoTime(since), until: isoTime(until) };
    return messages({ person, ...said });
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
    const life = await api.call("getMessage", { reference: id }, signal).catch(orNone);
    if (life !== undefined) return pathOf(life.reference);
    const run = await api.call("getRun", { run_id: id, redact: true }, signal).catch(orNone);
    return run && `/console/runs/${encodeURIComponent(id)}`;
  }
}

function orNone(error: unknown): undefined {
  if (!(error instanceof ApiFault) || error.status !== 404) throw error;
}
