import type { OpenView } from "../../protocol/workspace.ts";
import { deliver, drawWarning, isBusy, surfaceName } from "../controls/acting.ts";
import { byId, h, reconcile } from "../frame/element.ts";
import { drawContent } from "../messages/message-body.ts";
import { controlApi } from "../state/live-updates.ts";
import type { PageState, Store } from "../state/page-state.ts";
import { modalContents } from "../text/block-content.ts";
import { words } from "../text/block-element.ts";
import { type Reader, readerOf } from "../text/names.ts";

/** Mounts the modals of the acting user: the top one is open, and Escape closes it. */
export function mountModals(store: Store<PageState>): void {
  const dialog = byId<HTMLDialogElement>("modal");
  let opener: Element | null = null;
  const topOf = ({ views, user }: PageState): OpenView | undefined => views.get(user)?.at(-1);
  dialog.addEventListener("keydown", (event) => {
    const top = topOf(store.state);
    if (event.key !== "Escape" || !top) return;
    event.preventDefault();
    close(top);
  });
  store.watch((state) => {
    const top = topOf(state);
    const before = dialog.firstElementChild?.getAttribute("data-key");
    const items = top ? [{ key: top.id, view: top }] : [];
    reconcile(dialog, items, ({ view }) => drawModal(view, readerOf(state.workspace, state.user)));
    if (top && !dialog.open) {
      opener = document.activeElement;
      dialog.showModal();
    }
    if (top && before !== top.id) focusFirst(dialog);
    if (top || !dialog.open) return;
    dialog.close();
    focusAgain(opener);
  });
}

function focusFirst(dialog: HTMLElement): void {
  const [first] = dialog.querySelectorAll<HTMLElement>("[autofocus]");
  (first ?? dialog.querySelector<HTMLElement>(".control"))?.focus();
}

/** Returns the focus to what opened the modal, or to its new drawing. */
function focusAgain(opener: Element | null): void {
  if (document.activeElement !== document.body) return;
  const name = opener?.getAttribute("data-testid") ?? "composer";
  document.querySelector<HTMLElement>(`[data-testid="${CSS.escape(name)}"]`)?.focus();
}

const close = ({ id, user }: OpenView): void =>
  void deliver({ user, view_id: id }, () => controlApi.closeView({ user, view_id: id }));

/** Draws a modal. The browser checks its fields before a submission, and the app afterwards. */
function drawModal(view: OpenView, reader: Reader): HTMLElement {
  const { title, blocks, submit: submitText, close: closeText } = view.definition;
  const surface = { user: view.user, view_id: view.id };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (submitText === undefined || isBusy(surface)) return;
    showErrors(form, {});
    const result = await deliver(surface, () => controlApi.submitView(surface));
    if (result?.errors) showErrors(form, result.errors);
  };
  const cancel = { type: "button", class: "control", "data-testid": "modal-close", onclick: () => close(view) };
  const save = { class: "control primary", "data-testid": "modal-submit" };
  const form: HTMLFormElement = h(
    "form",
    { "data-testid": "modal", "data-surface": surfaceName(surface), onsubmit: (event) => void submit(event) },
    h("h2", { id: "modal-title" }, words(title)),
    h("div", { class: "modal-body" }, ...modalContents(blocks).map((one) => drawContent(one, reader, surface))),
    drawWarning(),
    h(
      "footer",
      {},
      h("button", cancel, words(closeText) || (submitText === undefined ? "Close" : "Cancel")),
      submitText !== undefined && h("button", save, words(submitText)),
    ),
  );
  return form;
}

/** Shows what the app rejects, by `block_id`, and moves the focus to the first of it. */
function showErrors(form: HTMLFormElement, errors: Readonly<Record<string, string>>): void {
  for (const input of form.querySelectorAll<HTMLElement>("[data-block]")) {
    const error = errors[input.dataset["block"] ?? ""] ?? "";
    input.querySelector(".input-error")?.replaceChildren(error);
    for (const control of input.querySelectorAll(".control"))
      control.setAttribute("aria-invalid", String(error !== ""));
  }
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
