import type { WorkflowRunSummary, DeadLetter } from "@crosszone/contracts";
import type { ApiQuery } from "@crosszone/contracts/operations";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChildren, h } from "preact";
import { stateChip, threadLink, timeMark, idChip } from "../frame.ts";
import { type List, openList, rowLink } from "../list.ts";
import type { Place, Tab } from "../navigation.ts";
import { openBulkAction, openBulkList } from "./bulk-pages.ts";
import { openRunView } from "./run-view.ts";
import { personText, type ShownState, spanText, stateWords, waitingText } from "../words.ts";

/** The states to filter by, as the query of the API says them. */
const filters: Readonly<Partial<Record<ShownState, ApiQuery>>> = {
  waiting: { state: "running", waiting: true },
  running: { state: "running", waiting: false },
  pending: { state: "pending" },
  failed: { state: "failed" },
  timed_out: { state: "timed_out" },
  canceled: { state: "canceled" },
  succeeded: { state: "succeeded" },
};
const states = Object.keys(filters) as ShownState[];

/** Lists runs, and shows one; also what was done with many at once, and the bus's dead letters. */
export const runsTab: Tab = {
  name: "Runs",
  segments: ["runs", "bulk", "dead-letters"],
  scope: "runs:read",
  open: (place) => {
    const [kind, id] = place.parts;
    if (kind === "dead-letters") openDeadLetters(place);
    else if (kind === "bulk" && id !== undefined) openBulkAction(place, id);
    else if (kind === "bulk") openBulkList(place);
    else if (id === undefined) openList(place, runList(place));
    else openRunView(place, id);
  },
};

const shownState = ({ state, waits_for }: WorkflowRunSummary): ShownState =>
  waits_for === undefined ? state : "waiting";

const began = ({ created_at, started_at }: WorkflowRunSummary): string => started_at ?? created_at;

const runList = ({ api, signal }: Place): List<WorkflowRunSummary> => ({
  title: "Runs",
  fields: [
    {
      name: "state",
      label: "State",
      options: [["", "All"], ...states.map((each) => [each, stateWords[each]] as const)],
    },
    { name: "workflow_id", label: "Workflow", placeholder: "publish-text" },
    { name: "person", label: "Started by", placeholder: "Name or Slack id" },
    { name: "correlation_id", label: "Reference" },
  ],
  columns: [
    { head: "State", area: "state", cell: (run) => stateChip(shownState(run), shortWords[shownState(run)]) },
    { head: "Workflow", area: "name", cell: whatRuns },
    { head: "Started by", area: "more", cell: startedBy },
    { head: "Started", area: "when", cell: (run, now) => timeMark(began(run), now) },
    { head: "Duration", area: "end", cell: (run, now) => spanText({ ...run, started_at: began(run) }, now) },
  ],
  read: async ({ state, ...filter }) => {
    const query = { limit: 50, ...filter, ...filters[state as ShownState], redact: true };
    const { next_cursor: next, runs: rows } = await api.call("listRuns", query, signal);
    return { rows, next };
  },
  keyOf: ({ run_id }) => run_id,
  stateOf: shownState,
  empty: "No runs yet. The first run appears here when it starts.",
  bulk: [
    {
      action: "run.retry",
      words: "Retry",
      effect: "Each continues at the step that failed. Steps that succeeded do not run again.",
      look: "primary",
    },
    {
      action: "run.cancel",
      words: "Cancel",
      effect: "Each ends, and its tasks are canceled at their agents. Runs that have ended are left alone.",
      look: "dangerous",
    },
  ],
  acts: () => [
    h("a", { href: "/console/bulk" }, "Bulk actions"),
    h("a", { href: "/console/dead-letters" }, "Dead letters"),
  ],
});

/** The row names the deciders. */
const shortWords: Partial<Record<ShownState, string>> = { waiting: "Waiting" };

function whatRuns(run: WorkflowRunSummary): ComponentChildren {
  const { error, name, run_id, state, version, waits_for, workflow_id } = run;
  return [
    rowLink(`/console/runs/${encodeURIComponent(run_id)}`, visibleLine(name)),
    h("span", { class: "muted" }, `${workflow_id} ${version}`),
    waits_for && h("span", { class: "row-waits" }, waitingText(run)),
    error && state !== "canceled" && h("span", { class: "row-error" }, visibleLine(error.message)),
  ];
}

const startedBy = ({ names, requester, ...place }: WorkflowRunSummary): ComponentChildren => [
  requester !== undefined && h("span", null, personText(requester, names)),
  h("span", { class: "row-thread" }, threadLink(place)),
];

/** Lists dead letters of the bus. */
function openDeadLetters(place: Place): void {
  openList<DeadLetter>(place, {
    title: "Dead letters",
    fields: [],
    columns: [
      { head: "Dead letter", area: "name", cell: ({ id }) => idChip(id) },
      { head: "Reason", area: "more", cell: ({ reason }) => visibleLine(reason) },
      { head: "Group", area: "state", cell: ({ group }) => group },
      { head: "Since", area: "when", cell: ({ dead_at }, now) => timeMark(dead_at, now) },
      { head: "Attempts", area: "end", cell: ({ attempts }) => String(attempts) },
    ],
    read: async () => ({ rows: (await place.api.call("listDeadLetters", {}, place.signal)).dead_letters }),
    keyOf: ({ id }) => id,
    bulk: [
      {
        action: "dead_letter.replay",
        words: "Replay",
        effect: "Each is delivered again, as a new message. Fix the cause first.",
        look: "primary",
      },
      {
        action: "dead_letter.discard",
        words: "Discard",
        effect: "Each is deleted and can't be brought back.",
        look: "dangerous",
      },
    ],
    empty: "No dead letters. With Kafka, messages that can't be processed appear here.",
  });
}
