import { endedPrefix, isLeasedText, jobChannel, jobStates } from "@crosszone/jobs";
import { notifyText, nowText, prepare, type ColumnKind } from "@crosszone/sql";
import { CompiledQuery, type Kysely } from "kysely";
import { addCallsText, callColumns, dropCallsText, endedColumns } from "./call-statements.ts";
import type { WorkflowTables } from "./workflow-tables.ts";
import {
  addRunsText,
  droppedColumns,
  movedColumns,
  moveRunsText,
  putStepsText,
  runColumns,
  stepColumns,
  type TurnRows,
  type WrittenTurns,
} from "./write-runs.ts";

/** What a statement does besides changing runs and their steps. Each combination is a statement of its own. */
interface Shape {
  readonly isNew: boolean;
  readonly ends: boolean;
  readonly drops: boolean;
  readonly calls: boolean;
  /** Whether to notify other processes of calls to take or to stop. */
  readonly notifies: boolean;
}

interface Part {
  readonly name: keyof TurnRows;
  readonly columns: Readonly<Record<string, ColumnKind>>;
}

interface Statement {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Rows of a part whose run takes effect. */
const ofTaken = ({ name, columns }: Part, run = "run_id"): string =>
  `(select ${Object.keys(columns)
    .map((column) => `${name}.${column}`)
    .join(", ")} from ${name} join taken on taken.run_id = ${name}.${run}) as new`;

const steps: Part = { name: "steps", columns: stepColumns };
const ended: Part = { name: "ended", columns: endedColumns };
const dropped: Part = { name: "dropped", columns: droppedColumns };
const calls: Part = { name: "calls", columns: callColumns };

/** Returns a query for the calls to lock. A call with a null owner is locked no matter which process leases it. */
const touched = ({ ends, drops }: Shape): string =>
  [
    ...(ends ? ["select run_id, id, owner, attempt from ended"] : []),
    ...(drops ? ["select run_id, id, null::text, null::bigint from dropped"] : []),
  ].join(" union all ");

/**
 * Locks the runs that are as expected and whose ending calls this process leases: first all runs, then all calls, each in order, so that
 * statements cannot deadlock.
 */
const takeMoved = (shape: Shape): readonly string[] => [
  `locked as materialized (select runs.run_id, runs.ending_calls from runs
    join workflow_run on workflow_run.run_id = runs.run_id and workflow_run.revision = runs.expected_revision
      and workflow_run.created_at = runs.created_at order by runs.run_id for update of workflow_run)`,
  ...(shape.ends || shape.drops
    ? [
        `leased as materialized (select new.run_id, new.owner from locked
          join (${touched(shape)}) as new(run_id, id, owner, attempt) on new.run_id = locked.run_id
          join job on job.id = new.id and (new.owner is null or ${isLeasedText}) order by job.id for update of job)`,
      ]
    : []),
  `taken as materialized (select run_id from locked ${
    shape.ends || shape.drops
      ? "where ending_calls = (select count(leased.owner) from leased where leased.run_id = locked.run_id)"
      : ""
  })`,
  `moved as (update workflow_run set ${moveRunsText} from runs as new join taken on taken.run_id = new.run_id
    where workflow_run.run_id = new.run_id)`,
];

function statementOf(shape: Shape): Statement {
  const { isNew, ends, drops, calls: hasCalls, notifies } = shape;
  const runs: Part = { name: "runs", columns: isNew ? runColumns : movedColumns };
  const parts = [runs, steps, ...(ends ? [ended] : []), ...(drops ? [dropped] : []), ...(hasCalls ? [calls] : [])];
  const news = [
    ...(hasCalls ? [`select share as payload from added where state = ${jobStates.ready}`] : []),
    ...(drops ? [`select '${endedPrefix}' || id as payload from stopped`] : []),
  ];
  const queries = [
    ...unnested(parts),
    ...(isNew ? [`taken as (${addRunsText("runs")})`] : takeMoved(shape)),
    ...(ends ? [`forgotten as (delete from job using ${ofTaken(ended)} where job.id = new.id)`] : []),
    ...(drops ? [`stopped as (${dropCallsText(ofTaken(dropped), "postgres")} returning job.id)`] : []),
    `put as (${putStepsText(ofTaken(steps))})`,
    ...(hasCalls
      ? [`added as (${addCallsText(ofTaken(calls, "parent"), "postgres")} returning id, share, state)`]
      : []),
    ...(notifies
      ? [
          `notified as materialized (select ${notifyText("postgres", jobChannel, "payload")}
            from (${news.join(" union ")}) as news)`,
        ]
      : []),
  ];
  const answer = `select run_id as id, 0 as is_call, ${nowText.postgres} as at from taken
    ${notifies ? "where (select count(*) from notified) >= 0" : ""}
    ${hasCalls ? `union all select id, 1, 0 from added` : ""}`;
  const text = `with ${queries.join(",\n")}\n${answer}`;
  prepare(text);
  return { text, parts };
}

/** Each part is a table of its rows, an array for each column. */
function unnested(parts: readonly Part[]): readonly string[] {
  let count = 0;
  return parts.map(({ name, columns }) => {
    const arrays = Object.values(columns).map((kind) => `$${(count += 1)}::${kind}[]`);
    return `${name} as (select * from unnest(${arrays.join(", ")}) as ${name}(${Object.keys(columns).join(", ")}))`;
  });
}

const statements = new Map<string, Statement>();

/** Writes turns in one statement, in a transaction or not. Leaves out runs that are not as expected. */
export async function writeOnPostgres(
  db: Pick<Kysely<WorkflowTables>, "executeQuery">,
  rows: TurnRows,
  isNew: boolean,
): Promise<WrittenTurns> {
  const shape: Shape = {
    isNew,
    ends: rows.ended.length > 0,
    drops: rows.dropped.length > 0,
    calls: rows.calls.length > 0,
    notifies: rows.dropped.length > 0 || rows.calls.some(({ state }) => state === jobStates.ready),
  };
  const name = Object.values(shape).join(" ");
  const statement = statements.get(name) ?? statementOf(shape);
  statements.set(name, statement);
  const values = statement.parts.flatMap((part) => {
    const all = rows[part.name] as readonly Readonly<Record<string, unknown>>[];
    return Object.keys(part.columns).map((column) => all.map((row) => row[column]));
  });
  const answer = await db.executeQuery<{ id: string; is_call: number; at: number }>(
    CompiledQuery.raw(statement.text, values),
  );
  const ids = (isCall: number): ReadonlySet<string> =>
    new Set(answer.rows.filter(({ is_call }) => is_call === isCall).map(({ id }) => id));
  return { runs: ids(0), calls: ids(1), at: Math.max(0, ...answer.rows.map(({ at }) => at)) };
}
