import type { BridgeEmit } from "@crosszone/agent-bridge";
import type { AgentResult } from "@crosszone/contracts";
import type { CallHeaders, CallIntake, ExecutionColumn, ExecutionJobTables } from "@crosszone/agent-calls";
import type { EndingJob, ProcessJobs } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { KafkaBus } from "../bus/kafka-bus.ts";
import type { DeadLetterTables } from "../database/dead-letters.ts";

/** Options of a gateway, in addition to those of the connection. */
export interface GatewayOptions<Tables extends ExecutionJobTables & DeadLetterTables> extends KafkaBusOptions {
  /** The zone's database. Stays open when the gateway is closed. */
  readonly database: Database<Tables>;
  /** The jobs of that database. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Seals what is stored. Topics always have unsealed JSON. */
  readonly codec: RecordCodec;
}

/**
 * The edge of a process to Kafka. Calls of the roles `rpc` and `workflow` go out as messages, bridges consume them, and
 * results come back as messages. Messages are published after the commit of the change that makes them: a message is a
 * job with the share `publish <channel>` until Kafka has stored it.
 */
export interface KafkaGateway extends Pick<KafkaBus, "deadLetters" | "readQueues" | "ping"> {
  /** Takes the calls of the roles `rpc` and `workflow`. */
  readonly intake: CallIntake;
  /**
   * Consumes the topics of this process's roles, and publishes what waits. Rejects when a topic can't be consumed;
   * everything is stopped then.
   */
  readonly start: (roles: GatewayRoles) => Promise<void>;
  /**
   * Ends a call that this process has leased and publishes its result. Resolves when the end is durable; the message follows,
   * even if the process crashes. Resolves with false when the call was lost: then nothing is stored or published.
   */
  readonly publishResult: (
    ending: EndingJob<ExecutionColumn>,
    result: AgentResult,
    headers: CallHeaders,
  ) => Promise<boolean>;
  /** Consumes no more messages; waits up to `graceMs` milliseconds for those that are being stored. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Publishes its leased messages within `graceMs` milliseconds (default 5,000), leaves the rest to others, and disconnects. */
  readonly close: (graceMs?: number) => Promise<void>;
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
   * Applies the results of workflow steps and ends their calls. Resolves when its effect is durable; rejects to get it
   * again. `attempt` from 1. For the role `workflow`.
   */
  readonly onRunResult?: (result: AgentResult, attempt: number) => Promise<void>;
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
