import type { RunState } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { createWorkflows, type Workflows } from "@crosszone/workflow";
import { answerText } from "../agents/dialects.ts";
import { createZoneBridge, type OpenedZone, openZone } from "../zone/execution-parts.ts";
import { chainId, definitions, firstText } from "./chains.ts";
import type { RunPeer, RunPeerDeps } from "./peers.ts";

const limits = {
  deadlineMs: 3_600_000,
  stepTimeoutMs: 300_000,
  maxRunning: 50,
  maxRunBytes: 16_777_216,
  retentionMs: 86_400_000,
};

/** Workflows and the bridge in one process, as in a zone of one process. */
export async function createByCrosszone(deps: RunPeerDeps): Promise<RunPeer> {
  const zone = await openZone(deps);
  const bridge = await createZoneBridge({
    ...deps,
    ...zone,
    ends: { end: (_, end) => workflows.endCall(end) },
    enterResult: (...arrived) => workflows.enterResult(...arrived),
  });
  const workflows: Workflows = createWorkflows({
    database: zone.database,
    jobs: zone.jobs,
    intake: bridge.intake,
    agentNames: async () => deps.agents.map(({ name }) => name),
    emit: createEmit(deps, zone, () => workflows),
    limits,
  });
  for (const definition of definitions()) {
    const created = await workflows.createVersion(definition);
    if (created.outcome !== "created" && created.outcome !== "unchanged") throw new Error(JSON.stringify(created));
  }
  workflows.start();
  await bridge.start();

  return { begin: (pace, chain) => start(workflows, chainId(pace, chain), { text: firstText }) };
}

/** One of this number of outputs is checked; of the others it is enough that their runs succeeded. */
const checkEvery = 50;

/** Logs and measures as the zone does, and reports steps and runs. */
function createEmit(
  { onStep, onEnded }: RunPeerDeps,
  { emit }: OpenedZone,
  workflows: () => Workflows,
): Emit<ExecutionEvent> {
  let ended = 0;
  async function problemOf(runId: string, state: RunState): Promise<string | undefined> {
    ended += 1;
    if (state !== "succeeded") return state;
    if (ended % checkEvery !== 0) return undefined;
    const found = await workflows().getRun(runId);
    return textOf(found?.run.output) === answerText ? undefined : JSON.stringify(found);
  }
  return (event, ...[fields]) => {
    emit(event, ...([fields] as never));
    const { run_id: runId, state } = fields as { readonly run_id: string; readonly state: RunState };
    if (event === "step_ended" && state === "succeeded") onStep(runId);
    if (event === "run_ended") void problemOf(runId, state).then((problem) => onEnded(runId, problem));
  };
}

const textOf = (output: unknown): unknown => (output as { readonly text?: unknown } | null | undefined)?.text;

async function start(workflows: Workflows, workflow_id: string, input: object): Promise<string> {
  const started = await workflows.startRun({ workflow_id, input });
  if (started.outcome !== "started") throw new Error(`${workflow_id} was not started: ${JSON.stringify(started)}`);
  return started.run.run_id;
}
