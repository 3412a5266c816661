import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { BulkAction, BulkActionKind } from "@crosszone/contracts";
import type { ApiClient } from "../api/api-client.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { type ExitCode, exitCodes, type Session, UsageError } from "../program/session.ts";
import { harmlessJson, harmlessLine, ownName, shortDuration } from "../text/terminal-text.ts";

export const listDeadLetters: Command = defineCommand({
  name: "dead-letters list",
  summary: "Lists messages of the bus that could not be processed: ids and reasons, no text. Oldest first.",
  options: { json: jsonOption },
  examples: [["crosszone dead-letters", "short form of the same"]],
  run: async (_, { api }) => {
    const list = await api().bulk.deadLetters();
    const rows = list.dead_letters.map(({ id, group, attempts, dead_at, reason }) => {
      const age = shortDuration(Date.now() - Date.parse(dead_at));
      return [id, group, age, String(attempts), harmlessLine(reason)];
    });
    const [head, none] = [["DEAD LETTER", "GROUP", "AGE", "ATTEMPTS", "REASON"], "No dead letters."];
    const more = list.total > rows.length ? `The oldest ${rows.length} of ${list.total}.\n` : undefined;
    return { json: list, text: { head, rows, none }, notice: more };
  },
});

export const replayDeadLetters: Command = defineCommand({
  name: "dead-letters replay",
  summary: "Delivers one dead letter, or all, again.",
  operands: ["<id or all>"],
  options: { json: jsonOption },
  examples: [["crosszone dead-letters replay agent_tasks/17", "after you fixed the cause; all of them with: all"]],
  run: ({ values: { json }, operands: [id = ""] }, session) => actOn(id, "dead_letter.replay", { json, session }),
});

export const discardDeadLetters: Command = defineCommand({
  name: "dead-letters discard",
  summary: "Deletes one dead letter, or all.",
  operands: ["<id or all>"],
  options: { json: jsonOption },
  examples: [["crosszone dead-letters discard agent_tasks/17", "one that is no longer needed"]],
  run: ({ values: { json }, operands: [id = ""] }, session) => actOn(id, "dead_letter.discard", { json, session }),
});

/** Acts on the dead letters that are meant, and waits until it is done. */
async function actOn(
  id: string,
  action: BulkActionKind,
  { json, session }: { readonly json: boolean | undefined; readonly session: Session },
): Promise<ExitCode> {
  const { bulk } = session.api();
  const ids = id === "all" ? (await bulk.deadLetters()).dead_letters.map((letter) => letter.id) : [id];
  if (ids.length === 0) throw new UsageError("No dead letters.");
  const ended = await endOf(bulk, await bulk.start({ action, ids }, randomUUID()));
  const { done, skipped, failed, problems = [], stopped_because: because, total } = ended;
  session.stdout.write(json ? `${harmlessJson(ended)}\n` : `Done: ${done}. Skipped: ${skipped}. Failed: ${failed}.\n`);
  for (const problem of problems)
    session.stderr.write(`${harmlessLine(`${problem.id} ${problem.outcome}: ${problem.reason}`)}\n`);
  if (because !== undefined) session.stderr.write(`Stopped: ${harmlessLine(because)}\n`);
  if (id !== "all" && skipped > 0) session.stderr.write(`List them: ${ownName} dead-letters\n`);
  return done === total ? exitCodes.done : exitCodes.failed;
}

async function endOf(bulk: ApiClient["bulk"], { bulk_action_id: id }: BulkAction): Promise<BulkAction> {
  for (;;) {
    const found = await bulk.get(id);
    if (found.ended_at !== undefined) return found;
    await delay(300);
  }
}
