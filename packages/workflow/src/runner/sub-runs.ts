import { type ExecutionColumn, subRunKind } from "@crosszone/agent-calls";
import { ZoneError } from "@crosszone/contracts";
import type { JobKind, LeasedJob } from "@crosszone/jobs";
import { openedHere } from "@crosszone/service-kit";
import { retryBriefly } from "@crosszone/sql";
import type { SubRunAsk } from "../steps/calls.ts";
import { loadRuns } from "../store/load-runs.ts";
import type { RunReader } from "../store/run-reader.ts";
import { endedAround, treeOf } from "../store/run-trees.ts";
import type { StoredRun } from "../store/stored-run.ts";
import type { TurnDeps } from "./commit-turns.ts";
import type { createStepKind, StepResult } from "./receive-results.ts";
import type { StartedRun, StartRun } from "./start-run.ts";
import { runInputOf, type TaskOfRun } from "./turn.ts";

interface SubRunDeps extends TurnDeps {
  readonly reader: RunReader;
  readonly startRun: StartRun;
  readonly cancel: (runId: string) => Promise<unknown>;
}

/** How many runs can be around a run. */
const mostDepth = 8;

/** How long a job sleeps unless the end of its run, or of the need for it, wakes it, milliseconds. */
const pauseMs = 3_600_000;

/** The shortest deadline of a run, milliseconds (`start-run-request.schema.json`). */
const leastMs = 100;

/**
 * The run of another workflow that a step started. It has the id of the job, so that it is started once, and it wakes the job with its end,
 * in one commit.
 */
export function createSubRun(deps: SubRunDeps, stepKind: ReturnType<typeof createStepKind>): JobKind<ExecutionColumn> {
  const { reader, startRun, cancel, codec, database } = deps;

  /** Returns the run that waits for a task; undefined when it no longer does, or when a run around it has ended. */
  async function waiting({ run_id, task_id }: TaskOfRun): Promise<StoredRun | undefined> {
    const how = { ...deps, engine: database.engine, locks: false };
    const run = (await retryBriefly(() => loadRuns(database.db, how, [run_id]))).runs.get(run_id);
    if (run === undefined || !Object.hasOwn(run.record.tasks, task_id)) return undefined;
    const ended = await retryBriefly(() => endedAround(database.db, [run_id]));
    return ended.has(run_id) ? undefined : run;
  }

  /** Starts the run; returns why it can't. */
  async function start(job: LeasedJob<ExecutionColumn>, ask: SubRunAsk, run: StoredRun): Promise<string | undefined> {
    const { workflow: workflow_id, version, input, on_cancel } = ask;
    const { origin, record } = run;
    const { correlation_id, headers, requester, depth: around = 0 } = origin;
    const depth = around + 1;
    if (depth > mostDepth)
      return `The workflow "${workflow_id}" was not started: ${String(mostDepth)} runs are around it.`;
    const deadline_ms = Math.max(leastMs, job.remaining_ms ?? leastMs);
    const inside = { depth, tree_id: treeOf(run), parent_id: on_cancel === "abandon" ? undefined : record.run_id };
    const of = { runId: job.id, headers, requester, requesterName: requester?.name, inside };
    const starting = startRun({ workflow_id, version, input, correlation_id, deadline_ms }, of);
    const started = await starting.catch((error: unknown) => {
      const [problem] = error instanceof ZoneError && error.kind === "rate_limited" ? (error.data.problems ?? []) : [];
      if (problem === undefined) throw error;
      return problem.message;
    });
    return typeof started === "string"
      ? `The workflow "${workflow_id}" was not started: ${started}.`
      : refusalOf(started, ask);
  }

  async function resultOf(runId: string, { workflow }: SubRunAsk): Promise<StepResult> {
    const { state, output, error } = (await reader.getRun(runId))?.run ?? {};
    if (state === "succeeded") return { output };
    return {
      failure: `The workflow "${workflow}" has ${state ?? "no run any more"}: ${error?.message ?? "no reason is known."}`,
    };
  }

  return stepKind(subRunKind, async (job, task) => {
    const ask = openedHere(() => runInputOf<SubRunAsk>(job, codec).ask);
    const [run, child] = [await waiting(task), await reader.sizeOf(job.id)];
    if (run === undefined) {
      if (child?.hasEnded === false && ask?.on_cancel !== "abandon") await cancel(job.id);
      return { end: { outcome: "canceled", output: null } };
    }
    if (ask === undefined) return { failure: "Its stored input was modified and can't be decrypted." };
    if (child?.hasEnded === true) return resultOf(job.id, ask);
    const failure = child === undefined ? await start(job, ask, run) : undefined;
    return failure === undefined ? { release: { counted: false, afterMs: pauseMs } } : { failure };
  });
}

/** Returns why a run was not started; undefined when it was. */
function refusalOf(started: StartedRun, { workflow, version }: SubRunAsk): string | undefined {
  if ("run" in started) return undefined;
  const of = `The workflow "${workflow}"${version === undefined ? "" : ` ${version}`}`;
  if (started.outcome === "nobody_decides") return `${of} was not started. ${started.reason}`;
  if (started.outcome !== "invalid_input") return `${of} is not stored.`;
  const problems = started.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ");
  return `${of} was not started. Its input does not match its schema: ${problems}.`;
}
