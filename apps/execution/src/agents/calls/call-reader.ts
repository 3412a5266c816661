import type { AgentResult } from "@crosszone/contracts";
import { callOutputContext, type ExecutionJobTables } from "@crosszone/agent-calls";
import { jobStates } from "@crosszone/jobs";
import { createRecordCodec, SealedTextError, type Vault } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { sql } from "kysely";

/** Reads calls by their ids: the result of each that has ended, `open` for the others. Those that don't exist are absent. */
export type ReadCalls = (ids: readonly string[]) => Promise<ReadonlyMap<string, AgentResult | "open">>;

export function createReadCalls({ db }: Database<ExecutionJobTables>, vault: Vault | undefined): ReadCalls {
  const codec = createRecordCodec(vault);
  const ended = sql.lit(jobStates.ended);

  function resultOf(id: string, output: string): AgentResult {
    try {
      return codec.fromColumn(output, callOutputContext(id)) as AgentResult;
    } catch (error) {
      if (error instanceof SealedTextError) return unreadable(id);
      throw error;
    }
  }

  return async (ids) => {
    if (ids.length === 0) return new Map();
    // An open call can have its result while this waits to be published.
    const output = sql<string | null>`case when state = ${ended} then output end`;
    const calls = db
      .selectFrom("job")
      .select(["id", output.as("output")])
      .where("id", "in", ids);
    const rows = await calls.execute();
    return new Map(rows.map(({ id, output: text }) => [id, text === null ? "open" : resultOf(id, text)]));
  };
}

/** Returns the error that replaces a result whose key is missing, so that other results can still be read. */
function unreadable(id: string): AgentResult {
  const message = "the encryption key of the result is missing";
  const error = { kind: "internal", message, retryable: false } as const;
  const failed = { status: "FAILURE", output_data: null, error_message: message, error } as const;
  return { run_id: id, task_id: id, correlation_id: id, timestamp: new Date(0).toISOString(), ...failed };
}
