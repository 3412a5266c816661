import type { Message, User } from "../../protocol/workspace.ts";
import { unescapeText } from "../../workspace/slack-text.ts";
import { h, icon } from "../frame/element.ts";
import { channelHash } from "../state/page-state.ts";
import { controlApi } from "../state/live-updates.ts";
import { emojiSign, reactionNames } from "../text/labels.ts";
import { composeText, type Reader } from "../text/names.ts";

/** Draws what a person can do with a message: reply to it, react, forward it, copy its link, and edit or delete an own one. */
export function drawActions(
  message: Message,
  reader: Reader,
  { isReplyable, forward }: { isReplyable: boolean; forward: (message: Message) => void },
): HTMLElement {
  const { channel, ts, user, thread_ts } = message;
  const name = reader.names.get(user) ?? message.app_name ?? user;
  const href = channelHash(channel, thread_ts ?? ts);
  const reply = { href, title: "Reply in thread", "aria-label": `Reply in a thread to ${name}` };
  const place = { channel, ts, user: reader.user };
  const actions: Record<string, [label: string, run: () => unknown]> = {
    forward: ["Forward message", () => forward(message)],
    link: ["Copy link", () => navigator.clipboard.writeText(linkTo(message))],
    ...(user === reader.user && {
      edit: ["Edit message", () => startEdit(select, message, reader)],
      delete: ["Delete message", () => controlApi.delete(place)],
    }),
  };
  const react = (reaction: string): Promise<unknown> => controlApi.react({ ...place, reaction });
  const run = async (): Promise<void> => {
    const { value } = select;
    select.value = "";
    try {
      await (actions[value] ? actions[value][1]() : react(value));
    } catch (error) {
      showProblem(select, error);
    }
  };
  const select: HTMLSelectElement = h(
    "select",
    { class: "more", "data-testid": "more-actions", "aria-label": `More actions on the message of ${name}` },
    h("option", { value: "" }, "⋯"),
    ...Object.entries(actions).map(([value, [label]]) => h("option", { value }, label)),
    ...reactionNames.map((value) => h("option", { value }, `React with ${emojiSign(value)}`)),
  );
  select.addEventListener("change", () => void run());
  const isTombstone = message.subtype === "tombstone";
  return h("div", { class: "actions" }, isReplyable && h("a", reply, icon("reply")), !isTombstone && select);
}

const linkTo = ({ channel, ts }: Message): string => `${location.origin}/archives/${channel}/p${ts.replace(".", "")}`;

function showProblem(inside: Element, error: unknown): void {
  const content = inside.closest(".message")?.querySelector(".content");
  content?.querySelector(":scope > .problem")?.remove();
  content?.append(h("p", { class: "problem", role: "alert" }, error instanceof Error ? error.message : "This failed."));
}

/** Replaces the content of an own message with a field. Enter saves, Escape cancels. */
function startEdit(inside: Element, message: Message, reader: Reader): void {
  const content = inside.closest(".message")?.querySelector(".content");
  if (!content) return;
  const { users } = reader.workspace;
  const before = [...content.childNodes];
  const rows = message.text.split("\n").length;
  const area = h("textarea", { "aria-label": "Edit message", "data-testid": "edit", class: "control", rows });
  const cancel = (): void => content.replaceChildren(...before);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const place = { channel: message.channel, ts: message.ts, user: reader.user };
    await controlApi
      .edit({ ...place, text: composeText(area.value.trim(), users) })
      .catch((error: unknown) => showProblem(area, error));
  };
  area.value = editableText(message.text, users);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void save(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  });
  const buttons = [
    h("button", { class: "control", type: "button", onclick: cancel }, "Cancel"),
    h("button", { class: "control primary" }, "Save"),
  ];
  const onsubmit = (event: Event): void => void save(event);
  content.replaceChildren(h("form", { class: "edit", onsubmit }, area, h("div", { class: "controls" }, ...buttons)));
  area.focus();
}

/** Returns a text as a person types it: the inverse of `composeText`. */
function editableText(text: string, users: readonly User[]): string {
  const typed = text.replaceAll(/<([^<>|]+)(?:\|([^<>]*))?>/g, (whole, target: string, label?: string) => {
    if (target.startsWith("@")) return `@${users.find(({ id }) => id === target.slice(1))?.name ?? target.slice(1)}`;
    if (/^!(channel|here|everyone)$/.test(target)) return `@${target.slice(1)}`;
    if (/^https?:/.test(target)) return label === undefined ? target : `[${label}](${target})`;
    return whole;
  });
  return unescapeText(typed);
}

/** Draws the reactions to a message. A press adds the person's own, or removes it. */
export function drawReactions({ channel, ts, reactions = [] }: Message, reader: Reader): HTMLElement | undefined {
  if (reactions.length === 0) return undefined;
  const buttons = reactions.map(({ name, users, count }) => {
    const onclick = (): void =>
      void controlApi.react({ channel, ts, user: reader.user, reaction: name }).catch(() => undefined);
    const names = users.map((user) => reader.names.get(user) ?? user).join(", ");
    const isOwn = String(users.includes(reader.user));
    const label = { title: `${names} reacted with :${name}:`, "aria-pressed": isOwn };
    return h(
      "button",
      { ...label, class: "control", type: "button", "data-testid": `reaction-${name}`, onclick },
      `${emojiSign(name)} ${count}`,
    );
  });
  return h("div", { class: "controls" }, ...buttons);
}
