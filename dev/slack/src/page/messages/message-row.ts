import type { Message } from "../../protocol/workspace.ts";
import { surfaceName } from "../controls/acting.ts";
import { drawAvatar, h, icon, reconcile } from "../frame/element.ts";
import { answerPart } from "../text/task-card.ts";
import { clockTime, fullTime } from "../text/labels.ts";
import { homeOf, type Reader } from "../text/names.ts";
import { drawBody } from "./message-body.ts";
import { drawActions, drawReactions } from "./message-actions.ts";
import { drawFiles, drawReplies } from "./message-extras.ts";
import type { Row } from "./rows.ts";

const nearEnd = 60;

/** Shows rows in a list that stays scrolled to its end, unless the reader has scrolled away. */
interface MessageList {
  /** `place` identifies the conversation or thread; a new one starts scrolled to its end. */
  show(rows: readonly Row[], reader: Reader, place: string): void;
}

/** Makes a message list in `scroller`, in its list element `list`. */
export function createMessageList(scroller: HTMLElement, list: HTMLElement, rowPlace: RowPlace): MessageList {
  let shown = "";
  return {
    show: (rows, reader, place) => {
      const follows = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd;
      const items = rows.map((row) => ({ key: row.key, row, reader: reader.user, place }));
      reconcile(list, items, ({ row }) =>
        row.kind === "day" ? drawDay(row.label) : drawMessage(row, reader, rowPlace),
      );
      if (follows || place !== shown) scroller.scrollTop = scroller.scrollHeight;
      shown = place;
    },
  };
}

function drawDay(label: string): HTMLElement {
  return h("li", { class: "day" }, h("span", {}, label));
}

/** The place of drawn messages. */
export interface RowPlace {
  /** The channel, or the thread pane. */
  readonly testId: "message" | "thread-message";
  /** Called with a message that the person wants to forward. */
  readonly forward: (message: Message) => void;
}

/** Draws one message with its author, time, marks, files and thread link. */
function drawMessage(row: Extract<Row, { kind: "message" }>, reader: Reader, place: RowPlace): HTMLElement {
  const { message, continued, replies } = row;
  const isBot = message.bot_id !== undefined;
  const isEphemeral = message.ephemeral_for !== undefined;
  const isTombstone = message.subtype === "tombstone";
  const surface = { user: reader.user, channel: message.channel, ts: message.ts };
  return h(
    "li",
    {
      class: ["message", continued && "continued", isEphemeral && "ephemeral", message.subtype]
        .filter(Boolean)
        .join(" "),
      "data-testid": place.testId,
      "data-ts": message.ts,
      "data-bot": String(isBot),
      "data-state": isBot ? answerPart(message).state : undefined,
      "data-stream": message.stream?.state,
    },
    h(
      "div",
      { class: "gutter" },
      isTombstone ? icon("trash") : continued ? drawTime(message) : drawAvatar(message, reader),
    ),
    h(
      "div",
      { class: "content", "data-surface": surfaceName(surface) },
      !continued && !isTombstone && drawAuthor(message, reader),
      isEphemeral && h("div", { class: "only-you" }, icon("eye"), "Only visible to you"),
      ...withEndMark(drawBody(message, reader, surface), message),
      ...drawFiles(message),
      drawReactions(message, reader),
      replies && drawReplies(message, replies, reader),
    ),
    !isEphemeral && drawActions(message, reader, { isReplyable: place.testId === "message", forward: place.forward }),
  );
}

const streamEnds = { stopped: "Stopped", expired: "This stream has expired." } as const;

/** Appends the message's final mark to its last paragraph, if it has one. */
function withEndMark(body: HTMLElement[], { edited, stream }: Message): HTMLElement[] {
  const last = body.at(-1) ?? h("div", { class: "text" });
  const isText = last.classList.contains("text");
  const tail = last.lastChild instanceof Element && last.lastChild.matches("p, ul, ol") ? last.lastChild : last;
  const end = tail.querySelector(":scope > li:last-child") ?? tail;
  if (edited) end.append(" ", h("span", { class: "edited", title: fullTime(edited.ts) }, "(edited)"));
  if (stream === undefined || stream.state === "completed") return body;
  if (stream.state !== "in_progress") return [...body, h("div", { class: "stream-end" }, streamEnds[stream.state])];
  const mark = h("span", { class: "growing", "aria-hidden": "true" });
  if (!isText) return [...body, mark];
  end.append(mark);
  return body.length > 0 ? body : [last];
}

function drawAuthor(message: Message, reader: Reader): HTMLElement {
  const name = reader.names.get(message.user) ?? message.app_name ?? message.user;
  const home = homeOf(reader.workspace, message.user);
  const isForeign = home !== homeOf(reader.workspace, reader.user);
  const badge = message.bot_id !== undefined && h("span", { class: "badge" }, "APP");
  const from = isForeign && h("span", { class: "badge", "data-testid": "organization" }, icon("shared"), home);
  return h("div", { class: "author" }, h("strong", {}, name), badge, from, drawTime(message));
}

function drawTime({ ts }: Message): HTMLElement {
  const datetime = new Date(Number(ts) * 1000).toISOString();
  return h("time", { datetime, title: fullTime(ts) }, clockTime(ts));
}
