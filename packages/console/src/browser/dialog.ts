import { type ComponentChildren, h, render } from "preact";
import { whyFailed } from "./frame.ts";

/** Shows a dialog until it closes. Resolves with the value that it was closed with; empty for Escape. */
export function openDialog(
  title: string,
  content: (close: (value?: string) => void) => ComponentChildren,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const close = (value?: string): void => dialog.close(value);
  render(
    [
      h("h2", { id: "dialog-title" }, title),
      content(close),
      h("button", { type: "button", class: "quiet close", "aria-label": "Close", onClick: () => close() }, "×"),
    ],
    dialog,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}

/** Whether the field of `typed`, if there is one, has its text. Otherwise says so. */
const isTyped = (): boolean => document.querySelector<HTMLInputElement>("#typed")?.reportValidity() ?? true;

/** A question before an act. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly look: "dangerous" | "primary";
  /** What the user must type first. */
  readonly typed?: string | undefined;
  /** The label of a field for a sentence, which the act receives. */
  readonly reason?: string | undefined;
}

/** Acts after the user confirms. Resolves with an error for the user; empty without one. The harmless answer has the focus. */
export async function confirmed(question: Confirmation, act: (reason: string) => Promise<unknown>): Promise<string> {
  const { look, no, text, title, typed, yes } = question;
  let reason = "";
  const answer = await openDialog(title, (close) => [
    h("p", null, text),
    question.reason !== undefined &&
      h(
        "label",
        { class: "reason" },
        question.reason,
        h("textarea", {
          rows: 2,
          maxLength: 500,
          onInput: ({ currentTarget }: Event) => {
            reason = (currentTarget as HTMLTextAreaElement).value.trim();
          },
        }),
      ),
    typed !== undefined &&
      h(
        "label",
        { class: "reason" },
        `Type ${typed} to confirm`,
        h("input", { id: "typed", required: true, pattern: typed, autocomplete: "off", inputMode: "numeric" }),
      ),
    h(
      "div",
      { class: "choices" },
      h("button", { type: "button", autofocus: true, onClick: () => close() }, no),
      h("button", { type: "button", class: look, onClick: () => isTyped() && close("yes") }, yes),
    ),
  ]);
  if (answer !== "yes") return "";
  return whyFailed(act(reason));
}

const keys: readonly (readonly [key: string, meaning: string])[] = [
  ["/", "Go to the search or the first filter"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open the row"],
  ["Esc", "Leave a field, close a panel"],
  ["?", "Show these keys"],
];

/** Moves through the page by single keys, unless the user types or answers a dialog. */
export function listenForKeys(): void {
  document.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, target } = event;
    if (altKey || ctrlKey || metaKey || document.querySelector("dialog[open]")) return;
    const field = (target as Element).closest<HTMLElement>("input, select, textarea");
    if (field !== null) {
      if (key === "Escape") field.blur();
      return;
    }
    if (key === "/") document.querySelector<HTMLElement>("[role=search] :is(input, select)")?.focus();
    else if (key === "j" || key === "k") moveBy(key === "j" ? 1 : -1);
    else if (key === "?") void openDialog("Keys", () => keyList);
    else return;
    event.preventDefault();
  });
}

function moveBy(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".row-link")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next]?.focus();
}

const keyList = h(
  "dl",
  { class: "keys" },
  ...keys.flatMap(([key, meaning]) => [h("dt", null, h("kbd", null, key)), h("dd", null, meaning)]),
);
