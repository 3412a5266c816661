import { h } from "../element.ts";

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly isDangerous: boolean;
}

/** Asks the user to confirm. The harmless answer has the focus. */
export function confirmChange({ isDangerous, no, text, title, yes }: Question): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const keep = h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, no);
  const change = h("button", { type: "button", class: isDangerous ? "dangerous" : "primary" }, yes);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "question", "aria-describedby": "question-text" },
    h("h2", { id: "question" }, title),
    h("p", { id: "question-text" }, text),
    h("div", { class: "choices" }, keep, change),
  );
  change.addEventListener("click", () => dialog.close("yes"));
  dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes");
  });
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
