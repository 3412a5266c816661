import { executionJobs, type ExecutionColumn } from "@crosszone/agent-calls";
import {
  endColumns,
  leaseColumns,
  insertColumns,
  insertOrText,
  isLeasedText,
  jobStates,
  resultText,
  notifyingEnds,
} from "@crosszone/jobs";
import { nowText, writeStatement, type ColumnKind, type Engine, type WriteStatement } from "@crosszone/sql";
import { shareOf } from "./publish-jobs.ts";

const [tasks, results] = [shareOf("agent_tasks"), shareOf("agent_results")];
const { leased, ended } = jobStates;

const result = resultText(executionJobs);

/** Statements of the gateway that write many jobs at once. */
export interface GatewayStatements {
  /** Stores calls that arrive by the topic, or takes them over from the publisher in the same database. */
  readonly claim: WriteStatement<string>;
  /** Ends leased calls, whose results are then to be published. */
  readonly toResult: WriteStatement<string>;
  /** Their messages are published: leased jobs get the state `new.state`. */
  readonly published: WriteStatement<string>;
  /** Deletes leased jobs that were only a message. */
  readonly remove: WriteStatement<string>;
  /** Ends calls whose results came by the topic. Notifies other processes of those with `notifies`. */
  readonly answered: WriteStatement<string>;
}

export function gatewayStatements(engine: Engine): GatewayStatements {
  const now = nowText[engine];
  const change = (columns: Readonly<Record<string, ColumnKind>>, text: (rows: string) => string) =>
    writeStatement<string>({ table: "job", key: "id", columns, text, locksInOrder: true });
  const taken = ["share", "state", "owner", "attempt", "due_at", "name"] as const satisfies (
    ExecutionColumn | "share" | "state" | "owner" | "attempt" | "due_at"
  )[];
  const onConflict = `(id) do update set ${taken.map((name) => `${name} = excluded.${name}`).join(", ")}
    where job.share = '${tasks}' and job.state < ${ended}`;
  const answered = (rows: string): string => `
    update job set state = ${ended}, owner = null, ended_at = coalesce(job.ended_at, ${now}), ${result}
    from ${rows}
    where job.id = new.id and job.state < ${ended}
      and (job.share = '${tasks}' or (new.notifies = 1 and job.share = '${results}'))`;
  return {
    // Changes the rows one after another, in the order of their ids.
    claim: writeStatement<string>({
      table: "job",
      key: "id",
      columns: insertColumns(executionJobs),
      text: (rows) => insertOrText(executionJobs, rows, { engine, onConflict }),
    }),
    toResult: change(
      { ...leaseColumns, ...endColumns(executionJobs), new_state: "bigint" },
      (rows) => `
        update job set share = '${results}', state = new.new_state, due_at = ${now}, ended_at = ${now},
          owner = case when new.new_state = ${leased} then job.owner end, ${result}
        from ${rows} where ${isLeasedText}`,
    ),
    // The share shows that no bridge of this process has claimed the call meanwhile.
    published: change(
      { ...leaseColumns, share: "text", new_state: "bigint" },
      (rows) => `
        update job set state = new.new_state, owner = case when new.new_state = ${ended} then job.owner end
        from ${rows} where ${isLeasedText} and job.share = new.share`,
    ),
    remove: change(leaseColumns, (rows) =>
      engine === "postgres"
        ? `delete from job using ${rows} where ${isLeasedText}`
        : `delete from job where sequence in (select job.sequence from job join ${rows} on ${isLeasedText})`,
    ),
    answered: writeStatement<string>({
      table: "job",
      key: "id",
      columns: { id: "text", ...endColumns(executionJobs), notifies: "bigint" },
      text: answered,
      postgresText: (rows, unlocked) =>
        notifyingEnds(`${answered(rows)} returning job.id`, `${unlocked} where new.notifies = 1`),
      locksInOrder: true,
    }),
  };
}
