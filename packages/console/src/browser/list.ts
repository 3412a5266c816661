import { type ApiQuery, queryText } from "@crosszone/contracts/operations";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { ApiFault, isHopeless } from "./api.ts";
import { saidLine, showConnection, showContent } from "./frame.ts";
import type { Place } from "./navigation.ts";
import { type BulkChoice, createSelection, type RowSelection } from "./selection.ts";
import type { ShownState } from "./words.ts";

/** A field that filters a list: a text, or a choice when it has options. Its name is the query's, in the address and of the API. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** The values and their words. The first is for no filter. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  /** A time of this machine's clock. The address has it as text, the API as RFC 3339. */
  readonly isTime?: true;
}

/** A column of a list. On a phone, each row is a card, on which `area` says where the cell is. */
export interface Column<Row> {
  readonly head: string;
  readonly area: "state" | "name" | "when" | "more" | "end" | "number" | "bar";
  readonly cell: (row: Row, now: number) => ComponentChildren;
}

/** How rows are shown. */
export interface Table<Row> {
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly stateOf?: (row: Row) => ShownState;
  /** The id of its heading (default: that of the list). */
  readonly labelledBy?: string;
  /** The rows that the user selects. */
  readonly selection?: RowSelection<Row> | undefined;
}

/** A list of rows, newest first, which a tab shows. */
export interface List<Row> extends Table<Row> {
  readonly title: string;
  readonly fields: readonly Field[];
  /** Further values of the address that the list keeps and reads by. */
  readonly kept?: readonly string[];
  /** Reads a page. The query has the values of the fields, and `cursor` for an older page. */
  readonly read: (query: ApiQuery) => Promise<{ readonly rows: readonly Row[]; readonly next?: string | undefined }>;
  /** What to say when a list without filters is empty, and what to do. */
  readonly empty: string;
  /** What can be done with many rows at once. */
  readonly bulk?: readonly BulkChoice[];
  /** Buttons of the whole list. */
  readonly acts?: () => ComponentChildren;
  /** What is below the list, once it was read. */
  readonly below?: (now: number) => ComponentChildren;
}

/** The cell that links to a row's own page. The whole row is clickable. */
export const rowLink = (href: string, words: ComponentChildren): ComponentChild =>
  h("a", { class: "row-link", href }, words);

/** How long to wait after the last keystroke, milliseconds. */
const quietMs = 300;
const refreshMs = 10_000;
const longestPauseMs = 60_000;

/** What a place reads again and again. */
interface Reading<Read> {
  readonly read: () => Promise<Read>;
  /** Draws what was read last, undefined before, and why the latest request was rejected. */
  readonly show: (read: Read | undefined, said: string) => void;
  /** The pause before the next read, milliseconds; undefined when nothing can change. */
  readonly pauseMs: (read: Read) => number | undefined;
  /** Whether what is drawn must not move under the user. */
  readonly isFrozen?: () => boolean;
}

/** Reads and draws until the place closes, while the page is visible. Returns how to read at once, and how to draw again. */
export function keepFresh<Read>({ refused, signal }: Place, { isFrozen, pauseMs, read, show }: Reading<Read>) {
  let latest: Read | undefined;
  let said = "";
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const draw = (): void => {
    if (!signal.aborted) show(latest, said);
  };

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const turn = ++asked;
    let waitMs: number | undefined;
    try {
      const arrived = await read();
      if (turn !== asked || signal.aborted) return;
      latest = arrived;
      [said, failures, waitMs] = ["", 0, pauseMs(arrived)];
      showConnection("at_rest");
    } catch (error) {
      if (turn !== asked || signal.aborted) return;
      if (isHopeless(error)) return refused(error);
      // An invalid filter is reported; it doesn't count as a broken connection.
      if (error instanceof ApiFault && error.status === 400) said = error.message;
      else showConnection("reconnecting");
      waitMs = Math.min((refreshMs / 2) * 2 ** failures++, longestPauseMs);
    }
    draw();
    if (waitMs !== undefined) again(waitMs);
  }

  function again(waitMs: number): void {
    timer = setTimeout(() => {
      if (isFrozen?.() === true) again(waitMs);
      else if (document.hidden) wait();
      else void refresh();
    }, waitMs);
  }

  /** The page is hidden: continue when it becomes visible. */
  const wait = (): void => document.addEventListener("visibilitychange", () => void refresh(), { once: true, signal });

  signal.addEventListener("abort", () => clearTimeout(timer));
  draw();
  void refresh();
  return { refresh: (): void => void refresh(), show: draw };
}

/** Shows a list and keeps it fresh while the page is visible. Returns how to read it again at once, and how to draw it again. */
export function openList<Row>(place: Place, list: List<Row>) {
  const { api, query, setQuery, signal } = place;
  const names = list.fields.map(({ name }) => name);
  let filter: ApiQuery = Object.fromEntries(
    [...names, ...(list.kept ?? []), "cursor"].map((name) => [name, query[name]]),
  );

  function ask(wanted: ApiQuery): void {
    if (signal.aborted) return;
    filter = { ...filter, cursor: undefined, ...wanted };
    setQuery(filter);
    fresh.refresh();
  }

  const selection = list.bulk && createSelection<Row>(place, list, () => fresh.show());
  const fresh = keepFresh<Awaited<ReturnType<List<Row>["read"]>>>(place, {
    read: () => list.read(withTimes(filter, list.fields)),
    pauseMs: () => refreshMs,
    isFrozen: () => selection !== undefined && !selection.isEmpty(),
    show: (page, said) => {
      const isFiltered = names.some((name) => (filter[name] ?? "") !== "");
      showContent([
        h(
          "div",
          { class: "list-head" },
          h("h1", { id: "list-title" }, list.title),
          h("div", { class: "list-acts" }, list.acts?.()),
          list.fields.length > 0 && filterForm(list, filter, ask),
        ),
        h(
          "section",
          { class: "surface list" },
          saidLine(said),
          selection?.isEmpty() === false &&
            selection.bar(withTimes(filter, list.fields), page?.next !== undefined || filter["cursor"] !== undefined),
          page && page.rows.length > 0 && rowTable({ ...list, selection }, page.rows, api.now()),
          page?.rows.length === 0 &&
            h("p", { class: "empty" }, isFiltered ? "Nothing matches the filter." : list.empty),
          page && pages(filter, page.next),
        ),
        page && list.below?.(api.now()),
      ]);
    },
  });
  return fresh;
}

const withTimes = (filter: ApiQuery, fields: readonly Field[]): ApiQuery => {
  const times = fields.flatMap(({ isTime, name }) => {
    const at = new Date(isTime ? String(filter[name] ?? "") : "");
    return Number.isNaN(at.getTime()) ? [] : [[name, at.toISOString()] as const];
  });
  return { ...filter, ...Object.fromEntries(times) };
};

let typing: ReturnType<typeof setTimeout> | undefined;

/** The fields that filter the list. `onChange` receives the filter when the user stops typing. */
export function filterForm(
  { fields, title }: { readonly fields: readonly Field[]; readonly title: string },
  filter: ApiQuery,
  onChange: (filter: ApiQuery) => void,
): ComponentChild {
  function changed({ currentTarget }: Event): void {
    const given = new FormData(currentTarget as HTMLFormElement);
    const wanted = Object.fromEntries([...given].map(([name, value]) => [name, (value as string).trim()]));
    clearTimeout(typing);
    typing = setTimeout(() => onChange(wanted), quietMs);
  }

  return h(
    "form",
    {
      class: "filters",
      role: "search",
      "aria-label": `Filter ${title.toLowerCase()}`,
      onInput: changed,
      onSubmit: (event: Event) => event.preventDefault(),
    },
    fields.map(({ isTime, label, name, options, placeholder }) => {
      const given = filter[name] ?? "";
      const input = options
        ? h(
            "select",
            { name },
            options.map(([value, words]) => h("option", { value, selected: value === given }, words)),
          )
        : h("input", {
            type: isTime ? "datetime-local" : "search",
            name,
            placeholder,
            defaultValue: given,
            spellcheck: false,
          });
      return h("label", { key: name }, h("span", null, label), input);
    }),
  );
}

/** The rows of a list as a table with the given heading. `now`: Unix milliseconds. */
export function rowTable<Row>(
  { columns, keyOf, stateOf, selection, labelledBy = "list-title" }: Table<Row>,
  rows: readonly Row[],
  now: number,
): ComponentChild {
  const heads = columns.map(({ area, head }) => h("th", { scope: "col", class: `head-${area}` }, head));
  const chosen = selection?.isAllowed === true ? selection : undefined;
  return h(
    "table",
    { class: "rows", "aria-labelledby": labelledBy },
    h("thead", null, h("tr", null, chosen && h("th", { class: "cell-box" }, chosen.boxOfAll(rows)), heads)),
    h(
      "tbody",
      null,
      rows.map((row) =>
        h(
          "tr",
          { key: keyOf(row), "data-row": keyOf(row), "data-state": stateOf?.(row) },
          chosen && h("td", { class: "cell-box" }, chosen.boxOf(row)),
          columns.map(({ area, cell, head }) => h("td", { class: `cell-${area}`, "data-head": head }, cell(row, now))),
        ),
      ),
    ),
  );
}

/** A table with a heading of its own; `empty` without rows. `now`: Unix milliseconds. */
export const titledTable = <Row>(
  title: string,
  rows: readonly Row[],
  { labelledBy: id = title, empty, now, ...table }: Table<Row> & { readonly empty: string; readonly now: number },
): ComponentChild =>
  h(
    "section",
    { class: "surface list usage", key: id },
    h("h2", { id }, title),
    rows.length === 0 ? h("p", { class: "empty" }, empty) : rowTable({ ...table, labelledBy: id }, rows, now),
  );

/** The links to the newest and the next older page. */
function pages(filter: ApiQuery, next: string | undefined): ComponentChild {
  const { cursor, ...rest } = filter;
  const to = (query: ApiQuery): string => location.pathname + queryText(query);
  return h(
    "nav",
    { class: "pages", "aria-label": "Pages" },
    cursor !== undefined && cursor !== "" && h("a", { href: to(rest) }, "Newest"),
    next !== undefined && h("a", { href: to({ ...rest, cursor: next }), rel: "next" }, "Older"),
  );
}
