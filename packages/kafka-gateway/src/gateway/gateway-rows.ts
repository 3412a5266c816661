import type { AgentResult } from "@crosszone/contracts";
import {
  callId,
  callOutputContext,
  executionJobs,
  type AgentCallRecord,
  type ExecutionColumn,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import {
  endRow,
  insertRow,
  jobStates,
  type EndingJob,
  type LeaseId,
  type JobEnd,
  type JobLease,
  type NewJob,
} from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { createGroupCommit, type Database, type WriteRow, type WriteStatement } from "@crosszone/sql";
import type { BusMessage, ChannelName } from "../bus/bus-message.ts";
import { gatewayStatements } from "./gateway-statements.ts";
import { shareOf } from "./publish-jobs.ts";

/** The jobs of the zone's database as the gateway changes them. Concurrent changes of one sort share a commit. */
export interface GatewayRows {
  /** Stores a call. Returns false when it exists, unless only its publisher has it: then it is taken over. */
  readonly claim: (job: NewJob<ExecutionColumn>) => Promise<boolean>;
  /** Ends a leased call; its result is to be published. Returns false when it was lost. */
  readonly toResult: (ending: EndingJob<ExecutionColumn>, as: "leased" | "ready") => Promise<boolean>;
  /** A leased job's message is published. */
  readonly published: (leaseId: LeaseId, channel: ChannelName, state: "waiting" | "ended") => Promise<boolean>;
  /** Deletes a leased job that is only a message. */
  readonly remove: (leaseId: LeaseId) => Promise<boolean>;
  /** Ends the call that waits for this result. `notifies`: its task waits in another process. */
  readonly answered: (result: AgentResult, notifies: boolean) => Promise<boolean>;
  /** Returns the message with the result of an ended call; undefined without one. */
  readonly resultOf: (id: string) => Promise<BusMessage<"agent_results"> | undefined>;
}

export interface GatewayRowsDeps {
  readonly database: Database<ExecutionJobTables>;
  readonly lease: JobLease;
  readonly codec: RecordCodec;
}

/** Returns the end of a call with this result. */
export function endOf(result: AgentResult, codec: RecordCodec): JobEnd<ExecutionColumn> {
  const { status, error, attempts } = result;
  const failed = error?.kind === "canceled" ? "canceled" : "failed";
  return {
    outcome: status === "SUCCESS" ? "succeeded" : failed,
    output: codec.toColumn(result, callOutputContext(callId(result))),
    own: { error_kind: error?.kind ?? null, agent_attempts: attempts ?? null },
  };
}

export function createGatewayRows({ database, lease, codec }: GatewayRowsDeps): GatewayRows {
  const { db, engine } = database;
  const statements = gatewayStatements(engine);
  const grouped = (statement: WriteStatement<string>, options: { readonly unflushed?: boolean } = {}) =>
    createGroupCommit((rows: readonly WriteRow<string>[]) => database.write(statement, rows, options), {
      sizeOf: ({ input, output }) => String(input ?? output ?? "").length,
    });
  const [claim, toResult] = [grouped(statements.claim), grouped(statements.toResult)];
  // After a power loss a message may be published again.
  const [published, remove] = [
    grouped(statements.published, { unflushed: true }),
    grouped(statements.remove, { unflushed: true }),
  ];
  const answered = grouped(statements.answered);
  const leaseRow = ({ id, attempt }: LeaseId) => ({ id, attempt, owner: lease.owner });

  return {
    claim: (job) => claim(insertRow(executionJobs, job, lease.owner)),
    toResult: ({ leaseId, end }, as) =>
      toResult({ ...endRow(executionJobs, leaseId, { owner: lease.owner, end }), new_state: jobStates[as] }),
    published: (leaseId, channel, state) =>
      published({ ...leaseRow(leaseId), share: shareOf(channel), new_state: jobStates[state] }),
    remove: (leaseId) => remove(leaseRow(leaseId)),
    answered: (result, notifies) => {
      const leaseId = { id: callId(result), attempt: 0 };
      return answered(endRow(executionJobs, leaseId, { owner: "", end: endOf(result, codec), notifies }));
    },
    resultOf: async (id) => {
      const row = await db
        .selectFrom("job")
        .select(["record", "output"])
        .where("id", "=", id)
        .where("state", "=", jobStates.ended)
        .executeTakeFirst();
      if (row?.output == null) return undefined;
      const { headers } = JSON.parse(row.record) as AgentCallRecord;
      const value = codec.fromColumn(row.output, callOutputContext(id)) as AgentResult;
      return { channel: "agent_results", value, headers };
    },
  };
}
