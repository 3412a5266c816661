import type { User } from "../../protocol/workspace.ts";
import { drawAvatar, h } from "../frame/element.ts";
import type { PageState } from "../state/page-state.ts";
import { mentionCandidates, mentionName, mentionQuery, type Reader, readerOf } from "../text/names.ts";

/** The list of people that opens over a composer while a person types an `@word`. */
export interface MentionPopup {
  element: HTMLElement;
  /** Opens, narrows or closes the list for the current text. */
  refresh(state: PageState): void;
  /** Handles a key while the list is open; returns true if the list used the key. */
  handleKey(key: string): boolean;
  close(): void;
}

/** Makes a popup for a text area, which keeps the focus; `aria-activedescendant` names the selected entry. */
export function createMentionPopup(area: HTMLTextAreaElement, id: string): MentionPopup {
  const element = h("ul", { class: "mentions", role: "listbox", id, "aria-label": "People to mention", hidden: true });
  let candidates: User[] = [];
  let chosen = 0;

  const draw = (reader: Reader | undefined): void => {
    element.hidden = candidates.length === 0;
    if (reader)
      element.replaceChildren(...candidates.map((user, index) => drawOption(user, reader, () => pick(index))));
    for (const [index, option] of [...element.children].entries()) {
      option.id = `${id}-${index}`;
      option.setAttribute("aria-selected", String(index === chosen));
    }
    if (element.hidden) area.removeAttribute("aria-activedescendant");
    else area.setAttribute("aria-activedescendant", `${id}-${chosen}`);
  };
  const close = (): void => {
    candidates = [];
    draw(undefined);
  };
  const pick = (index: number): void => {
    const query = mentionQuery(area.value, area.selectionStart);
    const user = candidates[index];
    if (query && user) area.setRangeText(`@${mentionName(user)} `, query.start, area.selectionStart, "end");
    close();
    area.focus();
  };

  return {
    element,
    close,
    refresh: (state) => {
      const query = mentionQuery(area.value, area.selectionStart);
      const { users, app } = state.workspace;
      candidates = query ? mentionCandidates(query.word, users, app.bot_user_id) : [];
      chosen = 0;
      draw(readerOf(state.workspace, state.user));
    },
    handleKey: (key) => {
      const step = { ArrowDown: 1, ArrowUp: candidates.length - 1 }[key];
      if (candidates.length === 0 || (step === undefined && !["Enter", "Tab", "Escape"].includes(key))) return false;
      if (key === "Escape") close();
      else if (step === undefined) pick(chosen);
      else {
        chosen = (chosen + step) % candidates.length;
        draw(undefined);
      }
      return true;
    },
  };
}

function drawOption(user: User, reader: Reader, pick: () => void): HTMLElement {
  const keepFocus = (event: Event): void => {
    event.preventDefault();
    pick();
  };
  const name = h("span", {}, h("strong", {}, mentionName(user)), ` ${user.real_name}`);
  return h("li", { role: "option", onmousedown: keepFocus }, drawAvatar(user.id, reader), name);
}
