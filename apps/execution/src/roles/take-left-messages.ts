import { createCallIntake, deadlineMsOf } from "@crosszone/agent-bridge";
import type { AgentCancellation, AgentResult, AgentTask } from "@crosszone/contracts";
import { agentCallJob, callId, callOutputContext, type CallHeaders } from "@crosszone/jobs";
import { createRecordCodec, type Logger } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Workflows } from "@crosszone/workflow";
import type { LeftMessage } from "../database/left-message-table.ts";
import type { ZoneBasis } from "./zone-basis.ts";

export interface LeftMessagesDeps extends Pick<ZoneBasis, "database" | "vault"> {
  readonly jobs: Pick<ZoneBasis["jobs"], "store">;
  readonly logger: Logger<ExecutionEvent>;
  /** Receives the results of workflow steps. Absent in processes that don't advance runs: they leave these. */
  readonly runs?: Pick<Workflows, "takeResult"> | undefined;
  /** Timeout of a task without deadline, milliseconds. */
  readonly deadlineMs: number;
}

/** Rows read at once. Their values can be large. */
const most = 50;

/**
 * Makes jobs of the messages that the migration to jobs has left, and applies their results. It is safe to repeat, and several processes
 * can run it at once. Messages whose key is missing stay for a process that has the key.
 */
export async function takeLeftMessages(deps: LeftMessagesDeps): Promise<void> {
  const { database, logger, runs } = deps;
  const { db } = database;
  const handle = createHandler(deps);
  const receivers = ["agent-bridge", "execution", ...(runs === undefined ? [] : ["workflow"])];
  for (let after = 0; ;) {
    const next = db.selectFrom("left_message").selectAll().where("id", ">", after);
    const rows = await next.where("receiver", "in", receivers).orderBy("id").limit(most).execute();
    for (const row of rows) {
      after = row.id;
      try {
        await handle(row);
        await db.deleteFrom("left_message").where("id", "=", row.id).execute();
      } catch (cause) {
        logger.error("left_message_kept", { channel: row.channel, message_id: row.id, cause });
      }
    }
    if (rows.length < most) return;
  }
}

function createHandler({ jobs: { store }, vault, runs, deadlineMs }: LeftMessagesDeps) {
  const codec = createRecordCodec(vault);
  const { cancel } = createCallIntake({ store, vault });

  async function addTask(task: AgentTask, headers: CallHeaders): Promise<void> {
    const parent = headers["reply-to"] === undefined ? undefined : task.run_id;
    const call = { task, headers, deadlineMs: deadlineMsOf(task, deadlineMs), parent };
    await store.add(agentCallJob(call, "ready", codec));
  }

  /** Stores a result for its task, which reads it when it is taken over. */
  async function keepResult(result: AgentResult, headers: CallHeaders): Promise<void> {
    const id = callId(result);
    const { run_id, task_id, correlation_id } = result;
    const task = { run_id, task_id, correlation_id, agent_name: "", input_data: null };
    // The call can be one of a bridge with another database.
    await store.add(agentCallJob({ task, headers, deadlineMs, parent: run_id }, "waiting", codec));
    await store.endOpen(id, {
      outcome: result.status === "SUCCESS" ? "succeeded" : "failed",
      output: codec.toColumn(result, callOutputContext(id)),
      own: { error_kind: result.error?.kind ?? null },
    });
  }

  return async ({ channel, receiver, value, context, headers: text }: LeftMessage): Promise<void> => {
    const message = codec.fromColumn(value, context);
    const headers = JSON.parse(text) as CallHeaders;
    if (channel === "agent_tasks") return addTask(message as AgentTask, headers);
    if (channel === "agent_cancellations") {
      const { reason = "", ...call } = message as AgentCancellation;
      return cancel(call, reason);
    }
    if (receiver === "workflow") return runs?.takeResult(message as AgentResult, 1);
    return keepResult(message as AgentResult, headers);
  };
}
