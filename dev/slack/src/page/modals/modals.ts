import type { OpenView } from "../../protocol/workspace.ts";
import { deliver, drawWarning, isBusy, surfaceName } from "../controls/acting.ts";
import { byId, h, icon, reconcile } from "../frame/element.ts";
import { drawContent } from "../messages/message-body.ts";
import { controlApi } from "../state/live-updates.ts";
import type { PageState, Store } from "../state/page-state.ts";
import { modalContents } from "../text/block-content.ts";
import { words } from "../text/block-element.ts";
import { type Reader, readerOf } from "../text/names.ts";
import { ownErrors, showErrors } from "./input-errors.ts";

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
  const first =
    dialog.querySelector<HTMLElement>("[autofocus]") ?? dialog.querySelector(".modal-body .control, footer .primary");
  first?.focus();
}

/** Returns the focus to what opened the modal, or to its new drawing. */
function focusAgain(opener: Element | null): void {
  if (document.activeElement !== document.body) return;
  const name = opener?.getAttribute("data-testid");
  const again = name ? document.querySelector<HTMLElement>(`[data-testid="${CSS.escape(name)}"]`) : null;
  (again ?? document.querySelector<HTMLElement>('[data-testid="composer"]'))?.focus();
}

const close = ({ id, user }: OpenView): void =>
  void deliver({ user, view_id: id }, () => controlApi.closeView({ user, view_id: id }));

function drawModal(view: OpenView, reader: Reader): HTMLElement {
  const { id: view_id, user, definition, previous_view_id } = view;
  const { submit: submitText, close: closeText } = definition;
  const surface = { user, view_id };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (submitText === undefined || isBusy(surface)) return;
    const wrong = ownErrors(form);
    showErrors(form, wrong);
    if (Object.keys(wrong).length > 0) return;
    const result = await deliver(surface, () => controlApi.submitView(surface));
    if (result?.errors) showErrors(form, result.errors);
  };
  const dismiss = (): void => close(view);
  const closeLabel = previous_view_id === null ? "Close" : "Back to the modal below";
  const form: HTMLFormElement = h(
    "form",
    { "data-testid": "modal", "data-surface": surfaceName(surface), novalidate: true, onsubmit: (e) => void submit(e) },
    h(
      "header",
      {},
      h("h2", { id: "modal-title" }, words(definition["title"])),
      h("button", { type: "button", class: "icon-link", "aria-label": closeLabel, onclick: dismiss }, icon("close")),
    ),
    h(
      "div",
      { class: "modal-body" },
      ...modalContents(definition.blocks).map((content) => drawContent(content, reader, surface)),
    ),
    drawWarning(),
    h(
      "footer",
      {},
      h(
        "button",
        { type: "button", class: "control", "data-testid": "modal-close", onclick: dismiss },
        words(closeText) || "Cancel",
      ),
      submitText !== undefined &&
        h("button", { class: "control primary", "data-testid": "modal-submit" }, words(submitText)),
    ),
  );
  return form;
}
