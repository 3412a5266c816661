import type { Message } from "../../protocol/workspace.ts";
import { drawAvatar, h, icon } from "../frame/element.ts";
import { channelHash } from "../state/page-state.ts";
import type { Content } from "../text/content.ts";
import { clockTime, dayLabel, fileSize } from "../text/labels.ts";
import { safeHref } from "../text/rich-text.ts";
import type { Reader } from "../text/names.ts";
import { type TaskCard, taskMarks } from "../text/task-card.ts";
import type { ReplySummary } from "./rows.ts";

/** Draws a task of an agent: its status, title, details, output and sources. */
export function drawTask({ title, status, details, output, sources }: TaskCard): HTMLElement {
  return h(
    "div",
    { class: "task", "data-testid": "task", "data-status": status },
    drawMark(status),
    h(
      "div",
      { class: "task-body" },
      h("div", { class: "task-title" }, title),
      details !== "" && h("div", { class: "task-details" }, details),
      output !== "" && h("div", { class: "task-output" }, output),
      sources.length > 0 && h("ul", { class: "task-sources" }, ...sources.map(drawSource)),
    ),
  );
}

function drawMark(status: TaskCard["status"]): HTMLElement {
  return h("span", { class: "task-mark", role: "img", "aria-label": status.replace("_", " ") }, taskMarks[status]);
}

function drawSource({ text, url }: TaskCard["sources"][number]): HTMLElement {
  const href = safeHref(url);
  const label = text || url;
  if (href === undefined) return h("li", {}, label);
  return h("li", {}, h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", title: href }, label));
}

/** Draws a plan with its tasks; a folded plan opens on click. */
export function drawPlan({ title, tasks, isFolded }: Extract<Content, { kind: "plan" }>): HTMLElement {
  const done = tasks.filter(({ status }) => status === "complete").length;
  const isOpen = tasks.some(({ status }) => status === "pending" || status === "in_progress");
  const ended = tasks.some(({ status }) => status === "error") ? "error" : "complete";
  const status = isOpen ? "in_progress" : ended;
  const count = `${done} of ${tasks.length} complete`;
  return h(
    "details",
    { class: "plan", "data-testid": "plan", "data-status": status, open: !isFolded },
    h("summary", {}, drawMark(status), h("strong", {}, title), done < tasks.length && h("small", {}, count)),
    ...tasks.map(drawTask),
  );
}

/** Draws the files of a message as cards with name, type and size. */
export function drawFiles(message: Message): HTMLElement[] {
  return (message.files ?? []).map((file) =>
    h(
      "a",
      {
        class: "file",
        "data-testid": "file",
        href: `/control/files/${encodeURIComponent(file.id)}`,
        download: file.name,
      },
      icon("file"),
      h("span", {}, h("strong", {}, file.name), h("small", {}, `${file.mimetype} · ${fileSize(file.size)}`)),
    ),
  );
}

/** Draws the line under a root message that opens its thread. */
export function drawReplies(message: Message, replies: ReplySummary, reader: Reader): HTMLElement {
  const day = dayLabel(replies.lastTs);
  return h(
    "a",
    { class: "replies", href: channelHash(message.channel, message.ts), "data-testid": "reply-count" },
    ...replies.authors.slice(0, 3).map((user) => drawAvatar({ user }, reader)),
    h("strong", {}, replies.count === 1 ? "1 reply" : `${replies.count} replies`),
    h(
      "small",
      {},
      `Last reply ${["Today", "Yesterday"].includes(day) ? day.toLowerCase() : day} at ${clockTime(replies.lastTs)}`,
    ),
  );
}
