import { callEnding } from "@crosszone/agent-bridge";
import { type ExecutionColumn, promptKind } from "@crosszone/agent-calls";
import { AssistantError } from "@crosszone/assistant";
import type { Prompter } from "@crosszone/assistant/runtime";
import type { RunBudget } from "@crosszone/contracts";
import { createRoom, type JobKind, type LeasedJob } from "@crosszone/jobs";
import { isKeyMissing, type RecordCodec, SealedTextError } from "@crosszone/service-kit";
import { retryBriefly } from "@crosszone/sql";
import {
  checkInputOnThread,
  type PromptAsk,
  runInputOf,
  type RunInputRecord,
  runInputRecordOf,
  stepResultOf,
  type StepResult,
  type Workflows,
} from "@crosszone/workflow";
import { type Budget, microDollars } from "../../usage/budget.ts";
import { type ModelUsage, spendingOf } from "../../usage/sql-usage.ts";

interface PromptDeps {
  readonly runs: Workflows;
  readonly advancesRuns: boolean;
  readonly codec: RecordCodec;
  readonly usage: ModelUsage;
  /** Returns what calls a model: that of MODEL, or `provider/id`. Or why there is none, a sentence. */
  readonly prompterOf: (model: string | undefined) => Promise<Prompter | string>;
}

/** How many prompts run in this process at the same time: a run, with the runs in it, has half of the places, and a caller three quarters. */
const places = [20, { ofShare: 10, ofGroup: 15 }] as const;

/** How often a prompt is tried when processes crash. */
const mostAttempts = 3;

/** The steps of workflows that call a language model. A call whose process crashed is made again. */
export function createPromptKind(deps: PromptDeps): JobKind<ExecutionColumn> {
  const { runs, advancesRuns, codec } = deps;
  return {
    kind: promptKind,
    ...createRoom(...places),
    read: (row) => row,
    run: async (job, { signal }) => {
      const over = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, job.remaining_ms ?? 0))]);
      const end = await answer(deps, job, over).catch((error: unknown): StepResult => {
        signal.throwIfAborted();
        if (error instanceof AssistantError) return { failure: error.sentence };
        if (over.aborted) return { failure: "The model did not answer in time." };
        if (error instanceof SealedTextError && !isKeyMissing(error))
          return { failure: "The stored prompt was modified and can't be decrypted." };
        throw error;
      });
      const outcome = "failure" in end ? "failed" : "succeeded";
      const { task } = runInputRecordOf(job) as RunInputRecord;
      const ended = callEnding(job, { outcome, result: stepResultOf(task, end) }, codec);
      return { outcome, store: () => (advancesRuns ? runs.endCall(ended) : runs.handOver(ended)) };
    },
  };
}

async function answer(
  { runs, codec, usage, prompterOf }: PromptDeps,
  job: LeasedJob<ExecutionColumn>,
  signal: AbortSignal,
): Promise<StepResult> {
  if (job.attempt > mostAttempts)
    return { failure: `The prompt was given up: ${String(mostAttempts)} processes crashed.` };
  const { task, ask, workflow_id, requester: user_id, ...place } = runInputOf<PromptAsk>(job, codec);
  const { prompt, system, schema, max_tokens, model } = ask;
  const prompter = await prompterOf(model);
  if (typeof prompter === "string") return { failure: prompter };
  const run = await retryBriefly(() => runs.states(task.run_id));
  const startedAt = new Date(run?.record.started_at ?? Date.now());
  // A fire is the task of its run. Its id is never one that a caller chose, as a correlation id is.
  const payer = { task_id: task.run_id, ...place, user_id, fire_id: place.task_id };
  const own = { id: task.run_id, startedAt, budgets: budgetsOf(run?.run.definition.budget) };
  const spending = spendingOf(usage, workflow_id)({ ...payer, run: own }, () => undefined);
  const by = { caller: `workflow:${workflow_id}`, signal };
  const form = schema && { schema, check: (value: unknown) => checkInputOnThread(schema, value, by) };
  return { output: await prompter({ prompt, system, max_tokens, form }, { signal, spending }) };
}

const budgetsOf = ({ tokens, usd }: RunBudget = {}): readonly Budget<"run">[] =>
  [{ unit: "tokens", limit: tokens } as const, { unit: "usd", limit: usd && microDollars(usd) } as const].flatMap(
    ({ unit, limit }) => (limit === undefined ? [] : { scope: "run", period: "day", unit, limit }),
  );
