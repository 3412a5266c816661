import type { DeleteMessage, RunShortcut } from "../../protocol/control-api.ts";
import type { Message, User } from "../../protocol/workspace.ts";
import { unescapeText } from "../../workspace/slack-text.ts";
import { h, icon } from "../frame/element.ts";
import { warningSentence } from "../controls/acting.ts";
import { channelHash } from "../state/page-state.ts";
import { controlApi } from "../state/live-updates.ts";
import { emojiSign, reactionNames } from "../text/labels.ts";
import { composeText, type Reader } from "../text/names.ts";

type Action = [label: string, run: () => unknown];

/** Draws what a person can do with a message: reply, react, forward, copy its link, use a shortcut, edit or delete an own one. */
export function drawActions(
  message: Message,
  reader: Reader,
  { isReplyable, forward }: { isReplyable: boolean; forward: (message: Message) => void },
): HTMLElement {
  const { channel, ts, user, thread_ts } = message;
  const { app } = reader.workspace;
  const shortcuts = (app.shortcuts ?? []).filter(({ type }) => type === "message");
  const name = reader.names.get(user) ?? message.app_name ?? user;
  const href = channelHash(channel, thread_ts ?? ts);
  const reply = { href, title: "Reply in thread", "aria-label": `Reply in a thread to ${name}` };
  const place = { channel, ts, user: reader.user };
  const actions: Record<string, Action> = {
    forward: ["Forward message", () => forward(message)],
    link: ["Copy link", () => navigator.clipboard.writeText(linkTo(message))],
    ...Object.fromEntries(
      shortcuts.map(({ name: label, callback_id }): [string, Action] => [
        `shortcut ${callback_id}`,
        [`${label} (${app.name})`, () => runShortcut({ ...place, callback_id })],
      ]),
    ),
    ...(user === reader.user && {
      edit: ["Edit message", () => startEdit(select, message, reader)],
      delete: ["Delete message", () => controlApi.delete(place)],
    }),
    react: ["React with another emoji…", () => startReaction(select, place)],
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

/** Uses a shortcut of the app. Throws what the person reads if the app did not take it. */
async function runShortcut(run: RunShortcut): Promise<void> {
  const { warning } = await controlApi.runShortcut(run);
  if (warning !== undefined) throw new Error(warningSentence(warning));
}

const linkTo = ({ channel, ts }: Message): string => `${location.origin}/archives/${channel}/p${ts.replace(".", "")}`;

function showProblem(inside: Element, error: unknown): void {
  const content = inside.closest(".message")?.querySelector(".content");
  content?.querySelector(":scope > .problem")?.remove();
  content?.append(h("p", { class: "problem", role: "alert" }, error instanceof Error ? error.message : "This failed."));
}

/** Replaces the content of an own message with a field. */
function startEdit(inside: Element, message: Message, reader: Reader): void {
  const { users } = reader.workspace;
  const rows = message.text.split("\n").length;
  const field = h("textarea", { "aria-label": "Edit message", "data-testid": "edit", class: "control", rows });
  field.value = editableText(message.text, users);
  const place = { channel: message.channel, ts: message.ts, user: reader.user };
  const send = () => controlApi.edit({ ...place, text: composeText(field.value.trim(), users) });
  startForm(inside, { field, label: "Save", send, keeps: false });
}

/** Adds a field for the name of an emoji to a message. */
function startReaction(inside: Element, place: DeleteMessage): void {
  const hint = "Emoji name, such as ticket";
  const field = h("input", { "aria-label": hint, placeholder: hint, "data-testid": "reaction", class: "control" });
  const send = () => controlApi.react({ ...place, reaction: field.value.trim().replaceAll(":", "") });
  startForm(inside, { field, label: "React", send, keeps: true });
}

/** Shows a form in a message, or with `keeps` below it, until the message changes. Enter sends, Escape cancels. */
function startForm(
  inside: Element,
  { field, label, send, keeps }: { field: HTMLElement; label: string; send: () => Promise<unknown>; keeps: boolean },
): void {
  const content = inside.closest(".message")?.querySelector(".content");
  if (!content) return;
  const before = [...content.childNodes];
  const cancel = (): void => content.replaceChildren(...before);
  const submit = (event: Event): void => {
    event.preventDefault();
    void send().catch((error: unknown) => showProblem(field, error));
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  });
  const buttons = [
    h("button", { class: "control", type: "button", onclick: cancel }, "Cancel"),
    h("button", { class: "control primary" }, label),
  ];
  const form = h("form", { class: "edit", onsubmit: submit }, field, h("div", { class: "controls" }, ...buttons));
  content.replaceChildren(...(keeps ? before : []), form);
  field.focus();
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
