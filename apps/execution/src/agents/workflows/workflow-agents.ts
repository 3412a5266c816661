import {
  type ReportedUsage,
  type UnreadableContent,
  type WorkflowDefinition,
  type WorkflowRun,
  type WorkflowStep,
  type WorkflowSummary,
  ZoneError,
} from "@crosszone/contracts";
import { JsonTextError } from "@crosszone/contracts/json";
import type { Emit } from "@crosszone/service-kit";
import { nameOfOthers } from "@crosszone/service-kit/text";
import type { ExecutionEvent } from "@crosszone/telemetry";
import {
  awaitedInputs,
  pausesDeadline,
  type ReadRun,
  type RunRequester,
  type RunStates,
  type Workflows,
} from "@crosszone/workflow";
import { teamKey } from "../../store/open-execution-database.ts";
import type { RegisteredAgents } from "../agent-directory.ts";
import {
  type Agent,
  type AgentAnswer,
  type AgentContext,
  type AgentProgress,
  type AgentTaskInput,
  isUnwanted,
  type RunTime,
  TaskPaused,
} from "../agent.ts";
import { answerWith } from "../answer-with.ts";
import { sayLeftOut } from "../bridged/files-for-agent.ts";
import { taskHeaders } from "../bridged/task-calls.ts";
import { onlyReported, reportedBy } from "../result-answer.ts";
import { describeMisfit, propertiesOf, workflowInput } from "./describe-misfit.ts";
import { createRunProgress, createTaskRuns, runFailure, taskProgressOf } from "./task-runs.ts";

/** Returns whether an input request has been decided or has ended otherwise; false if it is not stored yet. */
export type IsClosed = (requestId: string) => Promise<boolean>;

export type FindAgent = (name: string) => Promise<{ readonly side_effects?: boolean } | undefined>;

const pageSize = 100;

/** The most workflows listed. Others can still be called by name. */
const mostListed = 1_000;

/** Provides each stored workflow as an agent of this zone. `stop` waits for the pending cancellations. */
export function createWorkflowAgents(
  workflows: Workflows,
  deps: { readonly emit: Emit<ExecutionEvent>; readonly findAgent: FindAgent; readonly isClosed: IsClosed },
): RegisteredAgents & { readonly stop: () => Promise<void> } {
  const runs = createTaskRuns(workflows, deps.emit);
  const parts = { ...deps, workflows, runs, progress: createRunProgress(workflows) };
  const agentOf = (workflow: WorkflowSummary | WorkflowDefinition): Agent => createWorkflowAgent(workflow, parts);

  async function listed(): Promise<readonly WorkflowSummary[]> {
    const found: WorkflowSummary[] = [];
    let after: string | undefined;
    do {
      const page = await workflows.list({ limit: pageSize, after });
      found.push(...page.workflows);
      after = page.next;
    } while (after !== undefined && found.length < mostListed);
    return found;
  }

  return {
    find: async (name) => {
      const record = await workflows.get(name);
      return record && agentOf(record.definition);
    },
    list: async () => (await listed()).map(agentOf),
    stop: runs.stop,
  };
}

/**
 * Creates the agent of a workflow. Its run has the task's id: a process that runs the task again finds the existing run
 * and waits for it. While the run waits for people, the task does too. Canceling the task cancels its run; stopping the process doesn't.
 */
function createWorkflowAgent(
  { workflow_id, name, description = name, input_schema: inputSchema }: WorkflowSummary | WorkflowDefinition,
  parts: {
    readonly workflows: Workflows;
    readonly runs: ReturnType<typeof createTaskRuns>;
    readonly progress: AgentProgress;
    readonly findAgent: FindAgent;
    readonly isClosed: IsClosed;
  },
): Agent {
  const { workflows, runs, progress, findAgent, isClosed } = parts;
  const unknown = () => new ZoneError("unknown_agent", { agent: workflow_id });

  async function run(asked: AgentTaskInput, context: AgentContext): Promise<AgentAnswer> {
    const { signal } = context;
    const record = await runs.retry("start", signal, () => workflows.get(workflow_id));
    if (record === undefined) throw unknown();
    const misfit = (problems: Parameters<typeof describeMisfit>[2]): AgentAnswer => ({
      response_text: describeMisfit(record.definition, asked.text, problems),
    });
    let input: Readonly<Record<string, unknown>>;
    try {
      input = workflowInput(asked, record.definition);
    } catch (error) {
      if (error instanceof JsonTextError) return misfit(error.problems);
      throw error;
    }
    const { task_id, correlation_id, team_id, hops } = asked;
    const team = team_id === undefined ? undefined : teamKey(team_id);
    const headers = taskHeaders({ team, traceparent: context.traceparent, hops });
    const by = { requester: requesterOf(asked), requesterName: asked.user_name, caller: hookOf(asked) };
    const started = await runs.retry("start", signal, () =>
      workflows.startRun(
        { workflow_id, input, correlation_id, deadline_ms: timeLeft(context) },
        { runId: task_id, signal, headers, ...by },
      ),
    );
    if (started.outcome === "unknown_workflow") throw unknown();
    if (started.outcome === "nobody_decides")
      throw new ZoneError("agent_misconfigured", { agent: workflow_id, agent_says: started.reason });
    if (started.outcome === "invalid_input") return misfit(started.problems);
    // A run with this id belongs to the task, even if a newer version of the workflow would read its input differently.
    const ended = await runs.retry("watch", signal, () => followTaskRun(workflows, task_id, { signal, isClosed }));
    if (ended === undefined) throw new Error(`the run ${task_id} no longer exists`);
    return sayLeftOut(answerOf(ended), workflow_id, { parts: notTaken(asked, record.definition) });
  }

  return {
    name: workflow_id,
    kind: "workflow",
    description,
    skills: [],
    inputSchema,
    repeatable: true,
    describe: async () => {
      const definition = (await workflows.get(workflow_id))?.definition;
      const sideEffects = definition !== undefined && (await hasSideEffects(definition, findAgent));
      return { sideEffects, inputSchema: definition?.input_schema };
    },
    sinceFailure: async (taskId, revision) => {
      const found = await workflows.states(taskId);
      if (found === undefined || found.run.revision <= revision) return undefined;
      const ended = await workflows.getRun(taskId);
      if (ended === undefined) return undefined;
      return ended.run.ended_at === undefined ? "working" : answerOf(ended);
    },
    isBegun: async (taskId) => (await workflows.states(taskId)) !== undefined,
    progress,
    run: async (asked, context) => {
      const { signal } = context;
      try {
        return await run(asked, context);
      } finally {
        if (signal.aborted && isUnwanted(signal.reason)) runs.cancel(asked.task_id);
      }
    },
    cancelElsewhere: ({ task_id }) => runs.cancel(task_id),
  };
}

/** Returns what of a message is not in the input of its run. A preview repeats a link of the text. */
function notTaken(
  { others = [], unreadable = [] }: AgentTaskInput,
  { input_schema }: WorkflowDefinition,
): readonly UnreadableContent[] {
  const why = "Its input schema has no member `others`.";
  const isNamed = Object.hasOwn(propertiesOf(input_schema), "others");
  const missing = isNamed ? [] : others.filter(({ kind }) => kind !== "preview");
  return [...missing.map((content) => ({ what: nameOfOthers(content), why })), ...unreadable];
}

/** Returns the answer of a run that has ended. Throws its error if it failed. */
function answerOf(ended: ReadRun): AgentAnswer {
  const { state, output } = ended.run;
  if (state !== "succeeded") throw runFailure(ended);
  return { ...answerWith(output), ...onlyReported(reportsOf(ended.run)), progress: taskProgressOf(ended) };
}

/**
 * Returns whether the workflow or any of its agents is marked. The marks of agents can change after the definition was stored. An agent that
 * is not in the registry may have side effects.
 */
async function hasSideEffects(definition: WorkflowDefinition, findAgent: FindAgent): Promise<boolean> {
  if (definition.side_effects === true) return true;
  const steps = Object.values(definition.steps);
  // A workflow is not in the registry.
  const names = new Set(
    steps.flatMap((step) =>
      step && "agent_name" in step ? step.agent_name : step?.type === "workflow" ? step.workflow : [],
    ),
  );
  const agents = await Promise.all([...names].map((name) => findAgent(name)));
  return agents.some((agent) => agent === undefined || agent.side_effects === true);
}

/**
 * Returns the usage that agents of a run reported, once per step, from its latest attempt. Container steps repeat the
 * outputs of their inner steps.
 */
function reportsOf({ steps }: WorkflowRun): (ReportedUsage | undefined)[] {
  return steps.map(({ task_id, agent_name, output }) =>
    task_id === undefined || agent_name === undefined ? undefined : reportedBy(agent_name, output),
  );
}

/** The shortest deadline of a run, milliseconds (`start-run-request.schema.json`). */
const leastMs = 100;

/**
 * A run ends at most this long before its task, milliseconds. The task then reports the run's progress, even on a busy
 * machine.
 */
const spareMs = 5_000;

/** The run's deadline, milliseconds: slightly less than the task's remaining time. */
function timeLeft({ deadline, now }: RunTime): number | undefined {
  if (deadline === undefined) return undefined;
  const leftMs = deadline.getTime() - now().getTime();
  return Math.max(leastMs, Math.floor(leftMs - Math.min(spareMs, leftMs / 4)));
}

/** Returns the hook whose sender wrote the input, and not its owner; undefined without one. */
const hookOf = ({ offered_by = "" }: AgentTaskInput): string | undefined =>
  offered_by.startsWith("hook:") ? offered_by : undefined;

/** What a run of a tool asks, its caller's task waits for. */
const requesterOf = (asked: AgentTaskInput): RunRequester => ({
  task_id: asked.parent_task_id ?? asked.task_id,
  requester: asked.user_id,
  team_id: asked.team_id,
  channel: asked.channel,
  thread_ts: asked.thread_ts,
});

/**
 * Waits until a run has ended, in whichever process, and returns it; undefined when the run does not exist. Rejects
 * with a `TaskPaused` when the run waits, and with the signal's reason.
 */
async function followTaskRun(
  { getRun, states, waitForRun }: Workflows,
  runId: string,
  { signal, isClosed }: { readonly signal: AbortSignal; readonly isClosed: IsClosed },
): Promise<ReadRun | undefined> {
  const begun = await states(runId);
  // Without such a step the run is read only once, at its end.
  const waits = Object.values(begun?.run.definition.steps ?? {}).some((step) => step && waitingTypes.has(step.type));
  for (let since = waits ? -1 : Infinity; ;) {
    const standing = await waitForRun(runId, { since, signal });
    signal.throwIfAborted();
    const found = standing?.hasEnded === false ? undefined : standing && (await getRun(runId));
    // A retry may have reopened it since.
    if (standing === undefined || found?.run.ended_at !== undefined) return found;
    if (waits) {
      await pauseIfWaiting(await states(runId), isClosed);
      since = standing.revision;
    }
  }
}

/** The types of steps that pause the deadline of a run. */
const waitingTypes: ReadonlySet<string> = new Set(["human", "wait", "workflow"] satisfies WorkflowStep["type"][]);

/**
 * Throws a `TaskPaused` if the run waits: its task then sleeps. A request that is closed is not awaited: the run has the decision soon, and
 * the task, which was woken by the decision, would miss it.
 */
async function pauseIfWaiting(run: RunStates | undefined, isClosed: IsClosed): Promise<void> {
  if (run === undefined) return;
  const asked = awaitedInputs(run.run.definition, run.record);
  const open = await Promise.all(asked.map(async (id) => ((await isClosed(id)) ? [] : [{ waits_for: id }])));
  const isElse = asked.length === 0 && pausesDeadline(run.run.definition, run.record.steps);
  if (open.flat().length > 0 || isElse) throw new TaskPaused(open.flat(), { continuation: null });
}
