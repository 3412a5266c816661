import { h } from "../frame/element.ts";
import { drawMessage, type RowPlace } from "./message-row.ts";
import type { Row } from "./message-view.ts";
import type { Reader } from "../state/reader.ts";
import { reconcile } from "../frame/reconcile.ts";

const nearEnd = 60;

/** Shows rows in a list that follows its end, unless the reader has scrolled away from it. */
export interface MessageList {
  /** `place` names the conversation or thread: another one starts at its end. */
  show(rows: readonly Row[], reader: Reader, place: string): void;
}

/** A message list in `scroller`, whose first list element it fills. */
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
