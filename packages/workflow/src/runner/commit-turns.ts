import {
  type CallArrival,
  callId,
  type CallIntake,
  type ExecutionColumn,
  inputKind,
  subRunKind,
} from "@crosszone/agent-calls";
import type { AppendAudit } from "@crosszone/audit";
import type { Batch, JobStore, WrittenBatch } from "@crosszone/jobs";
import { type Emit, emitWith } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Transaction } from "kysely";
import { pausesDeadline } from "../run/run-events.ts";
import { hasEnded, type RunRecord, type StepRecord } from "../steps/run-record.ts";
import {
  changingRunRow,
  type ChangingRunRow,
  type StepRow,
  stepRowOf,
  type UnchangingRunRow,
} from "../store/run-row.ts";
import { jobsBelow, startsRuns, treeOf, TreeRooms } from "../store/run-trees.ts";
import type { RunCache, RunReading, StoredRun } from "../store/stored-run.ts";
import type { WorkflowTables } from "../store/workflow-tables.ts";
import { type MovedRunRow, writeMovedRuns, writeNewRuns } from "../store/write-runs.ts";
import { runInputJob, type Turn } from "./turn.ts";

/** How long the difference to this process's clock is trusted, milliseconds. */
const trustMs = 600_000;

/** A jump of this process's clock, by a correction or because the machine slept, milliseconds. */
const jumpMs = 50;

/** The database's clock, so that a change can be computed without a query. */
export class DatabaseClock {
  #ahead = 0;
  #learnedAt = -Infinity;
  #drift = 0;

  /** Returns the time, Unix milliseconds; undefined when it is not known well enough. */
  now(): number | undefined {
    const isTrusted = performance.now() - this.#learnedAt < trustMs && Math.abs(driftNow() - this.#drift) < jumpMs;
    return isTrusted ? Math.round(Date.now() + this.#ahead) : undefined;
  }

  /** `at`: the time in the latest response of the database. */
  learn(at: number): void {
    if (at === 0) return;
    this.#ahead = at - Date.now();
    this.#learnedAt = performance.now();
    this.#drift = driftNow();
  }
}

const driftNow = (): number => Date.now() - performance.now();

/**
 * Reports a durable change of a run, in the process that caused it: with ids and durations in milliseconds, and without text of people or
 * agents.
 */
function reportTurn(emit: Emit<ExecutionEvent>, { before, after, steps, fault }: Turn): void {
  const { record, plan, origin } = before;
  const { correlation_id, headers } = origin;
  const { workflow_id } = plan.definition;
  const report = emitWith(emit, {
    run_id: record.run_id,
    workflow_id,
    correlation_id,
    traceparent: headers["traceparent"],
  });
  if (record.state === "pending" && after.state !== "pending") report("run_started");
  if (hasEnded(record)) report("run_reopened");
  for (const { path, step } of steps) {
    const { attempt, state } = step;
    if (state === "pending") continue;
    if (state === "running") report("step_started", { path, attempt, state });
    else report("step_ended", { path, attempt, state, duration_ms: durationOf(step) });
  }
  if (fault !== undefined) report("run_broken", { cause: fault });
  if (hasEnded(after)) report("run_ended", { state: after.state, duration_ms: durationOf(after) });
}

/** Returns how long an ended step or run took, milliseconds; 0 if it never started. */
const durationOf = ({ started_at, ended_at }: StepRecord | RunRecord): number =>
  started_at === undefined || ended_at === undefined ? 0 : ended_at - started_at;

/** What a turn reads and writes. */
export interface TurnDeps extends RunReading {
  readonly database: Database<WorkflowTables>;
  readonly cache: RunCache;
  readonly clock: DatabaseClock;
  readonly jobs: JobStore<ExecutionColumn>;
  readonly intake: CallIntake;
  readonly append: AppendAudit;
  /** Wakes the jobs of steps. */
  readonly wakeJobs: (ids: readonly string[]) => Promise<void>;
  readonly emit: Emit<ExecutionEvent>;
  /** Receives changed runs once the change is durable. */
  readonly onChanged: (runs: readonly ChangedRun[]) => void;
}

/** `dueAt`: when its next timer is due, Unix milliseconds by the database's clock. */
export interface ChangedRun {
  readonly runId: string;
  readonly dueAt: number | null;
}

/** Turns that are written, perhaps in a transaction that has not ended. */
export interface CommittedTurns {
  /** The changed runs. Turns whose run was no longer as before, or whose tree has no room for them, are missing. */
  readonly stored: ReadonlyMap<Turn, StoredRun>;
  /** Turns whose tree has no room for them. */
  readonly refused: readonly Turn[];
  /** The change is durable: begins calls, stops others and reports it. */
  readonly confirm: () => void;
  /** The change may have been rolled back. */
  readonly abandon: () => void;
}

interface CommitOptions {
  /** For new runs, the columns that never change. */
  readonly rowOf?: (run: StoredRun) => UnchangingRunRow;
  readonly transaction?: Transaction<WorkflowTables>;
}

const nothing = (): undefined => undefined;

/** Writes turns: each takes effect as a whole, or not at all if its run is no longer as it was before the turn. */
export async function commitTurns(
  deps: TurnDeps,
  turns: readonly Turn[],
  { rowOf, transaction }: CommitOptions = {},
): Promise<CommittedTurns> {
  if (turns.length === 0) return { stored: new Map(), refused: [], confirm: nothing, abandon: nothing };
  const arrivals = await enterCalls(deps.intake, turns);
  const settle = (stored?: ReadonlySet<string>): void =>
    arrivals.forEach((arrival) => arrival.settle(stored?.has(arrival.job.id) === true));
  const abandon = (): void => settle();
  try {
    const after = turns.map((turn) => storedAfter(turn, deps.codec));
    const changes = {
      parts: after.flatMap(({ steps }) => steps),
      done: turns.flatMap(doneOf),
      dropped: turns.flatMap(droppedOf),
      added: [
        ...arrivals.map(({ job }) => job),
        ...turns.flatMap(({ inputs }) => inputs.map((input) => runInputJob(input, deps.codec))),
      ],
    };
    const write: WriteTurns = (within, { refused, dropped } = { refused: [], dropped: [] }) => {
      const all = { ...changes, dropped: [...changes.dropped, ...dropped] };
      const taken = after.filter(({ turn }) => !refused.includes(turn));
      return rowOf
        ? writeNewRuns(
            deps.jobs,
            { ...all, units: taken.map(({ run, stored }) => ({ ...rowOf(stored), ...run })) },
            within,
          )
        : writeMovedRuns(deps.jobs, { ...all, units: taken.map(movedRow) }, within);
    };
    const written = await writeWithActs(deps, turns, { write, transaction });
    deps.clock.learn(written.at);
    const taken = after.filter(({ turn }) => written.units.has(turn.after.run_id));
    const stored = new Map(taken.map((one) => [one.turn, one.stored]));
    const confirm = (): void => {
      settle(written.added);
      confirmTurns(deps, stored);
    };
    return { stored, refused: written.refused, confirm, abandon };
  } catch (error) {
    abandon();
    throw error;
  }
}

/** Announces the calls of turns. */
async function enterCalls(intake: CallIntake, turns: readonly Turn[]): Promise<readonly CallArrival[]> {
  const calls = turns.flatMap((turn) => turn.calls);
  const entered = await Promise.allSettled(calls.map((call) => intake.enter(call)));
  const arrivals = entered.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = entered.find((one) => one.status === "rejected");
  if (failed === undefined) return arrivals;
  for (const { settle } of arrivals) settle(false);
  throw failed.reason;
}

interface TurnAfter {
  readonly turn: Turn;
  readonly run: ChangingRunRow;
  readonly steps: readonly StepRow[];
  readonly stored: StoredRun;
}

function storedAfter(turn: Turn, codec: RunReading["codec"]): TurnAfter {
  const { before, after, lastRequest } = turn;
  const revision = before.revision + 1;
  const { team } = before;
  const steps = turn.steps.map((step) => stepRowOf(step, { run_id: after.run_id, revision, team }, codec));
  const bytes = steps.reduce((sum, { output }) => sum + 500 + (output?.length ?? 0), before.bytes);
  const stateRevision = after.state === before.record.state ? before.stateRevision : revision;
  const stored: StoredRun = { ...before, record: after, revision, stateRevision, lastRequest, bytes };
  return { turn, steps, run: changingRunRow(after, stored, codec), stored };
}

/**
 * Returns the jobs that look for themselves what a turn changed: those no longer needed, that of the step whose workflow has ended, and the
 * task that slept while the run waited.
 */
function wokenBy({ before, after, withdrawn }: Turn): readonly string[] {
  const { plan, record, origin } = before;
  const task = origin.requester?.task_id;
  const hasWaited = task !== undefined && pausesDeadline(plan.definition, record.steps);
  return [
    ...withdrawn.map(callId),
    ...(origin.depth !== undefined && hasEnded(after) ? [after.run_id] : []),
    ...(hasWaited && (hasEnded(after) || !pausesDeadline(plan.definition, after.steps)) ? [task] : []),
  ];
}

/** Whether what a turn takes and gives back is counted in its tree. */
const isCounted = ({ before, after, taken }: Turn): boolean =>
  treeOf(before) !== undefined && (hasEnded(after) || Object.values(taken).some((count) => count !== 0));

/** Jobs that find out themselves that nothing waits for them, and end what they began. */
const endThemselves: readonly string[] = [subRunKind, inputKind];

type WriteTurns = (
  within?: Transaction<WorkflowTables>,
  trees?: { readonly refused: readonly Turn[]; readonly dropped: TurnJobs["dropped"] },
) => Promise<WrittenBatch>;

/**
 * Writes turns and, in the same transaction, their counts and the acts of those that are written, and wakes jobs. With a run that ends, the
 * calls of all runs in it end in the same commit, and none of these starts anything more: whatever becomes of the processes, their jobs only
 * find that out.
 */
async function writeWithActs(
  { database: { engine, transaction: begin }, append, jobs }: TurnDeps,
  turns: readonly Turn[],
  { write, transaction }: CommitOptions & { readonly write: WriteTurns },
): Promise<WrittenBatch & Pick<CommittedTurns, "refused">> {
  const hasMore = (turn: Turn): boolean => wokenBy(turn).length > 0 || turn.items.some(({ act }) => act !== undefined);
  const counted = turns.filter(isCounted);
  if (counted.length === 0 && !turns.some(hasMore)) return { ...(await write(transaction)), refused: [] };
  const both = async (within: Transaction<WorkflowTables>) => {
    const befores = counted.map(({ before }) => before);
    const rooms = await TreeRooms.read({ db: within, engine }, befores, true);
    const refused = counted.filter((turn) => !rooms.take(turn));
    const below: { readonly unit: string; readonly id: string; readonly kind: string; readonly outcome: string }[] = [];
    for (const { before, after } of counted)
      if (hasEnded(after) && startsRuns(before.plan.definition))
        for (const job of await jobsBelow(within, after.run_id))
          below.push({ ...job, unit: after.run_id, outcome: "canceled" });
    const dropped = below.filter(({ kind }) => !endThemselves.includes(kind));
    const written = await write(within, { refused, dropped });
    const isStored = ({ after }: Turn): boolean => written.units.has(after.run_id);
    for (const turn of counted) if (!isStored(turn) && !refused.includes(turn)) rooms.take(turn, -1);
    await rooms.store({ db: within, engine });
    const stored = turns.filter(isStored);
    const changing = stored.flatMap(({ changing: items }) => [...items]);
    await append(
      within,
      changing.flatMap(({ act }) => act ?? []),
    );
    const woken = stored.flatMap(wokenBy).concat(below.flatMap((job) => (dropped.includes(job) ? [] : job.id)));
    if (woken.length > 0) await jobs.queries.wake(woken).execute(within);
    return { ...written, refused };
  };
  return transaction ? both(transaction) : begin(both);
}

const movedRow = ({ run, turn: { before } }: TurnAfter): MovedRunRow => ({
  ...run,
  expected_revision: before.revision,
  created_at: before.createdAt,
});

type TurnJobs = Batch<ExecutionColumn, never, never>;

const doneOf = ({ ended, after: { run_id } }: Turn): TurnJobs["done"] =>
  ended.flatMap(({ id, attempt }) => (attempt === undefined ? [] : [{ unit: run_id, leaseId: { id, attempt } }]));

const droppedOf = ({ ended, canceled, dropped, after: { run_id } }: Turn): TurnJobs["dropped"] => [
  ...ended.flatMap(({ id, attempt, end: { outcome } }) =>
    attempt === undefined ? [{ unit: run_id, id, outcome }] : [],
  ),
  ...[...canceled, ...dropped].map((task) => ({ unit: run_id, id: callId(task), outcome: "canceled" })),
];

function confirmTurns(deps: TurnDeps, turns: ReadonlyMap<Turn, StoredRun>): void {
  const { cache, intake, wakeJobs, emit, onChanged } = deps;
  const failed = (cause: unknown): void => emit("run_results_failed", { operation: "release", cause });
  for (const [turn, stored] of turns) {
    cache.put(stored);
    reportTurn(emit, turn);
    // The call has ended already, so that its work stops even if this fails.
    for (const task of turn.canceled) intake.cancel(task, "The run no longer needs it.").catch(failed);
    const changed = [...turn.inputs.map(({ task }) => callId(task)), ...wokenBy(turn)];
    // Without it the job begins later, and others are noticed later in this process.
    if (changed.length > 0) wakeJobs(changed).catch(failed);
  }
  onChanged([...turns.keys()].map(({ after }) => ({ runId: after.run_id, dueAt: after.due_at })));
}
