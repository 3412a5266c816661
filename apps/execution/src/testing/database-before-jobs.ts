import { randomUUID } from "node:crypto";
import type { AgentTask } from "@crosszone/contracts";
import { callId, callInputContext, callOutputContext } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { openDatabase } from "@crosszone/sql";
import { sql, type Kysely } from "kysely";
import { executionMigrations } from "../database/migrations.ts";
import { outcomeContext, paramsContext, recordOf, requestKey } from "../tasks/sql/task-row.ts";
import { agentResult } from "./fake-bridge.ts";
import { newTask, succeeded } from "./new-task.ts";

/** Tables of any version. */
type AnyTables = Record<string, Record<string, string | number | null>>;

/** Times of a row that a process had leased. */
export interface PlantedLease {
  readonly owner: string | null;
  readonly lease_until: number;
  readonly attempt: number;
}

export const free: PlantedLease = { owner: null, lease_until: 0, attempt: 0 };
/** Of a process that has crashed. */
export const dead: PlantedLease = { owner: "dead", lease_until: 1, attempt: 1 };

/** A database of the version before jobs, with functions that store rows as that version did. */
export interface DatabaseBeforeJobs {
  readonly db: Kysely<AnyTables>;
  /** Stores a task and what waits for its call; `ended`: it was canceled. Returns the task's id. */
  readonly task: (lease: PlantedLease, ended?: "success" | "canceled") => Promise<string>;
  /** Stores the call of a task or run. */
  readonly call: (task: AgentTask, receiver: string, lease: PlantedLease) => Promise<void>;
  readonly endedCall: (task: AgentTask, receiver: string) => Promise<void>;
  /** Stores a message for a consumer group, or for `kafka`. */
  readonly message: (
    place: readonly [channel: string, group: string],
    value: object,
    headers?: object,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const taskOf = (id: string, agent_name = "A"): AgentTask => ({
  run_id: id,
  task_id: id,
  agent_name,
  input_data: { text: `asked ${id}` },
  correlation_id: "c-1",
});

/** Migrates a database back to the previous version, as an operator does. */
export async function migrateBack(url: string): Promise<void> {
  const { transaction, engine, close } = await openDatabase({
    url,
    schema: "execution",
    migrations: executionMigrations,
  });
  await transaction(async (within) => {
    await executionMigrations["0021_jobs"]?.down(within as never, engine);
    await sql`delete from kysely_migration where name >= '0021'`.execute(within);
  });
  await close();
}

/** Opens a database of the previous version. */
export async function openBeforeJobs(url: string, codec: RecordCodec): Promise<DatabaseBeforeJobs> {
  const before = Object.fromEntries(Object.entries(executionMigrations).filter(([name]) => name < "0021"));
  const now = Date.now();
  const { db, close } = await openDatabase<AnyTables>({ url, schema: "execution", migrations: before });
  const insert = async (table: string, values: Record<string, string | number | null>): Promise<void> =>
    void (await db.insertInto(table).values(values).execute());

  const call: DatabaseBeforeJobs["call"] = async ({ input_data, ...task }, receiver, lease) => {
    const id = callId(task);
    const record = JSON.stringify({ task, headers: { "reply-to": receiver } });
    const times = { created_at: now, deadline_at: now + 600_000, finished_at: null };
    const input = codec.toColumn(input_data, callInputContext(id));
    await insert("agent_call", { id, agent: task.agent_name, state: "open", ...lease, ...times, record, input });
  };

  return {
    db,
    close,
    task: async (lease, ended) => {
      const asked = newTask({ key: JSON.stringify(randomUUID()), agent: "A", params: { channel: "C1", text: "hi" } });
      const { task_id, caller, key, params } = asked;
      const sealed = codec.toColumn(params, paramsContext(task_id));
      const answer = ended && codec.toColumn(succeeded(), outcomeContext(task_id));
      const row = { task_id, request_key: requestKey(caller, key), state: ended ?? "working", record: recordOf(asked) };
      const finished_at = ended === undefined ? null : now;
      const times = { created_at: now, deadline_at: now + 600_000, finished_at };
      const content = { params: answer === undefined ? sealed : null, outcome: answer ?? null };
      await insert("task", { ...row, ...lease, ...times, ...content, agent: "A", correlation_id: "c-1" });
      if (ended === "success") return task_id;
      await insert("agent_wait", { task_id, canceled_at: ended === undefined ? null : now });
      return task_id;
    },
    call,
    endedCall: async (task, receiver) => {
      await call(task, receiver, { owner: "dead", lease_until: 1, attempt: 1 });
      const [id, result] = [callId(task), agentResult(task.task_id, { run_id: task.run_id })];
      const end = {
        state: "succeeded",
        finished_at: now,
        input: null,
        output: codec.toColumn(result, callOutputContext(id)),
      };
      await db.updateTable("agent_call").set(end).where("id", "=", id).execute();
    },
    message: async ([channel, group], message, headers = {}) => {
      const key = randomUUID();
      const value = codec.toColumn(message, `bus message ${channel} ${key}`);
      const row = { channel, key, value, headers: JSON.stringify(headers) };
      if (group === "kafka") return insert("bus_outbox", { ...row, created_at: now, lease_until: 0 });
      await insert("bus_message", { ...row, consumer_group: group, published_at: now, attempt: 0, visible_at: 0 });
    },
  };
}
