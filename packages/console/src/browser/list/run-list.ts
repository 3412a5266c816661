import type { RunList } from "@crosszone/contracts";
import { ApiFault, isHopeless } from "../api/api-fault.ts";
import { pageSize, type RunApi, type RunFilter } from "../api/run-api.ts";
import { showConnection } from "../connection-mark.ts";
import { byId, h } from "../element.ts";
import { showChildren } from "../keyed-children.ts";
import { filterForm, readFilter, writeFilter } from "./filter-form.ts";
import { rowVersion, runRow } from "./run-row.ts";

const refreshMs = 3_000;
const longestPauseMs = 15_000;

/** Shows the latest runs and keeps the list fresh. Calls `refused` when the API no longer allows access. */
export function openRunList(api: RunApi, refused: (fault: ApiFault) => void): void {
  let filter = readFilter();
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const rows = h("tbody");
  const empty = h("p", { class: "empty", hidden: true });
  const said = h("p", { class: "said", role: "alert" });
  const count = h("span", { class: "muted", role: "status" });
  const newer = h("button", { type: "button", onclick: () => turn(-pageSize) }, "Newer");
  const older = h("button", { type: "button", onclick: () => turn(pageSize) }, "Older");
  const heads = ["State", "Workflow", "Started", "Duration", "Correlation id"].map((text) =>
    h("th", { scope: "col" }, text),
  );
  const table = h(
    "table",
    { class: "runs", "aria-labelledby": "runs-title" },
    h("thead", {}, h("tr", {}, ...heads)),
    rows,
  );
  byId("content").replaceChildren(
    h("div", { class: "list-head" }, h("h1", { id: "runs-title" }, "Runs"), filterForm(filter, ask)),
    h("section", { class: "surface list" }, said, table, empty, h("div", { class: "pages" }, count, newer, older)),
  );

  function ask(wanted: RunFilter): void {
    filter = wanted;
    writeFilter(filter);
    void refresh();
  }

  const turn = (by: number): void => ask({ ...filter, offset: Math.max(0, (filter.offset ?? 0) + by) });

  function show({ limit, offset, runs, total }: RunList): void {
    const now = api.now();
    showChildren(rows, runs, {
      keyOf: ({ run_id }) => run_id,
      versionOf: (run) => rowVersion(run, now),
      draw: (run) => runRow(run, now),
    });
    table.hidden = runs.length === 0;
    empty.hidden = runs.length > 0;
    const isFiltered = [filter.state, filter.workflow_id, filter.correlation_id].some((value) => value !== "");
    empty.textContent = isFiltered
      ? "No runs match the filter."
      : "No runs yet. The first run appears here when it starts.";
    count.textContent =
      runs.length === 0 ? "" : `${String(offset + 1)}–${String(offset + runs.length)} of ${String(total)}`;
    newer.hidden = offset === 0;
    older.hidden = offset + limit >= total;
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const turnOf = ++asked;
    const isLatest = (): boolean => turnOf === asked;
    const waitMs = await api.list(filter).then(
      (list) => {
        if (isLatest()) arrived(list);
        return refreshMs;
      },
      (error: unknown) => (isLatest() ? failed(error) : 0),
    );
    if (isLatest() && waitMs !== undefined)
      timer = setTimeout(() => void (document.hidden ? wait() : refresh()), waitMs);
  }

  /** The page is hidden: continue when it becomes visible. */
  const wait = (): void => document.addEventListener("visibilitychange", () => void refresh(), { once: true });

  function arrived(list: RunList): void {
    failures = 0;
    said.textContent = "";
    showConnection("live");
    show(list);
  }

  /** Returns the pause before the next attempt, milliseconds; undefined when retrying can't help. */
  function failed(error: unknown): number | undefined {
    if (isHopeless(error)) {
      refused(error);
      return undefined;
    }
    // An invalid filter is reported; it doesn't count as a broken connection.
    if (error instanceof ApiFault && error.status === 400) said.textContent = error.message;
    else showConnection("reconnecting");
    return Math.min(refreshMs * 2 ** failures++, longestPauseMs);
  }

  void refresh();
}
