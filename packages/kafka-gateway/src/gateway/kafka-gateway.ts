import type { BridgeEmit } from "@crosszone/agent-bridge";
import type { AgentResult } from "@crosszone/contracts";
import type { CallIntake, ExecutionColumn, ExecutionJobTables } from "@crosszone/agent-calls";
import type { Arrival, JobEnd, ProcessJobs, TurnedJob } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { BusEmit } from "../bus/kafka-bus.ts";
import type { DeadLetterTables } from "./dead-letters.ts";

/** What a gateway works on, besides the bus. */
export interface GatewayOptions<Tables extends ExecutionJobTables & DeadLetterTables> {
  /** The zone's database. Stays open when the gateway is closed. */
  readonly database: Database<Tables>;
  /** The jobs of that database. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Seals what is stored. Topics always have unsealed JSON. */
  readonly codec: RecordCodec;
  /** Reports events; they are ignored when absent. */
  readonly emit?: BusEmit;
}

/** The message handlers of this process's roles. */
export interface GatewayRoles {
  /** Consumes tasks and cancellations. For the role `bridge`. */
  readonly bridge?: GatewayBridge;
  /**
   * Receives the results of tasks' calls. Returns whether the task waits in this process; otherwise the database
   * notifies the process where it waits. For the role `rpc`.
   */
  readonly onTaskResult?: (result: AgentResult) => boolean;
  /**
   * Lets the call of a workflow step that has this end arrive here as a job with its result. Undefined for other senders. For the role
   * `workflow`.
   */
  readonly enterResult?: (
    result: AgentResult,
    end: JobEnd<ExecutionColumn>,
  ) => (Arrival & Pick<TurnedJob<ExecutionColumn>, "kind">) | undefined;
}

/** The bridge as the gateway uses it. */
export interface GatewayBridge {
  /** Stores and runs the calls that tasks on the topic become. */
  readonly intake: Pick<CallIntake, "enter">;
  /** Stops the work on a call that has ended, if it runs here. */
  readonly drop: (callId: string) => void;
  /** Timeout of a task without deadline, milliseconds. */
  readonly deadlineMs: number;
  readonly emit: BridgeEmit;
}
