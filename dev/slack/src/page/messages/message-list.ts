import { h } from "../frame/element.ts";
import { drawMessage, type RowPlace } from "./message-row.ts";
import type { Row } from "./message-view.ts";
import type { Reader } from "../state/reader.ts";
import { reconcile } from "../frame/reconcile.ts";

const nearEnd = 60;

/** Shows rows in a list that stays scrolled to its end, unless the reader has scrolled away. */
export interface MessageList {
  /** `place` identifies the conversation or thread; a new one starts scrolled to its end. */
  show(rows: readonly Row[], reader: Reader, place: string): void;
}

/** Makes a message list in `scroller`, in its list element `list`. */
export function createMessageList(scroller: HTMLElement, list: HTMLElement, rowPlace: RowPlace): MessageList {
  let shown = "";
  return {
    show: (rows, reader, place) => {
      const follows = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd;
      const items = rows.map((row) => ({ key: row.key, row, reader: reader.user, place }));
      reconcile(list, items, ({ row }) =>
        row.kind === "day" ? drawDay(row.label) : drawMessage(row, reader, rowPlace),
      );
      if (follows || place !== shown) scroller.scrollTop = scroller.scrollHeight;
      shown = place;
    },
  };
}

function drawDay(label: string): HTMLElement {
  return h("li", { class: "day" }, h("span", {}, label));
}
