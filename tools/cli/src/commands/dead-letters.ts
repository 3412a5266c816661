import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { BulkAction, BulkActionKind } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import type { Command } from "../program/command.ts";
import { actRow, listRow } from "../program/row.ts";
import { UsageError } from "../program/session.ts";
import { harmlessLine, ownName, shortDuration } from "../text/terminal-text.ts";

const list = listRow({
  name: "dead-letters list",
  operation: "listDeadLetters",
  summary: "Lists messages of the bus that could not be processed: ids and reasons, no text. Oldest first.",
  examples: [["crosszone dead-letters", "short form of the same"]],
  of: ({ dead_letters }) => dead_letters,
  columns: ({ id, group, attempts, dead_at, reason }) => ({
    "DEAD LETTER": id,
    GROUP: group,
    AGE: shortDuration(Date.now() - Date.parse(dead_at)),
    ATTEMPTS: String(attempts),
    REASON: reason,
  }),
  none: "No dead letters.",
});

/** The row of an act on dead letters, which waits until it is done. */
const acting = (action: BulkActionKind, summary: string, example: string): Command =>
  actRow({
    name: action.replace("dead_letter.", "dead-letters "),
    operation: "startBulkAction",
    summary,
    operands: { id: "<id or all>" },
    without: ["action"],
    examples: [[`crosszone ${action.replace("dead_letter.", "dead-letters ")} agent_tasks/17`, example]],
    ask: async ({ operands: [id = ""], api }) => {
      const all = async () => (await api.call("listDeadLetters", {})).dead_letters.map((letter) => letter.id);
      const ids = id === "all" ? await all() : [id];
      if (ids.length === 0) throw new UsageError("No dead letters.");
      return { "idempotency-key": randomUUID(), body: { action, ids } };
    },
    show: async (started, { operands: [id], api }) => {
      const ended = await endOf(api, started);
      const { done, skipped, failed, problems = [], stopped_because: because, total } = ended;
      const notes = problems.map((problem) => `${problem.id} ${problem.outcome}: ${problem.reason}`);
      if (because !== undefined) notes.push(`Stopped: ${because}`);
      if (id !== "all" && skipped > 0) notes.push(`List them: ${ownName} dead-letters`);
      return {
        json: ended,
        text: `Done: ${done}. Skipped: ${skipped}. Failed: ${failed}.\n`,
        notice: notes.map((note) => `${harmlessLine(note)}\n`).join(""),
        isDone: done === total,
      };
    },
  });

async function endOf(api: ApiClient, { bulk_action_id }: BulkAction): Promise<BulkAction> {
  for (;;) {
    const found = await api.call("getBulkAction", { bulk_action_id });
    if (found.ended_at !== undefined) return found;
    await delay(300);
  }
}

/** In the order of the help. */
export const deadLetterCommands: readonly Command[] = [
  list,
  acting(
    "dead_letter.replay",
    "Delivers one dead letter, or all, again.",
    "after you fixed the cause; all of them with: all",
  ),
  acting("dead_letter.discard", "Deletes one dead letter, or all.", "one that is no longer needed"),
];
