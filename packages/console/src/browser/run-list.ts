import type { RunList, RunState, WorkflowRunSummary } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, h } from "preact";
import { showConnection, showContent, stateChip } from "./frame.ts";
import { ApiFault, isHopeless, pageSize, type RunApi, type RunFilter } from "./run-api.ts";
import { fromNowText, spanText, stateWords } from "./words.ts";

const states: readonly RunState[] = ["running", "pending", "succeeded", "failed", "timed_out", "canceled"];

/** Reads the filter from the address, so that it can be shared. */
function readFilter(): RunFilter {
  const query = new URLSearchParams(location.search);
  const text = (name: string): string => query.get(name) ?? "";
  return {
    state: text("state"),
    workflow_id: text("workflow_id"),
    correlation_id: text("correlation_id"),
    offset: Math.max(0, Math.trunc(Number(text("offset"))) || 0),
  };
}

function writeFilter(filter: RunFilter): void {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "" && value !== 0);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  history.replaceState(null, "", location.pathname + (query && `?${query}`));
}

/** How long to wait after the last keystroke, milliseconds. */
const quietMs = 300;
let typing: ReturnType<typeof setTimeout> | undefined;

/** The fields that filter the list. `onChange` receives the filter when the user stops typing. */
function filterForm(filter: RunFilter, onChange: (filter: RunFilter) => void): ComponentChild {
  function changed({ currentTarget }: Event): void {
    const fields = new FormData(currentTarget as HTMLFormElement);
    const text = (name: string): string => {
      const value = fields.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const wanted = {
      state: text("state"),
      workflow_id: text("workflow_id"),
      correlation_id: text("correlation_id"),
      offset: 0,
    };
    clearTimeout(typing);
    typing = setTimeout(() => onChange(wanted), quietMs);
  }

  const input = (id: string, name: "workflow_id" | "correlation_id", placeholder?: string): ComponentChild =>
    h("input", { type: "search", id, name, placeholder, defaultValue: filter[name], spellcheck: false });
  const options = [
    h("option", { value: "" }, "All"),
    ...states.map((each) => h("option", { value: each, selected: each === filter.state }, stateWords[each])),
  ];
  return h(
    "form",
    {
      class: "filters",
      role: "search",
      "aria-label": "Filter runs",
      onInput: changed,
      onSubmit: (event: Event) => event.preventDefault(),
    },
    field("State", "filter-state", h("select", { id: "filter-state", name: "state" }, ...options)),
    field("Workflow", "filter-workflow", input("filter-workflow", "workflow_id", "publish-text")),
    field("Correlation id", "filter-correlation", input("filter-correlation", "correlation_id")),
  );
}

const field = (label: string, id: string, input: ComponentChild): ComponentChild =>
  h("label", { for: id }, h("span", null, label), input);

const refreshMs = 3_000;
const longestPauseMs = 15_000;

/** Shows the latest runs and keeps the list fresh. Calls `refused` when the API no longer allows access. */
export function openRunList(api: RunApi, refused: (fault: ApiFault) => void): void {
  let filter = readFilter();
  let list: RunList | undefined;
  let said = "";
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  function show(): void {
    const turn = (by: number): void => ask({ ...filter, offset: Math.max(0, (filter.offset ?? 0) + by) });
    showContent([
      h("div", { class: "list-head" }, h("h1", { id: "runs-title" }, "Runs"), filterForm(filter, ask)),
      h(
        "section",
        { class: "surface list" },
        h("p", { class: "said", role: "alert" }, said),
        list && runTable(list, api.now()),
        list?.runs.length === 0 && h("p", { class: "empty" }, emptyText(filter)),
        list && pages(list, turn),
      ),
    ]);
  }

  function ask(wanted: RunFilter): void {
    filter = wanted;
    writeFilter(filter);
    void refresh();
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const turnOf = ++asked;
    const isLatest = (): boolean => turnOf === asked;
    const waitMs = await api.list(filter).then(
      (arrived) => (isLatest() ? succeeded(arrived) : 0),
      (error: unknown) => (isLatest() ? failed(error) : 0),
    );
    if (isLatest() && waitMs !== undefined)
      timer = setTimeout(() => void (document.hidden ? wait() : refresh()), waitMs);
  }

  /** The page is hidden: continue when it becomes visible. */
  const wait = (): void => document.addEventListener("visibilitychange", () => void refresh(), { once: true });

  function succeeded(arrived: RunList): number {
    list = arrived;
    failures = 0;
    said = "";
    showConnection("live");
    show();
    return refreshMs;
  }

  /** Returns the pause before the next attempt, milliseconds; undefined when retrying can't help. */
  function failed(error: unknown): number | undefined {
    if (isHopeless(error)) {
      refused(error);
      return undefined;
    }
    // An invalid filter is reported; it doesn't count as a broken connection.
    if (error instanceof ApiFault && error.status === 400) said = error.message;
    else showConnection("reconnecting");
    show();
    return Math.min(refreshMs * 2 ** failures++, longestPauseMs);
  }

  show();
  void refresh();
}

const emptyText = ({ correlation_id, state, workflow_id }: RunFilter): string =>
  [state, workflow_id, correlation_id].some((value) => value !== "")
    ? "No runs match the filter."
    : "No runs yet. The first run appears here when it starts.";

function pages({ offset, runs, total }: RunList, turn: (by: number) => void): ComponentChild {
  const count = runs.length === 0 ? "" : `${String(offset + 1)}–${String(offset + runs.length)} of ${String(total)}`;
  return h(
    "div",
    { class: "pages" },
    h("span", { class: "muted", role: "status" }, count),
    h("button", { type: "button", hidden: offset === 0, onClick: () => turn(-pageSize) }, "Newer"),
    h("button", { type: "button", hidden: offset + runs.length >= total, onClick: () => turn(runs.length) }, "Older"),
  );
}

function runTable({ runs }: RunList, now: number): ComponentChild {
  const heads = ["State", "Workflow", "Started", "Duration", "Correlation id"];
  return h(
    "table",
    { class: "runs", "aria-labelledby": "runs-title", hidden: runs.length === 0 },
    h("thead", null, h("tr", null, ...heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", null, ...runs.map((run) => runRow(run, now))),
  );
}

/** A run in the list. The whole row is clickable; the name is the link. */
function runRow(run: WorkflowRunSummary, now: number): ComponentChild {
  const { correlation_id, created_at, ended_at, error, name, run_id, started_at, state, version, workflow_id } = run;
  const began = started_at ?? created_at;
  return h(
    "tr",
    { key: run_id, "data-state": state, "data-run": run_id },
    h("td", { class: "row-state" }, stateChip(state)),
    h(
      "td",
      { class: "row-name" },
      h("a", { class: "row-link", href: `/runs/${encodeURIComponent(run_id)}` }, visibleLine(name)),
      h("span", { class: "muted" }, `${workflow_id} ${version}`),
      error && state !== "canceled" && h("span", { class: "row-error" }, visibleLine(error.message)),
    ),
    h(
      "td",
      { class: "row-began", title: new Date(began).toLocaleString() },
      h("time", { datetime: began }, fromNowText(began, now)),
    ),
    h("td", { class: "row-took" }, spanText({ started_at: began, ended_at }, now)),
    h("td", { class: "row-correlation path", title: correlation_id }, correlation_id),
  );
}
