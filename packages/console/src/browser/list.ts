import { type ComponentChild, type ComponentChildren, h } from "preact";
import { ApiFault, isHopeless, type Query, queryText } from "./api.ts";
import { type BulkChoice, createSelection } from "./bulk/selection.ts";
import { showConnection, showContent } from "./frame.ts";
import type { Place } from "./navigation.ts";
import type { ShownState } from "./words.ts";

/** A field that filters a list: a text, or a choice when it has options. Its name is the query's, in the address and of the API. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** The values and their words. The first is for no filter. */
  readonly options?: readonly (readonly [value: string, words: string])[];
}

/** A column of a list. On a phone, each row is a card, on which `area` says where the cell is. */
export interface Column<Row> {
  readonly head: string;
  readonly area: "state" | "name" | "when" | "more" | "end";
  readonly cell: (row: Row, now: number) => ComponentChildren;
}

/** A list of rows, newest first, which a tab shows. */
export interface List<Row> {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly columns: readonly Column<Row>[];
  /** Reads a page. The query has the values of the fields, and `cursor` for an older page. */
  readonly read: (query: Query) => Promise<{ readonly rows: readonly Row[]; readonly next?: string | undefined }>;
  readonly keyOf: (row: Row) => string;
  readonly stateOf?: (row: Row) => ShownState;
  /** What to say when a list without filters is empty, and what to do. */
  readonly empty: string;
  /** What can be done with many rows at once. */
  readonly bulk?: readonly BulkChoice[];
  /** Buttons of the whole list. */
  readonly acts?: () => ComponentChildren;
}

/** The cell that links to a row's own page. The whole row is clickable. */
export const rowLink = (href: string, words: ComponentChildren): ComponentChild =>
  h("a", { class: "row-link", href }, words);

/** How long to wait after the last keystroke, milliseconds. */
const quietMs = 300;
const refreshMs = 10_000;
const longestPauseMs = 60_000;

/** Shows a list and keeps it fresh while the page is visible. Returns how to read it again at once, and how to draw it again. */
export function openList<Row>(place: Place, list: List<Row>) {
  const { api, query, refused, setQuery, signal } = place;
  const names = list.fields.map(({ name }) => name);
  let filter: Query = Object.fromEntries([...names, "cursor"].map((name) => [name, query[name]]));
  let page: Awaited<ReturnType<List<Row>["read"]>> | undefined;
  let said = "";
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const selection = createSelection(place, { ...list, bulk: list.bulk ?? [] }, show);

  function show(): void {
    if (signal.aborted) return;
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
        h("p", { class: "said", role: "alert" }, said),
        !selection.isEmpty() && selection.bar(filter, page?.next !== undefined),
        page && page.rows.length > 0 && table(list, { rows: page.rows, selection }, api.now()),
        page?.rows.length === 0 && h("p", { class: "empty" }, isFiltered ? "Nothing matches the filter." : list.empty),
        page && pages(filter, page.next),
      ),
    ]);
  }

  function ask(wanted: Query): void {
    if (signal.aborted) return;
    filter = wanted;
    setQuery(filter);
    void refresh();
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const turn = ++asked;
    let waitMs: number | undefined;
    try {
      const arrived = await list.read(filter);
      if (turn !== asked || signal.aborted) return;
      page = arrived;
      [said, failures, waitMs] = ["", 0, refreshMs];
      showConnection("at_rest");
    } catch (error) {
      if (turn !== asked || signal.aborted) return;
      if (isHopeless(error)) return refused(error);
      // An invalid filter is reported; it doesn't count as a broken connection.
      if (error instanceof ApiFault && error.status === 400) said = error.message;
      else showConnection("reconnecting");
      waitMs = Math.min((refreshMs / 2) * 2 ** failures++, longestPauseMs);
    }
    show();
    timer = setTimeout(again, waitMs);
  }

  /** Rows don't move under the user who selects some. */
  function again(): void {
    if (!selection.isEmpty()) timer = setTimeout(again, refreshMs);
    else if (document.hidden) wait();
    else void refresh();
  }

  /** The page is hidden: continue when it becomes visible. */
  const wait = (): void => document.addEventListener("visibilitychange", () => void refresh(), { once: true, signal });

  signal.addEventListener("abort", () => clearTimeout(timer));
  show();
  void refresh();
  return { refresh: (): void => void refresh(), show };
}

let typing: ReturnType<typeof setTimeout> | undefined;

/** The fields that filter the list. `onChange` receives the filter when the user stops typing. */
function filterForm<Row>(
  { fields, title }: List<Row>,
  filter: Query,
  onChange: (filter: Query) => void,
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
    fields.map(({ label, name, options, placeholder }) => {
      const given = filter[name] ?? "";
      const input = options
        ? h(
            "select",
            { name },
            options.map(([value, words]) => h("option", { value, selected: value === given }, words)),
          )
        : h("input", { type: "search", name, placeholder, defaultValue: given, spellcheck: false });
      return h("label", { key: name }, h("span", null, label), input);
    }),
  );
}

function table<Row>(
  { columns, keyOf, stateOf }: List<Row>,
  shown: { readonly rows: readonly Row[]; readonly selection: ReturnType<typeof createSelection<Row>> },
  now: number,
): ComponentChild {
  const { rows, selection } = shown;
  const { isAllowed } = selection;
  return h(
    "table",
    { class: "rows", "aria-labelledby": "list-title" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        isAllowed && h("th", { class: "cell-box" }, selection.boxOfAll(rows)),
        columns.map(({ head }) => h("th", { scope: "col" }, head)),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map((row) =>
        h(
          "tr",
          { key: keyOf(row), "data-row": keyOf(row), "data-state": stateOf?.(row) },
          isAllowed && h("td", { class: "cell-box" }, selection.boxOf(row)),
          columns.map(({ area, cell }) => h("td", { class: `cell-${area}` }, cell(row, now))),
        ),
      ),
    ),
  );
}

/** The links to the newest and the next older page. */
function pages(filter: Query, next: string | undefined): ComponentChild {
  const { cursor, ...rest } = filter;
  const to = (query: Query): string => location.pathname + queryText(query);
  return h(
    "nav",
    { class: "pages", "aria-label": "Pages" },
    cursor !== undefined && cursor !== "" && h("a", { href: to(rest) }, "Newest"),
    next !== undefined && h("a", { href: to({ ...rest, cursor: next }), rel: "next" }, "Older"),
  );
}
