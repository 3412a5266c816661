import { createCallIntake } from "@crosszone/agent-bridge";
import type { AgentResult, AgentStep, AgentTask, WorkflowDefinition } from "@crosszone/contracts";
import type { CallEnding } from "@crosszone/agent-calls";
import { type Emit, type Vault, createRecordCodec } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { createWorkflows, type Workflows } from "@crosszone/workflow";
import { expect, onTestFinished, vi } from "vitest";
import {
  type CallEndsDeps,
  createCallEnds,
  createTaskCalls,
  type TaskCallsDeps,
} from "../agents/bridged/task-calls.ts";
import { createWorkflowAgents, type FindAgent, type IsClosed } from "../agents/workflows/workflow-agents.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "../tasks/store/task-store.ts";
import { agentResult } from "./fake-bridge.ts";

export type TestExecutor = Awaited<ReturnType<typeof startExecutor>>;

/**
 * Starts a process's part in workflows, on a database that others may share. It executes runs unless told not to. Ends
 * with the test.
 */
export async function startExecutor(
  url: string,
  {
    isStarted = true,
    vault,
    through = (workflows) => workflows,
    findAgent = async () => ({}),
    isClosed = async () => false,
  }: {
    readonly isStarted?: boolean;
    readonly vault?: Vault;
    readonly through?: (workflows: Workflows) => Workflows;
    readonly findAgent?: FindAgent;
    readonly isClosed?: IsClosed;
  } = {},
) {
  const late: { workflows?: Workflows } = {};
  const of = (): Workflows => late.workflows as Workflows;
  const runs = { endCall: (end: CallEnding) => of().endCall(end), handOver: (end: CallEnding) => of().handOver(end) };
  const process = await openProcess(url, { runs, vault, advancesRuns: isStarted });
  const { jobs, database, intake } = process;
  const times = { deadlineMs: 600_000, stepTimeoutMs: 300_000, retentionMs: 3_600_000 };
  const limits = { ...times, maxRunning: 50, maxRunBytes: 1_000_000 };
  const workflows = createWorkflows({ jobs, intake, database, vault, emit: () => undefined, limits });
  late.workflows = workflows;
  const emit = vi.fn<Emit<ExecutionEvent>>();
  const agents = createWorkflowAgents(through(workflows), { emit, findAgent, isClosed });
  if (isStarted) workflows.start();
  onTestFinished(async () => {
    await agents.stop();
    await workflows.stop(0);
  });
  return { ...process, workflows, agents, emit };
}

/** Stores a workflow with one step per agent `A`, `B`, …, in sequence. Each step gets the previous step's output. */
export async function storeWorkflow(
  { workflows }: Pick<TestExecutor, "workflows">,
  members: Partial<WorkflowDefinition> = {},
  agents: readonly string[] = ["A", "B"],
): Promise<void> {
  const steps = agents.map((agent, at): AgentStep => {
    const [before, after] = [agents[at - 1], agents[at + 1]];
    const input_mapping = before === undefined ? "${workflow.input}" : `\${${before.toLowerCase()}.output}`;
    const next = after !== undefined && { next_step: after.toLowerCase() };
    return { id: agent.toLowerCase(), type: "agent", title: `Ask ${agent}`, agent_name: agent, input_mapping, ...next };
  });
  const created = await workflows.createVersion({
    workflow_id: "publish",
    name: "Publish",
    version: "1",
    start_step: agents[0]?.toLowerCase() ?? "",
    steps: Object.fromEntries(steps.map((step) => [step.id, step])),
    ...members,
  });
  expect(created).toMatchObject({ outcome: "created" });
}

/** The result of a step's task. */
export const stepResult = ({ run_id, task_id }: AgentTask, members: Partial<AgentResult>): AgentResult =>
  agentResult(task_id, { run_id, ...members });

export type TestProcess = Awaited<ReturnType<typeof openProcess>>;

interface TestProcessOptions extends Pick<CallEndsDeps, "gateway"> {
  readonly onCommit?: OpenTaskStoreOptions["onCommit"];
  readonly vault?: Vault;
  readonly runs?: CallEndsDeps["runs"];
  readonly advancesRuns?: boolean;
}

const noRuns: CallEndsDeps["runs"] = { endCall: async () => false, handOver: async () => false };

/** Opens a process without a bridge: its calls wait for one. Ends with the test. */
export async function openProcess(url: string, options: TestProcessOptions = {}) {
  const { vault, runs = noRuns, advancesRuns = false, gateway, onCommit } = options;
  const opened = await openTaskStore({ url, vault, onCommit });
  const { jobs, database } = opened;
  const callFailed = vi.fn<TaskCallsDeps["onFailure"]>();
  // Calls wait for a bridge, even for a fake one in this process.
  const enter: typeof jobs.enter = async () => ({ as: "ready", settle: () => undefined });
  const intake = createCallIntake({ jobs: { ...jobs, enter }, vault });
  const calls = createTaskCalls({ intake, jobs, vault, deadlineMs: 60_000, onFailure: callFailed });
  const ends = createCallEnds({ jobs, runs, advancesRuns, gateway });
  onTestFinished(async () => {
    await calls.stop();
    await database.close();
  });
  return { ...opened, url, intake, calls, ends, codec: createRecordCodec(vault), callFailed };
}
