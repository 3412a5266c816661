import { type ComponentChildren, h, render } from "preact";

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
  return act(reason).then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
}
