import { h, icon } from "../frame/element.ts";
import { channelHash, messagesIn, type PageState, type Store } from "../state/page-state.ts";
import { pastedTable } from "./pasted-table.ts";
import { type Attachment, type AttachmentTray, createAttachmentTray } from "./attachments.ts";
import type { Message } from "../../protocol/workspace.ts";
import { composeText, namesOf } from "../text/names.ts";
import { mrkdwnWords } from "../text/rich-text.ts";
import { controlApi } from "../state/live-updates.ts";
import type { PostedFile } from "../../protocol/control-api.ts";

/** A person's message, ready to send. */
export interface Draft {
  text: string;
  files: readonly Attachment[];
  /** True if the text starts with a slash, without a space before it, so that it is not posted. */
  isCommand?: boolean;
}

/** The place that a composer writes to. */
interface ComposeTarget {
  /** Identifies the conversation of a draft. */
  place: string;
  /** The field's label, e.g. `Message #general`. */
  label: string;
  /** The words of the message that the next one forwards. */
  forwarded: string | undefined;
}

export interface Composer {
  element: HTMLElement;
  /** Switches to a conversation or thread; the previous one keeps its draft. */
  show(target: ComposeTarget): void;
}

/**
 * Makes a message field: Enter sends, Shift+Enter starts a new line, the paper clip adds files. `testId` prefixes the
 * test hooks. If `send` throws, the draft is restored.
 */
export function createComposer(
  testId: string,
  { send, cancelForward }: { send: (draft: Draft) => Promise<void>; cancelForward: () => void },
): Composer {
  const drafts = new Map<string, Draft>();
  let place = "";
  let isForwarding = false;
  const cancel = { type: "button", "aria-label": "Do not forward the message", onclick: cancelForward };
  const words = h("span", { class: "forwarded-words" });
  const close = h("button", cancel, icon("close"));
  const forwarded = h("p", { class: "forwarded", "data-testid": "forwarded" }, "Forwards:", words, close);
  const area = h("textarea", { "data-testid": `${testId}composer`, rows: 1, autofocus: testId === "" });
  const problem = h("p", { class: "problem", role: "alert" });
  const button = drawSendButton(testId);

  const refresh = (): void => {
    button.disabled = area.value.trim() === "" && tray.files.length === 0 && !isForwarding;
  };
  const tray = createAttachmentTray(`${testId}attach`, (sentence) => {
    problem.textContent = sentence;
    refresh();
    area.focus();
  });
  const setDraft = (draft: Draft | undefined): void => {
    area.value = draft?.text ?? "";
    tray.files = draft?.files ?? [];
    refresh();
  };
  const submit = async (): Promise<void> => {
    if (button.disabled) return;
    const isCommand = /^\/(?!me\s)/.test(area.value) && tray.files.length === 0 && !isForwarding;
    const draft = { text: area.value.trim(), files: tray.files, isCommand };
    const sentFrom = place;
    setDraft(undefined);
    problem.textContent = "";
    await send(draft).catch((error: unknown) => {
      problem.textContent = `Not sent. ${error instanceof Error ? error.message : ""}`;
      if (place === sentFrom && area.value === "") setDraft(draft);
      else drafts.set(sentFrom, draft);
    });
  };

  area.addEventListener("input", refresh);
  area.addEventListener("paste", (event) => {
    const rows = event.clipboardData ? pastedTable(event.clipboardData) : undefined;
    if (!rows) return;
    event.preventDefault();
    tray.files = [...tray.files, { name: `Table, ${rows.length} × ${rows[0]?.length}`, rows }];
    refresh();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
  });
  return {
    element: drawForm({ area, button, problem, forwarded, tray }, () => void submit()),
    show: (target) => {
      area.placeholder = target.label;
      area.setAttribute("aria-label", target.label);
      isForwarding = target.forwarded !== undefined;
      forwarded.hidden = !isForwarding;
      words.textContent = target.forwarded ?? "";
      if (target.place !== place) {
        drafts.set(place, { text: area.value, files: tray.files });
        place = target.place;
        problem.textContent = "";
        setDraft(drafts.get(place));
      }
      refresh();
    },
  };
}

interface ComposerParts {
  readonly area: HTMLTextAreaElement;
  readonly button: HTMLButtonElement;
  readonly problem: HTMLElement;
  readonly forwarded: HTMLElement;
  readonly tray: AttachmentTray;
}

function drawForm({ area, button, problem, forwarded, tray }: ComposerParts, submit: () => void): HTMLElement {
  const onsubmit = (event: Event): void => {
    event.preventDefault();
    submit();
  };
  const bar = h("div", { class: "composer-bar" }, tray.clip, drawHint(), button);
  const box = h("div", { class: "composer-box" }, area, tray.chips, bar);
  return h("form", { class: "composer", onsubmit }, problem, forwarded, box);
}

const drawSendButton = (testId: string): HTMLButtonElement =>
  h("button", { class: "send", "data-testid": `${testId}send`, title: "Send", "aria-label": "Send" }, icon("send"));

function drawHint(): HTMLElement {
  const key = (name: string): HTMLElement => h("kbd", {}, name);
  return h("span", { class: "hint" }, key("Enter"), " sends, ", key("Shift"), "+", key("Enter"), ": new line");
}

/**
 * Sends the acting user's message, or runs its slash command, in the shown channel or its open thread. Rejects if the local Slack refuses
 * it.
 */
export async function sendMessage(store: Store<PageState>, draft: Draft, thread?: string): Promise<void> {
  const { place, user, workspace, forwarded } = store.state;
  if (place.view !== "messages") return;
  const to = { channel: place.channel, user, ...(thread === undefined ? {} : { thread_ts: thread }) };
  if (draft.isCommand) {
    await controlApi.runCommand({ ...to, text: draft.text });
    return;
  }
  const { files = [], tables = [] } = Object.groupBy(draft.files, (one) => ("rows" in one ? "tables" : "files"));
  const message = await controlApi.post({
    ...to,
    text: composeText(draft.text, workspace.users),
    ...(files.length > 0 && { files: files as PostedFile[] }),
    ...(tables.length > 0 && { tables: tables.map((one) => ("rows" in one ? one.rows : [])) }),
    ...(forwarded && { forward: { channel: forwarded.channel, ts: forwarded.ts } }),
  });
  const awaiting = { channel: message.channel, ts: message.ts };
  store.update((state) => ({ ...state, forwarded: undefined, ...(thread === undefined && { awaiting }) }));
}

/** Returns the functions that start and cancel the forwarding of a message with the next one, wherever the person writes it. */
export function forwarding(store: Store<PageState>): {
  forward: (message: Message) => void;
  cancelForward: () => void;
} {
  const set = (forwarded: Message | undefined): void => store.update((state) => ({ ...state, forwarded }));
  return { forward: set, cancelForward: () => set(undefined) };
}

/** Returns the author and the words of the message that the next one forwards. */
export function forwardedWords({ forwarded, workspace }: PageState): string | undefined {
  if (!forwarded) return undefined;
  const names = namesOf(workspace);
  const author = names.get(forwarded.user) ?? forwarded.app_name ?? forwarded.user;
  return `${author}: ${mrkdwnWords(forwarded.text, names) || "a message"}`;
}

/**
 * Opens the thread of a sent message as soon as the bot answers in it, and moves the focus there: the next words continue the thread. The answer can arrive before the request that sent the message
 * returns, so this checks the state rather than single events.
 */
export function openAnsweredThread(store: Store<PageState>): void {
  store.watch((state) => {
    const { awaiting, place } = state;
    if (!awaiting) return;
    const { channel, ts } = awaiting;
    if (!messagesIn(state, channel).some((one) => one.thread_ts === ts && one.bot_id !== undefined)) return;
    store.update((now) => ({ ...now, awaiting: undefined }));
    if (place.view !== "messages" || place.channel !== channel) return;
    const opened = channelHash(channel, ts);
    if (location.hash === opened) return focusReply();
    addEventListener("hashchange", focusReply, { once: true });
    location.hash = opened;
  });
}

/** Focuses the reply field, unless the person is writing or is elsewhere on the page. */
function focusReply(): void {
  const field = document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]');
  const isWaiting =
    document.activeElement === document.body || document.activeElement?.closest("form")?.contains(field);
  if (isWaiting && field?.value === "") document.querySelector<HTMLElement>('[data-testid="thread-composer"]')?.focus();
}
