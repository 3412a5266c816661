import { writeStatement, type WriteStatement } from "@crosszone/sql";

const held = { task_id: "text", owner: "text", attempt: "bigint" } as const;

type Held = keyof typeof held;

/** Statements that write many tasks at once. */
export interface TaskStatements {
  readonly create: WriteStatement<
    | Held
    | "request_key"
    | "lease_ms"
    | "deadline_ms"
    | "team"
    | "agent"
    | "correlation_id"
    | "record"
    | "params"
    | "handle"
  >;
  readonly end: WriteStatement<Held | "state" | "outcome" | "error_kind">;
  readonly renew: WriteStatement<Held | "lease_ms">;
  readonly handBack: WriteStatement<Held>;
}

/**
 * Creates the statements. `now` is the SQL expression of the database's time. Only the holder of the lease changes a
 * task: its owner, in the same attempt.
 */
export function taskStatements(now: string): TaskStatements {
  const isHeld = "task.task_id = new.task_id and task.owner = new.owner and task.attempt = new.attempt";
  const works = "task.state = 'working'";
  return {
    create: writeStatement({
      table: "task",
      key: "request_key",
      columns: {
        ...held,
        request_key: "text",
        lease_ms: "bigint",
        deadline_ms: "bigint",
        team: "text",
        agent: "text",
        correlation_id: "text",
        record: "text",
        params: "text",
        handle: "text",
      },
      text: (rows) => `insert into task
          (task_id, request_key, state, attempt, owner, lease_until, created_at, deadline_at, team, agent, correlation_id, record,
           params, handle)
        select task_id, request_key, 'working', attempt, owner, ${now} + lease_ms, ${now}, ${now} + deadline_ms,
          team, agent, correlation_id, record, params, handle
        from ${rows} where true on conflict do nothing`,
    }),
    end: writeStatement({
      table: "task",
      key: "task_id",
      columns: { ...held, state: "text", outcome: "text", error_kind: "text" },
      text: (rows) => `update task
        set state = new.state, outcome = new.outcome, error_kind = new.error_kind, finished_at = ${now}, params = null, handle = null
        from ${rows} where ${isHeld} and ${works}`,
    }),
    renew: writeStatement({
      table: "task",
      key: "task_id",
      columns: { ...held, lease_ms: "bigint" },
      text: (rows) => `update task set lease_until = ${now} + new.lease_ms from ${rows} where ${isHeld} and ${works}`,
    }),
    handBack: writeStatement({
      table: "task",
      key: "task_id",
      columns: held,
      text: (rows) => `update task set owner = null, attempt = task.attempt - 1, lease_until = 0
        from ${rows} where ${isHeld} and ${works}`,
    }),
  };
}
