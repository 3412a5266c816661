import type { RunList, RunState, WorkflowRunSummary } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { h } from "preact";
import { stateChip, timeMark } from "./frame.ts";
import { type List, openList, rowLink } from "./list.ts";
import type { Place, Tab } from "./navigation.ts";
import { openRunView } from "./run/run-view.ts";
import { spanText, stateWords } from "./words.ts";

const states: readonly RunState[] = ["running", "pending", "succeeded", "failed", "timed_out", "canceled"];

const began = ({ created_at, started_at }: WorkflowRunSummary): string => started_at ?? created_at;

/** Lists runs, and shows one. */
export const runsTab: Tab = {
  name: "Runs",
  segments: ["runs"],
  open: (place) => {
    const [, runId] = place.parts;
    if (runId === undefined) openList(place, runList(place));
    else openRunView(place, runId);
  },
};

const runList = ({ api, signal }: Place): List<WorkflowRunSummary> => ({
  title: "Runs",
  fields: [
    {
      name: "state",
      label: "State",
      options: [["", "All"], ...states.map((each) => [each, stateWords[each]] as const)],
    },
    { name: "workflow_id", label: "Workflow", placeholder: "publish-text" },
    { name: "correlation_id", label: "Correlation id" },
  ],
  columns: [
    { head: "State", area: "state", cell: ({ state }) => stateChip(state) },
    {
      head: "Workflow",
      area: "name",
      cell: ({ error, name, run_id, state, version, workflow_id }) => [
        rowLink(`/console/runs/${encodeURIComponent(run_id)}`, visibleLine(name)),
        h("span", { class: "muted" }, `${workflow_id} ${version}`),
        error && state !== "canceled" && h("span", { class: "row-error" }, visibleLine(error.message)),
      ],
    },
    { head: "Started", area: "when", cell: (run, now) => timeMark(began(run), now) },
    { head: "Duration", area: "end", cell: (run, now) => spanText({ ...run, started_at: began(run) }, now) },
    {
      head: "Correlation id",
      area: "more",
      cell: ({ correlation_id }) => h("span", { class: "path" }, correlation_id),
    },
  ],
  read: async ({ cursor = 0, ...filter }) => {
    const offset = Number(cursor);
    const query = { ...filter, limit: 50, offset, redact: true };
    const { runs, total } = await api.get<RunList>("/runs", query, signal);
    return { rows: runs, next: offset + runs.length < total ? String(offset + runs.length) : undefined };
  },
  keyOf: ({ run_id }) => run_id,
  stateOf: ({ state }) => state,
  empty: "No runs yet. The first run appears here when it starts.",
});
