import type { ExecutionColumn, ExecutionJobTables, JobLease, JobObserver, JobStore } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { DeadLetterTables } from "../database/dead-letter-table.ts";

/** Options of a gateway, in addition to those of the connection. */
export interface GatewayOptions<Tables extends ExecutionJobTables & DeadLetterTables> extends KafkaBusOptions {
  /** The zone's database. Stays open when the gateway is closed. */
  readonly database: Database<Tables>;
  /** The jobs of that database, and the lease of this process. */
  readonly store: JobStore<ExecutionColumn>;
  readonly lease: Pick<JobLease, "owner" | "leaseMs">;
  /** Seals what is stored. Topics always have unsealed JSON. */
  readonly codec: RecordCodec;
  /** Receives failed operations of the store. */
  readonly jobObserver: Pick<JobObserver, "storeFailed">;
}
