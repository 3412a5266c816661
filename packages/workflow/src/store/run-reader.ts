import {
  isRunId,
  type RunState,
  type WorkflowDefinition,
  type WorkflowRun,
  type WorkflowRunSummary,
  type WorkflowStepRecord,
} from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import {
  columnText,
  type Database,
  type Engine,
  narrowedTo,
  type Narrowing,
  now,
  retryBriefly,
  storedBytes,
  withinPageBytes,
} from "@crosszone/sql";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { RunRecord } from "../steps/run-record.ts";
import {
  type PresentedRun,
  presentRun,
  presentStep,
  shownView,
  showsComputed,
  stepHead,
  summaryColumns,
  summaryOf,
} from "./present-run.ts";
import {
  runStatesColumns,
  runStatesOf,
  type RunStatesRow,
  type StepRow,
  stepStateColumns,
  type StepStateRow,
  storedRunOf,
} from "./run-row.ts";
import type { RunReading } from "./stored-run.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A consistent snapshot of a run's row and its steps' rows. */
interface RunRows<Row, Step> {
  readonly row: Row;
  readonly steps: readonly Step[];
}

/** What a read of a run costs. */
export interface RunSize extends RunStanding {
  /** The stored bytes of the run and of the steps that changed after a revision. */
  readonly bytes: number;
}

interface Revised {
  readonly revision: number;
}

async function atOneMoment<Row extends Revised, Step extends Revised>(
  runId: string,
  read: { readonly row: () => Promise<Row | undefined>; readonly steps: () => Promise<readonly Step[]> },
): Promise<RunRows<Row, Step> | undefined> {
  if (!isRunId(runId)) return undefined;
  return retryBriefly(async () => {
    for (;;) {
      const row = await read.row();
      if (row === undefined) return undefined;
      const steps = await read.steps();
      // A step with a later revision means that the run changed between the two reads.
      if (steps.every(({ revision }) => revision <= row.revision)) return { row, steps };
    }
  });
}

/** Revision of a run, and whether it has ended. */
export interface RunStanding {
  readonly revision: number;
  readonly hasEnded: boolean;
}

/** Returns the revisions of runs by id, in one small query. Missing runs are left out. */
export async function readStandings(
  db: Kysely<WorkflowTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunStanding>> {
  const runs = db.selectFrom("workflow_run").select(["run_id", "revision", "ended_at"]);
  const rows = await runs.where("run_id", "in", ids).execute();
  return new Map(rows.map(({ run_id, revision, ended_at }) => [run_id, { revision, hasEnded: ended_at !== null }]));
}

export interface DueRun {
  readonly runId: string;
  /** How long the timer has been due, milliseconds. */
  readonly lateMs: number;
}

/** Returns up to `most` runs whose timers are due, longest overdue first, and the time until the next timer of any run, milliseconds. */
export async function findDueRuns(
  db: Kysely<WorkflowTables>,
  engine: Engine,
  most: number,
): Promise<{ readonly due: readonly DueRun[]; readonly nextInMs: number | undefined }> {
  const time = sql`(select ${now(engine)})`;
  const { rows } = await sql<{ run_id: string | null; late: number | null }>`
    select * from (select run_id, ${time} - due_at as late from workflow_run
      where due_at <= ${time} order by due_at limit ${most}) as due
    union all select null, ${time} - min(due_at) from workflow_run where due_at > ${time}`.execute(db);
  const due = rows.flatMap(({ run_id, late }) => (run_id === null ? [] : [{ runId: run_id, lateMs: late ?? 0 }]));
  const next = rows.find(({ run_id }) => run_id === null)?.late ?? undefined;
  return { due, nextInMs: next === undefined ? undefined : -next };
}

/** The place of a run in the list: when it was created, Unix milliseconds, and its id. Those after it are older. */
type RunKey = readonly [createdAt: number, runId: string];

export interface RunQuery extends Narrowing {
  readonly limit: number;
  readonly cursor?: RunKey | undefined;
  readonly workflowId?: string;
  readonly state?: RunState;
  readonly correlationId?: string;
  /** Whether it has not ended. */
  readonly open?: boolean;
  /** Whether people are asked who have not decided yet. */
  readonly waiting?: boolean;
}

export interface RunPage {
  readonly runs: readonly WorkflowRunSummary[];
  /** The place of the last run, if there are older ones. */
  readonly next: RunKey | undefined;
}

/** The zone's table of input requests is in the same database. */
const waitsForPeople = sql<boolean>`run_id in (
  select run_id from input_request where state = 'open' and run_id is not null)`;

/** Readings of all runs, for metrics. */
export interface RunReadings {
  /** Runs that have not ended. */
  readonly open: number;
  /** The longest delay of a due timer, milliseconds; 0 when none is due. */
  readonly oldestDueMs: number;
}

export interface ReadRun {
  readonly run: WorkflowRun;
  /** For `progressOf` and `graphOf`. */
  readonly record: RunRecord;
}

export interface RunStates {
  readonly run: { readonly revision: number; readonly definition: WorkflowDefinition };
  /** Without input, outputs and errors. */
  readonly record: RunRecord;
}

/** Returns a page of runs, newest first. Each query reads one index from the place of the cursor. */
async function listRuns(
  db: Kysely<WorkflowTables>,
  { workflowId, state, correlationId, open, waiting, limit, cursor, ...narrowing }: RunQuery,
  codec: RecordCodec,
): Promise<RunPage> {
  const after = ([at, id]: RunKey) => sql<boolean>`(created_at, run_id) < (${at}, ${columnText(id)})`;
  const matches = (eb: ExpressionBuilder<WorkflowTables, "workflow_run">) =>
    eb.and([
      eb.and({
        workflow_id: workflowId,
        state,
        correlation_id: correlationId === undefined ? undefined : columnText(correlationId),
      }),
      narrowedTo(narrowing, "run_id"),
      ...(open === undefined ? [] : [eb("ended_at", open ? "is" : "is not", null)]),
      ...(waiting === undefined ? [] : [waiting ? waitsForPeople : sql<boolean>`not ${waitsForPeople}`]),
    ]);
  const newest = db.selectFrom("workflow_run").orderBy("created_at", "desc").orderBy("run_id", "desc");
  const matching = newest.select("run_id").where(matches);
  const page = (cursor === undefined ? matching : matching.where(after(cursor)))
    .select(storedBytes("error", "record").as("bytes"))
    .limit(limit);
  const shown = newest.select(summaryColumns).where(withinPageBytes("workflow_run", ["run_id"], page));
  const rows = await shown.execute();
  const last = rows.at(-1);
  const place: RunKey | undefined = last && [last.created_at, last.run_id];
  // A page of large rows ends early.
  const older = place && (await matching.where(after(place)).limit(1).executeTakeFirst());
  return { runs: rows.map((row) => summaryOf(row, codec)), next: older && place };
}

export interface RunReader extends ReturnType<typeof createRunReader> {}

/** Whether the step's output is computed from its inner steps. */
const isComputed = ({ state, task_id }: StepRow): boolean => state === "succeeded" && task_id === null;

/** Reads runs, each as a consistent snapshot. Rejects with a `SealedTextError` if no key decrypts a run. */
export function createRunReader({ db, engine }: Database<WorkflowTables>, reading: RunReading) {
  const { codec, planOf } = reading;
  const runs = db.selectFrom("workflow_run");

  /** Reads a run and the steps that changed after a revision. Undefined if the run does not exist. */
  async function present(runId: string, since = -1): Promise<PresentedRun | undefined> {
    const steps = db.selectFrom("workflow_step").selectAll().where("run_id", "=", runId);
    const found = await atOneMoment(runId, {
      row: () => runs.selectAll().where("run_id", "=", runId).executeTakeFirst(),
      steps: () => steps.where("revision", ">", since).execute(),
    });
    return found && { ...found, stored: storedRunOf(found.row, found.steps, reading) };
  }

  /** Reads a run and all its steps without inputs and outputs. */
  const readStates = (runId: string): Promise<RunRows<RunStatesRow, StepStateRow> | undefined> =>
    atOneMoment(runId, {
      row: () => runs.select(runStatesColumns).where("run_id", "=", runId).executeTakeFirst(),
      steps: () => db.selectFrom("workflow_step").select(stepStateColumns).where("run_id", "=", runId).execute(),
    });

  return {
    /** Returns the input of `changesSince` for a revision. Leaves out unchanged steps where possible. */
    changed: async (runId: string, since: number): Promise<PresentedRun | undefined> => {
      const found = await present(runId, since);
      return found && showsComputed(found.stored) && found.steps.some(isComputed) ? present(runId) : found;
    },

    /** Undefined if the run does not exist. */
    getRun: async (runId: string): Promise<ReadRun | undefined> => {
      const found = await present(runId);
      return found && { run: presentRun(found, codec), record: found.stored.record };
    },

    /** Returns the size of `getRun`, `attempts` or an update since a revision, without reading content. Undefined if the run does not exist. */
    sizeOf: async (runId: string, since = -1): Promise<RunSize | undefined> => {
      if (!isRunId(runId)) return undefined;
      const sizes = runs
        .select(["revision", "ended_at", storedBytes("input", "definition", "output", "error").as("own")])
        .select((eb) =>
          eb
            .selectFrom("workflow_step")
            .whereRef("workflow_step.run_id", "=", "workflow_run.run_id")
            .where("workflow_step.revision", ">", since)
            .select(sql<number | null>`sum(${storedBytes("input", "output", "error")})`.as("bytes"))
            .as("steps"),
        );
      const row = await retryBriefly(() => sizes.where("run_id", "=", runId).executeTakeFirst());
      return row && { revision: row.revision, hasEnded: row.ended_at !== null, bytes: row.own + (row.steps ?? 0) };
    },

    /**
     * Returns the states of a run's steps, for `progressOf`, without reading or decrypting inputs and outputs. Undefined if the run does not
     * exist.
     */
    states: async (runId: string): Promise<RunStates | undefined> => {
      const found = await readStates(runId);
      if (found === undefined) return undefined;
      const { row, steps } = found;
      const { definition } = planOf(row.definition);
      return { run: { revision: row.revision, definition }, record: runStatesOf(row, steps) };
    },

    /** Returns all attempts of one step instance, oldest first. */
    attempts: async (runId: string, path: string): Promise<readonly WorkflowStepRecord[]> => {
      const found = await present(runId);
      if (found === undefined) return [];
      const view = shownView(found.stored);
      const attempts = found.steps.filter((step) => step.path === path);
      return attempts.toSorted((a, b) => a.attempt - b.attempt).map((step) => presentStep(step, view, codec));
    },

    /** Returns the attempts of all steps without input, output and error, in the order of their start. Undefined if the run does not exist. */
    attemptStates: async (runId: string): Promise<readonly WorkflowStepRecord[] | undefined> => {
      const found = await readStates(runId);
      if (found === undefined) return undefined;
      const { definition } = planOf(found.row.definition);
      const begun = found.steps.toSorted((a, b) => (a.started_at ?? Infinity) - (b.started_at ?? Infinity));
      return begun.map((row) => stepHead(row, definition));
    },

    /** Newest first. */
    listRuns: (query: RunQuery): Promise<RunPage> => retryBriefly(() => listRuns(db, query, codec)),

    readings: (): Promise<RunReadings> =>
      retryBriefly(async () => {
        // Uses the index: the table can be large.
        const { open } = await runs
          .select(({ fn }) => fn.countAll<number>().as("open"))
          .where("state", "in", ["pending", "running"])
          .executeTakeFirstOrThrow();
        const due = await sql<{ ms: number | null }>`
          select ${now(engine)} - min(due_at) as ms from workflow_run where due_at is not null`.execute(db);
        return { open, oldestDueMs: Math.max(0, due.rows[0]?.ms ?? 0) };
      }),
  };
}
