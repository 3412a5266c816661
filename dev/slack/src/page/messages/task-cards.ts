import { h } from "../frame/element.ts";
import { safeHref } from "../text/mrkdwn-reference.ts";
import { type TaskCard, taskMarks } from "../text/task-card.ts";

/** Draws a task of an agent: its status, title, details, output and sources. */
export function drawTask({ title, status, details, output, sources }: TaskCard): HTMLElement {
  return h(
    "div",
    { class: "task", "data-testid": "task", "data-status": status },
    h("span", { class: "task-mark", role: "img", "aria-label": status.replace("_", " ") }, taskMarks[status]),
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

function drawSource({ text, url }: TaskCard["sources"][number]): HTMLElement {
  const href = safeHref(url);
  const label = text || url;
  if (href === undefined) return h("li", {}, label);
  return h("li", {}, h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", title: href }, label));
}

/** Draws a plan with its tasks; a folded plan opens on click. */
export function drawPlan({
  title,
  tasks,
  isFolded,
}: {
  title: string;
  tasks: readonly TaskCard[];
  isFolded: boolean;
}): HTMLElement {
  const done = tasks.filter(({ status }) => status === "complete").length;
  return h(
    "details",
    { class: "plan", "data-testid": "plan", open: !isFolded },
    h("summary", {}, h("strong", {}, title), h("small", {}, `${done} of ${tasks.length} complete`)),
    ...tasks.map(drawTask),
  );
}
