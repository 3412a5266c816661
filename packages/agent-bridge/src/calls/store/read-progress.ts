import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { CallIds } from "../agent-call.ts";
import type { AgentCallProgress } from "../call-store.ts";
import type { AgentCallTables } from "./agent-call-table.ts";
import { callId, callProgressContext } from "./call-row.ts";

/** Reads the progress of an open call, whichever process runs it; undefined without any. */
export type ReadAgentProgress = (ids: CallIds) => Promise<AgentCallProgress | undefined>;

export function createReadAgentProgress(
  { db }: Pick<Database<AgentCallTables>, "db">,
  vault?: Pick<Vault, "seal" | "open">,
): ReadAgentProgress {
  const codec = createRecordCodec(vault);
  return async (ids) => {
    const id = callId(ids);
    const row = await db.selectFrom("agent_call").select("progress").where("id", "=", id).executeTakeFirst();
    if (row === undefined || row.progress === null) return undefined;
    return codec.fromColumn(row.progress, callProgressContext(id)) as AgentCallProgress;
  };
}
