import { writeStatement, type WriteStatement } from "@crosszone/sql";
import type { NewCallRow } from "./call-row.ts";

const held = { id: "text", owner: "text", attempt: "bigint" } as const;

type Held = keyof typeof held;

/** Statements that write many calls at once. */
export interface CallStatements {
  readonly add: WriteStatement<keyof NewCallRow>;
  readonly renew: WriteStatement<Held | "lease_ms">;
  readonly handBack: WriteStatement<Held>;
  readonly remoteId: WriteStatement<Held | "remote_id">;
  readonly progress: WriteStatement<Held | "progress">;
  readonly way: WriteStatement<Held | "way" | "trial">;
}

/**
 * Creates the statements. `now` is the SQL expression of the database's time. Only the holder of the lease changes a
 * call: its owner, in the same attempt.
 */
export function callStatements(now: string): CallStatements {
  const isHeld = `agent_call.id = new.id and agent_call.owner = new.owner and agent_call.attempt = new.attempt
    and agent_call.finished_at is null`;
  return {
    add: writeStatement({
      table: "agent_call",
      key: "id",
      columns: {
        id: "text",
        agent: "text",
        owner: "text",
        attempt: "bigint",
        lease_ms: "bigint",
        deadline_ms: "bigint",
        team: "text",
        record: "text",
        input: "text",
        files: "text",
        way: "text",
        trial: "text",
      },
      text: (rows) => `insert into agent_call
          (id, agent, state, attempt, owner, lease_until, created_at, deadline_at, team, record, input, files, way, trial)
        select id, agent, 'open', attempt, owner, ${now} + lease_ms, ${now}, ${now} + deadline_ms, team, record, input, files,
          way, trial
        from ${rows} where true on conflict do nothing`,
    }),
    renew: writeStatement({
      table: "agent_call",
      key: "id",
      columns: { ...held, lease_ms: "bigint" },
      text: (rows) => `update agent_call set lease_until = ${now} + new.lease_ms from ${rows} where ${isHeld}`,
    }),
    handBack: writeStatement({
      table: "agent_call",
      key: "id",
      columns: held,
      text: (rows) => `update agent_call set owner = null, attempt = agent_call.attempt - 1, lease_until = 0
        from ${rows} where ${isHeld}`,
    }),
    remoteId: writeStatement({
      table: "agent_call",
      key: "id",
      columns: { ...held, remote_id: "text" },
      text: (rows) => `update agent_call set remote_id = new.remote_id from ${rows} where ${isHeld}`,
    }),
    progress: writeStatement({
      table: "agent_call",
      key: "id",
      columns: { ...held, progress: "text" },
      text: (rows) => `update agent_call set progress = new.progress from ${rows} where ${isHeld}`,
    }),
    way: writeStatement({
      table: "agent_call",
      key: "id",
      columns: { ...held, way: "text", trial: "text" },
      text: (rows) => `update agent_call set way = new.way, trial = new.trial from ${rows} where ${isHeld}`,
    }),
  };
}
