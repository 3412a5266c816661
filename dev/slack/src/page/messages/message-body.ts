// oxlint-disable-next-line import/no-absolute-path -- the server serves the library there
import MarkdownItBrowser from "/assets/markdown-it.js";
import type { Message } from "../../protocol/workspace.ts";
import { drawWarning, type Surface } from "../controls/acting.ts";
import { drawControl, drawInput } from "../controls/draw-control.ts";
import { h, icon } from "../frame/element.ts";
import { type Content, hasControls } from "../text/content.ts";
import type { Reader } from "../text/names.ts";
import { createMarkdown } from "../text/markdown.ts";
import { messageContent } from "../text/message-content.ts";
import { safeHref } from "../text/rich-text.ts";
import { drawPlan, drawTask } from "./message-extras.ts";
import { drawMrkdwn, drawRichText } from "./message-text.ts";

const renderMarkdown = createMarkdown(MarkdownItBrowser);

/** Draws the content of a message. Only markdown-it's output is parsed as markup, and markdown-it is configured to escape HTML. */
export function drawBody(message: Message, reader: Reader, surface: Surface): HTMLElement[] {
  const contents = messageContent(message);
  const drawn = contents.map((content) => drawContent(content, reader, surface));
  return contents.some(hasControls) ? [...drawn, drawWarning()] : drawn;
}

/** Draws a piece of a message or a modal, whose elements act on the surface. */
export function drawContent(content: Content, reader: Reader, surface: Surface): HTMLElement {
  switch (content.kind) {
    case "markdown": {
      const body = h("div", { class: "text markdown" });
      body.innerHTML = renderMarkdown(content.text, reader.names);
      for (const table of body.querySelectorAll("table")) {
        const scroller = drawScroller();
        table.replaceWith(scroller);
        scroller.append(table);
      }
      return body;
    }
    case "table":
      return drawTable(content.rows, reader, surface);
    case "mrkdwn":
      return h("div", { class: "text" }, ...drawMrkdwn(content.text, reader));
    case "plain":
      return h("div", { class: "text plain" }, content.text);
    case "heading":
      return h("div", { class: "text heading" }, content.text);
    case "rich":
      return h("div", { class: "text" }, ...drawRichText(content.block, reader));
    case "divider":
      return h("hr");
    case "task":
      return drawTask(content.task);
    case "plan":
      return drawPlan(content);
    case "group":
      return drawGroup(content, reader, surface);
    case "image":
      return drawImage(content);
    case "controls": {
      const place = { surface, reader, block: content.block };
      return h("div", { class: "controls" }, ...content.elements.map((element) => drawControl(element, place)));
    }
    case "input":
      return drawInput(content, reader, surface);
    case "context":
    default: {
      const pieces = content.texts.map((text) => h("span", {}, ...drawMrkdwn(text, reader)));
      return h("div", { class: "text context" }, ...pieces);
    }
  }
}

/** Draws the frame of a table, which a person can scroll with the keyboard. */
const drawScroller = (): HTMLElement => h("div", { class: "table", tabindex: 0, role: "group", "aria-label": "Table" });

function drawTable(rows: readonly Content[][], reader: Reader, surface: Surface): HTMLElement {
  const [head, ...body] = rows.map((row, at) => {
    const cells = row.map((cell) => h(at === 0 ? "th" : "td", {}, drawContent(cell, reader, surface)));
    return h("tr", {}, ...cells);
  });
  const scroller = drawScroller();
  scroller.append(h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)));
  return h("div", { class: "text" }, scroller);
}

function drawGroup(
  { style, title, contents, color }: Extract<Content, { kind: "group" }>,
  reader: Reader,
  surface: Surface,
): HTMLElement {
  const drawn = contents.map((content) => drawContent(content, reader, surface));
  if (style === "container")
    return h("details", { class: "plan", open: true }, h("summary", {}, h("strong", {}, title)), ...drawn);
  if (style === "alert")
    return h("div", { class: "alert", role: "note", "aria-label": title || "info", "data-level": title }, ...drawn);
  const group = h("div", { class: `block-${style}` }, ...drawn);
  if (color !== undefined) group.style.borderLeftColor = color;
  return group;
}

/** The page loads nothing from elsewhere, so an image is a link with its description. */
function drawImage({ url, alt }: Extract<Content, { kind: "image" }>): HTMLElement {
  const href = safeHref(url);
  const link = { href, target: "_blank", rel: "noopener noreferrer nofollow" };
  return h("a", { class: "file", "data-testid": "image", ...link }, icon("image"), h("span", {}, `Image: ${alt}`));
}
