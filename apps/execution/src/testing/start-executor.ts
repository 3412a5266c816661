import type { AgentResult, AgentStep, AgentTask, WorkflowDefinition } from "@crosszone/contracts";
import { agentResultKind, type CallEnding } from "@crosszone/jobs";
import type { Vault } from "@crosszone/service-kit";
import { createWorkflows, type WorkflowObserver, type Workflows } from "@crosszone/workflow";
import { expect, onTestFinished, vi } from "vitest";
import { createWorkflowAgents, type WorkflowAgents } from "../agents/workflows/workflow-agents.ts";
import type { FindAgent } from "../agents/workflows/workflow-agent.ts";
import type { RunObserver } from "../agents/workflows/task-runs.ts";
import { agentResult } from "./fake-bridge.ts";
import { openProcess, type TestProcess } from "./open-process.ts";

/** A process's access to workflows. */
export interface TestExecutor extends TestProcess {
  readonly workflows: Workflows;
  readonly agents: WorkflowAgents;
  readonly onRunFailure: ReturnType<typeof vi.fn<RunObserver["runFailed"]>>;
}

const silent: WorkflowObserver = {
  runStarted: () => undefined,
  runReopened: () => undefined,
  runEnded: () => undefined,
  stepChanged: () => undefined,
  runBroken: () => undefined,
  runUnreadable: () => undefined,
  resultUnreadable: () => undefined,
  storeFailed: () => undefined,
  timerFailed: () => undefined,
};

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
  }: {
    readonly isStarted?: boolean;
    readonly vault?: Vault | undefined;
    readonly through?: (workflows: Workflows) => Workflows;
    readonly findAgent?: FindAgent;
  } = {},
): Promise<TestExecutor> {
  const late: { workflows?: Workflows } = {};
  const of = (): Workflows => late.workflows as Workflows;
  const runs = { endCall: (end: CallEnding) => of().endCall(end), handOver: (end: CallEnding) => of().handOver(end) };
  const process = await openProcess(url, { runs, vault, advancesRuns: isStarted });
  const { jobs, database, intake } = process;
  const times = { deadlineMs: 600_000, stepTimeoutMs: 300_000, retentionMs: 3_600_000 };
  const limits = { ...times, maxRunning: 50, maxRunBytes: 1_000_000 };
  const { store, lease } = jobs;
  const workflows = createWorkflows({ jobs: store, lease, intake, database, vault, observer: silent, limits });
  late.workflows = workflows;
  jobs.join({ ...workflows, kind: agentResultKind });
  const onRunFailure = vi.fn<RunObserver["runFailed"]>();
  const agents = createWorkflowAgents(through(workflows), { runFailed: onRunFailure }, findAgent);
  if (isStarted) workflows.start();
  onTestFinished(async () => {
    await agents.stop();
    await workflows.stop(0);
  });
  return { ...process, workflows, agents, onRunFailure };
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
