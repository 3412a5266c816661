import type { BulkAction, BulkActionKind } from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { copyable, idChip, whyFailed, muted, saidLine, showContent, stateChip, timeMark, wayBack } from "../frame.ts";
import { keepFresh, openList, rowLink, rowTable, type Table } from "../list.ts";
import type { Place } from "../navigation.ts";
import { bulkPath } from "../selection.ts";
import { may } from "../session.ts";
import type { ShownState } from "../words.ts";

const actionWords: Readonly<Record<BulkActionKind, string>> = {
  "run.cancel": "Cancel runs",
  "run.retry": "Retry runs",
  "input_request.withdraw": "Withdraw approvals",
  "dead_letter.replay": "Replay dead letters",
  "dead_letter.discard": "Discard dead letters",
  "message.replay": "Replay parked messages",
  "message.discard": "Discard parked messages",
};

const stateLooks: Readonly<Record<BulkAction["state"], readonly [words: string, look: ShownState]>> = {
  running: ["Running", "running"],
  stopping: ["Stopping", "running"],
  stopped: ["Stopped", "canceled"],
  finished: ["Finished", "succeeded"],
};

const refreshMs = 1_000;

type Problem = NonNullable<BulkAction["problems"]>[number];

const problemTable: Table<Problem> = {
  columns: [
    { head: "Item", area: "name", cell: ({ id }) => idChip(id) },
    { head: "Outcome", area: "state", cell: ({ outcome }) => (outcome === "failed" ? "Failed" : "Skipped") },
    { head: "Reason", area: "more", cell: ({ reason }) => visibleLine(reason) },
  ],
  keyOf: ({ id }) => id,
  labelledBy: "problems",
};

/** Lists the latest bulk actions. */
export function openBulkList(place: Place): void {
  openList<BulkAction>(place, {
    title: "Bulk actions",
    fields: [],
    columns: [
      { head: "State", area: "state", cell: chipOf },
      { head: "Action", area: "name", cell: (one) => rowLink(bulkPath(one.bulk_action_id), actionWords[one.action]) },
      { head: "Started by", area: "more", cell: ({ created_by }) => visibleLine(created_by) },
      { head: "Started", area: "when", cell: ({ created_at }, now) => timeMark(created_at, now) },
      { head: "Items", area: "end", cell: countsText },
    ],
    read: async () => ({ rows: (await place.api.call("listBulkActions", {}, place.signal)).bulk_actions }),
    keyOf: ({ bulk_action_id }) => bulk_action_id,
    stateOf: ({ state }) => stateLooks[state][1],
    empty: "No bulk actions. Select rows of a list to act on many at once.",
  });
}

const chipOf = ({ state }: BulkAction): ComponentChild => stateChip(stateLooks[state][1], stateLooks[state][0]);

function countsText({ done, failed, skipped, total }: BulkAction): string {
  const parts = [`${done} of ${total} done`, skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} failed`];
  return parts.filter((part) => part !== false).join(", ");
}

/** Shows one bulk action until it has ended. */
export function openBulkAction(place: Place, bulk_action_id: string): void {
  const { api, session, signal } = place;
  let problem = "";

  async function act(run: () => Promise<unknown>): Promise<void> {
    problem = await whyFailed(run());
    fresh.refresh();
  }

  const button = (words: string, run: () => Promise<unknown>): ComponentChild =>
    h("button", { type: "button", onClick: () => void act(run) }, words);

  function acts({ action, ended_at, problems = [], state }: BulkAction): ComponentChildren {
    const ids = problems.filter(({ outcome }) => outcome === "failed").map((one) => one.id);
    const again = async (): Promise<void> => {
      const next = await api.call("startBulkAction", { body: { action, ids } });
      location.assign(bulkPath(next.bulk_action_id));
    };
    if (!may(session, "runs:act")) return undefined;
    if (state === "running") return button("Stop", () => api.call("stopBulkAction", { bulk_action_id }));
    return ended_at !== undefined && ids.length > 0 && button(`Try the ${ids.length} that failed again`, again);
  }

  const fresh = keepFresh<BulkAction>(place, {
    read: () => api.call("getBulkAction", { bulk_action_id }, signal),
    pauseMs: ({ ended_at }) => (ended_at === undefined ? refreshMs : undefined),
    show: (shown, said) =>
      shown &&
      showContent([
        wayBack("/console/bulk", "Bulk actions"),
        h(
          "div",
          { class: "list-head" },
          h("h1", null, actionWords[shown.action]),
          h("div", { class: "list-acts" }, acts(shown)),
        ),
        h(
          "section",
          { class: "surface bulk" },
          saidLine(problem || said),
          h("p", { role: "status" }, chipOf(shown), " ", countsText(shown)),
          h("progress", {
            "aria-label": "Items that are done",
            max: shown.total,
            value: shown.done + shown.skipped + shown.failed,
          }),
          muted(`Started by ${visibleLine(shown.created_by)} `, timeMark(shown.created_at, api.now())),
          shown.stopped_because !== undefined && h("p", null, shown.stopped_because),
          muted("In the audit log: ", copyable(shown.bulk_action_id)),
          shown.problems &&
            shown.problems.length > 0 && [
              h("h2", { id: "problems" }, "Items that were skipped or failed"),
              rowTable(problemTable, shown.problems, api.now()),
            ],
        ),
      ]),
  });
}
