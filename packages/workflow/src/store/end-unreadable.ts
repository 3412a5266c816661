import type { RunProblem } from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Transaction } from "kysely";
import { runContext } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** The error of a run that no key decrypts. */
export const unreadableProblem: RunProblem = {
  kind: "internal",
  message: "The run can no longer be read: the key that encrypted it is missing.",
};

/** Ends open runs that no key decrypts. They could never continue. */
export async function endUnreadable(
  transaction: Transaction<WorkflowTables>,
  codec: RecordCodec,
  { ids, at }: { readonly ids: readonly string[]; readonly at: number },
): Promise<void> {
  for (const id of ids) {
    const ended = await transaction
      .updateTable("workflow_run")
      .set((eb) => ({
        state: "failed",
        revision: eb("revision", "+", 1),
        state_revision: eb("revision", "+", 1),
        due_at: null,
        updated_at: at,
        ended_at: at,
        error: codec.toColumn(unreadableProblem, runContext("error", id)),
      }))
      .where("run_id", "=", id)
      .where("ended_at", "is", null)
      .returning("revision")
      .executeTakeFirst();
    if (ended === undefined) continue;
    await transaction
      .updateTable("workflow_step")
      .set({ state: "canceled", ended_at: at, revision: ended.revision })
      .where("run_id", "=", id)
      .where("state", "in", ["running", "pending"])
      .execute();
  }
}
