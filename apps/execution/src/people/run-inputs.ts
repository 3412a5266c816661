import { callEnding, successResult } from "@crosszone/agent-bridge";
import { type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import { type HumanStep, type InputRequest, ZoneError } from "@crosszone/contracts";
import { createRoom, type End, type JobKind, type LeasedJob } from "@crosszone/jobs";
import { isKeyMissing, type RecordCodec, SealedTextError } from "@crosszone/service-kit";
import {
  type RunInput,
  runInputOf,
  runInputRecordOf,
  type RunRequester,
  type StepAsk,
  type StepDecision,
  type WhyNobody,
  type Workflows,
} from "@crosszone/workflow";
import type { ApprovalTerms } from "./approvals.ts";
import { type AskedAs, type InputRecord, isLive, type NewInput, askSurfaceOf, whyClosed } from "./input-record.ts";
import type { InputRequests } from "./input-requests.ts";
import { newInputRecord } from "./input-statements.ts";

type Job = LeasedJob<ExecutionColumn>;

export interface RunPeople {
  /** Returns a task as it was asked; undefined for an unknown one. */
  readonly taskOf: (taskId: string) => Promise<AskedAs | undefined>;
  readonly termsFor: (asked: {
    readonly agent: string;
    readonly tool?: string;
    readonly requester?: string;
    readonly channel?: string;
  }) => ApprovalTerms;
}

export interface RunInputsDeps extends RunPeople {
  readonly runs: Workflows;
  readonly advancesRuns: boolean;
  readonly codec: RecordCodec;
  /** Throws a `ZoneError` when a request is invalid, or nobody can decide it. */
  readonly check: (record: InputRecord) => Promise<void>;
}

/** The part that what waits has in the life of its input request. Each returns undefined for the job of a task. */
export interface InputOwner {
  /** Returns why what asked no longer waits; undefined while it does. */
  readonly whyUnneeded: (job: Job) => Promise<string | undefined>;
  /** Returns what a job asks, or its end if it can't be asked. */
  readonly askedBy: (job: Job) => Promise<NewInput | End<ExecutionColumn> | undefined>;
  /** Does what follows from the decision. Returns the end that stores it, if it is stored with the job. */
  readonly endOf: (job: Job, request: InputRequest) => Promise<End<ExecutionColumn> | undefined>;
}

export function createRunInputs(deps: RunInputsDeps): InputOwner {
  const { runs, advancesRuns, codec } = deps;

  function end(job: Job, decision: StepDecision): End<ExecutionColumn> | undefined {
    const task = runInputRecordOf(job)?.task;
    if (task === undefined) return undefined;
    const result = successResult(task, decision, {});
    const ended = callEnding(job, { outcome: "succeeded", result }, codec);
    return { outcome: decision.verdict, store: () => (advancesRuns ? runs.endCall(ended) : runs.handOver(ended)) };
  }

  return {
    whyUnneeded: async (job) => {
      const task = runInputRecordOf(job)?.task;
      const run = task && (await runs.states(task.run_id));
      const isWaiting = task === undefined || (run !== undefined && Object.hasOwn(run.record.tasks, task.task_id));
      return isWaiting ? undefined : "The run no longer needs it.";
    },

    askedBy: async (job) => {
      if (runInputRecordOf(job) === undefined) return undefined;
      const notAsked = (reason: string) => end(job, { verdict: "not_asked", reason, by: [], request_id: job.id });
      try {
        const input = await newInput(runInputOf(job, codec), job.id, deps);
        await deps.check(newInputRecord(input, 0));
        return input;
      } catch (error) {
        if (error instanceof SealedTextError && !isKeyMissing(error))
          return notAsked("Its stored text was modified and can't be decrypted.");
        if (error instanceof ZoneError && error.cause instanceof Error) return notAsked(error.cause.message);
        throw error;
      }
    },

    /** Gives the run its decision. */
    endOf: async (job, request) => end(job, decisionOf(request)),
  };
}

/** Returns who decides what a step asks, and how its run began. */
async function rulesOf(
  agent: string,
  { action, decide }: StepAsk | HumanStep,
  { place, taskOf, termsFor }: RunPeople & { readonly place: RunRequester },
) {
  const { task_id, requester, channel } = place;
  const task = task_id === undefined ? undefined : await taskOf(task_id);
  const { origin = task === undefined ? "api" : askSurfaceOf(task, requester) } = place;
  const terms = termsFor({ agent, requester, channel, tool: action?.tool });
  const given = decide && { people: [], groups: [], requester: false, approve: 1, deny: 1, ...decide };
  return { ...terms, decide: given ?? terms.decide, origin, caller: task?.caller ?? null };
}

/** Returns a function that says why nobody can decide what a step of a run will ask. */
export const createWhyNobody =
  (people: RunPeople, whyNobody: InputRequests["whyNobody"]): WhyNobody =>
  async (step, { workflow_id, requester: place = {} }) => {
    const { decide, origin } = await rulesOf(workflow_id, step, { ...people, place });
    const { requester, team_id } = place;
    return whyNobody({ kind: step.input, decide, origin, requester, team_id });
  };

async function newInput(
  { task: { run_id, correlation_id }, step_id, workflow_id: agent, ask, ...place }: RunInput,
  request_id: string,
  people: RunPeople,
): Promise<NewInput> {
  const rules = await rulesOf(agent, ask, { ...people, place });
  const { action, visibility = rules.visibility, expires_in_ms: expiresInMs = rules.expiresInMs, ...asked } = ask;
  return {
    ...asked,
    ...place,
    ...rules,
    visibility,
    expiresInMs,
    action: action && { agent, tool: action.tool, arguments: action.arguments },
    request_id,
    run_id,
    step_id,
    correlation_id,
    agent,
  };
}

const verdicts: Readonly<Partial<Record<InputRequest["state"], StepDecision["verdict"]>>> = {
  approved: "approve",
  used: "approve",
  answered: "answer",
  denied: "deny",
  expired: "expired",
};

function decisionOf(request: InputRequest): StepDecision {
  const { request_id, state, answer, votes, action, execute_until } = request;
  const verdict = verdicts[state] ?? "withdrawn";
  const by = votes.flatMap((vote) => (vote.verdict === answer?.verdict && vote.counts !== false ? [vote.user_id] : []));
  const reason = whyClosed(request);
  if (answer === undefined) return { verdict, by, request_id, ...(reason && { reason }) };
  const { verdict: _, ...given } = answer;
  if (action === undefined || execute_until === undefined) return { verdict, ...given, by, request_id };
  const { tool, arguments: approved } = action;
  return { verdict, ...given, by, request_id, action: { tool, arguments: approved }, execute_until };
}

export interface InputKindDeps {
  readonly requests: InputRequests;
  /** Returns the owner of a job that a step or a schedule has added. */
  readonly ownerOf?: (job: Job) => InputOwner;
}

/** How many requests are looked at in this process at the same time. A look is a few statements. */
const mostLooks = 20;

/** The life of an input request: reminders, expiry, and the end of its approval. Each change of the request wakes it. */
export function createInputKind({ requests, ownerOf }: InputKindDeps): JobKind<ExecutionColumn> {
  return {
    kind: inputKind,
    ...createRoom(mostLooks),
    read: (row) => row,
    run: async (job) => {
      const owner = ownerOf?.(job);
      const because = await owner?.whyUnneeded(job);
      if (because !== undefined) await requests.withdraw(job.id, because);
      let found = await requests.advance(job.id);
      if (found === undefined) {
        const asked = await owner?.askedBy(job);
        if (asked !== undefined && !("request_id" in asked)) return asked;
        if (asked !== undefined) await requests.ask(asked);
        found = asked && (await requests.advance(job.id));
      }
      if (found === undefined) return { end: { outcome: "deleted", output: null } };
      const { request, sleepMs } = found;
      if (isLive(request)) return { release: { counted: false, afterMs: sleepMs } };
      return (await owner?.endOf(job, request)) ?? { end: { outcome: request.state, output: null } };
    },
  };
}
