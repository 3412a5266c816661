import { h } from "../frame/element.ts";
import { type Block, words } from "../text/block-element.ts";

/**
 * Asks the person what the app wants to have confirmed; resolves with the answer, and with true if there is nothing to ask. See
 * https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
 */
export async function confirmed(question: unknown): Promise<boolean> {
  if (question === undefined) return true;
  const { title, text, confirm, deny, style } = question as Block;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (value: string): (() => void) => {
    return () => dialog.close(value);
  };
  const dialog = h(
    "dialog",
    { class: "modal confirm", "aria-labelledby": "confirm-title", "data-testid": "confirm" },
    h("header", {}, h("h2", { id: "confirm-title" }, words(title) || "Are you sure?")),
    h("div", { class: "modal-body" }, h("p", { class: "text" }, words(text))),
    h(
      "footer",
      {},
      h("button", { type: "button", class: "control", onclick: answer("") }, words(deny) || "Cancel"),
      h(
        "button",
        { type: "button", class: `control ${style === "danger" ? "danger" : "primary"}`, onclick: answer("yes") },
        words(confirm) || "Yes",
      ),
    ),
  );
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
  document.body.append(dialog);
  dialog.showModal();
  return promise.finally(() => dialog.remove());
}
