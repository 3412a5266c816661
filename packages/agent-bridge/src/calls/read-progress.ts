import { callId, callProgressContext, type CallIds, type ExecutionJobTables } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";

/** An agent's progress. */
export interface AgentCallProgress {
  /** Grows with each change. */
  readonly revision: number;
  /** In the agent's own words: one line of at most 500 characters. */
  readonly text: string;
}

/** Reads the progress of an open call, whichever process runs it; undefined without any. */
export type ReadAgentProgress = (ids: CallIds) => Promise<AgentCallProgress | undefined>;

export function createReadAgentProgress(
  { db }: Pick<Database<ExecutionJobTables>, "db">,
  vault?: Pick<Vault, "seal" | "open">,
): ReadAgentProgress {
  const codec = createRecordCodec(vault);
  return async (ids) => {
    const id = callId(ids);
    const row = await db.selectFrom("job").select("progress").where("id", "=", id).executeTakeFirst();
    if (row === undefined || row.progress === null) return undefined;
    return codec.fromColumn(row.progress, callProgressContext(id)) as AgentCallProgress;
  };
}
