import type { BulkActionKind } from "@crosszone/contracts";
import type { ApiQuery } from "@crosszone/contracts/operations";
import { type ComponentChild, h } from "preact";
import { confirmed } from "./dialog.ts";
import type { Place } from "./navigation.ts";
import { may } from "./session.ts";

/** What can be done with many rows of a list at once. */
export interface BulkChoice {
  readonly action: BulkActionKind;
  /** The button: `Cancel`. */
  readonly words: string;
  /** What happens then. */
  readonly effect: string;
  readonly look: "dangerous" | "primary";
}

/** The most rows of one bulk action. */
const mostRows = 5_000;

/** Above this number, the user types it before anything happens. */
const mostUntyped = 10;

interface Selectable<Row> {
  readonly bulk?: readonly BulkChoice[];
  readonly keyOf: (row: Row) => string;
  readonly read: (query: ApiQuery) => Promise<{ readonly rows: readonly Row[]; readonly next?: string | undefined }>;
}

/** The rows of a list that the user selected. `changed` draws the list again. */
export function createSelection<Row>({ api, session }: Place, list: Selectable<Row>, changed: () => void) {
  const { bulk = [] } = list;
  const selected = new Set<string>();
  let said = "";

  function choose(keys: readonly string[], isChosen: boolean): void {
    for (const key of keys)
      if (!isChosen) selected.delete(key);
      else if (selected.size < mostRows) selected.add(key);
    said = selected.size === mostRows ? `One bulk action takes at most ${mostRows.toLocaleString()}.` : "";
    changed();
  }

  /** Selects the rows of all pages that the filter matches. */
  async function chooseAll(filter: ApiQuery): Promise<void> {
    let next: string | undefined = "";
    while (next !== undefined && selected.size < mostRows) {
      const page: Awaited<ReturnType<typeof list.read>> = await list.read({ ...filter, cursor: next, limit: 200 });
      choose(page.rows.map(list.keyOf), true);
      next = page.next;
    }
  }

  async function act({ action, effect, look, words }: BulkChoice): Promise<void> {
    const ids = [...selected];
    const count = ids.length.toLocaleString();
    said = await confirmed(
      {
        title: `${words} ${count}?`,
        text: effect,
        yes: `${words} ${count}`,
        no: "Go back",
        look,
        typed: ids.length > mostUntyped ? String(ids.length) : undefined,
      },
      async () => {
        const { bulk_action_id } = await api.call("startBulkAction", { body: { action, ids } });
        location.assign(bulkPath(bulk_action_id));
      },
    );
    changed();
  }

  const box = (label: string, keys: readonly string[]): ComponentChild =>
    h("input", {
      type: "checkbox",
      "aria-label": label,
      checked: keys.length > 0 && keys.every((key) => selected.has(key)),
      onChange: ({ currentTarget }: Event) => choose(keys, (currentTarget as HTMLInputElement).checked),
    });

  return {
    isEmpty: (): boolean => selected.size === 0,
    /** Whether the user may act on rows. */
    isAllowed: bulk.length > 0 && may(session, "runs:act"),
    boxOf: (row: Row): ComponentChild => box(`Select ${list.keyOf(row)}`, [list.keyOf(row)]),
    boxOfAll: (rows: readonly Row[]): ComponentChild => box("Select all on this page", rows.map(list.keyOf)),
    /** What can be done with the selected rows. */
    bar: (filter: ApiQuery, hasMore: boolean): ComponentChild =>
      h(
        "div",
        { class: "selection", role: "group", "aria-label": "Selected rows" },
        h("strong", { role: "status" }, `${selected.size.toLocaleString()} selected`),
        hasMore && h("button", { type: "button", onClick: () => void chooseAll(filter) }, "Select all that match"),
        bulk.map((choice) =>
          h("button", { type: "button", class: choice.look, onClick: () => void act(choice) }, `${choice.words}…`),
        ),
        h("button", { type: "button", class: "quiet", onClick: () => choose([...selected], false) }, "Clear"),
        h("span", { class: "said", role: "alert" }, said),
      ),
  };
}

export type RowSelection<Row> = ReturnType<typeof createSelection<Row>>;

/** The page of a bulk action. */
export const bulkPath = (id: string): string => `/console/bulk/${encodeURIComponent(id)}`;
