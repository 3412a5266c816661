import type { RunState } from "@crosszone/contracts";
import { executionEvents, observeWorkflows } from "@crosszone/execution";
import { agentResultKind } from "@crosszone/jobs";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { createWorkflows, type Workflows } from "@crosszone/workflow";
import { answerText } from "../../agents/dialects.ts";
import { openZone } from "../../zone/open-zone.ts";
import { createZoneBridge } from "../../zone/zone-bridge.ts";
import { chainId, definitions, loopId, firstText } from "../chains.ts";
import type { RunPeer, RunPeerDeps } from "./run-peer.ts";

/** One of so many outputs is checked; of the others it is enough that their runs succeeded. */
const checkEvery = 50;

/** Workflows and the bridge in one process, as in a zone of one process. */
export async function createByCrosszone(deps: RunPeerDeps): Promise<RunPeer> {
  const { agents, origin, concurrency, onStep, onEnded, ...plan } = deps;
  const zone = await openZone(plan);
  const bridge = await createZoneBridge({
    ...zone,
    agents,
    origin,
    concurrency,
    ends: { end: (_, end) => workflows.endCall(end) },
    onRunResult: (result, attempt) => workflows.takeResult(result, attempt),
  });
  const loops = new Map<string, () => void>();
  const observer = observeWorkflows({
    logger: createLogger({ zone: "execution", level: "info", events: executionEvents }),
    metrics: createMetrics(),
  });
  let ended = 0;

  async function problemOf(runId: string, state: RunState): Promise<string | undefined> {
    ended += 1;
    if (state !== "succeeded") return state;
    if (ended % checkEvery !== 0) return undefined;
    const found = await workflows.getRun(runId);
    const output = found?.run.output as { readonly text?: unknown } | undefined;
    return output?.text === answerText ? undefined : JSON.stringify(found);
  }

  const workflows = createWorkflows({
    ...zone,
    jobs: zone.store,
    intake: bridge.intake,
    agentNames: async () => agents.map(({ name }) => name),
    observer: {
      ...observer,
      stepChanged: (run, step) => {
        observer.stepChanged(run, step);
        if (step.state === "succeeded") onStep(run.run_id);
      },
      runEnded: (run, end) => {
        observer.runEnded(run, end);
        const { run_id } = run;
        const wakeLoop = loops.get(run_id);
        if (wakeLoop) wakeLoop();
        else void problemOf(run_id, end.state).then((problem) => onEnded(run_id, problem));
      },
    },
    limits: {
      deadlineMs: 3_600_000,
      stepTimeoutMs: 300_000,
      maxRunning: 50,
      maxRunBytes: 16_777_216,
      retentionMs: 86_400_000,
    },
  });
  for (const definition of definitions()) {
    const created = await workflows.createVersion(definition);
    if (created.outcome !== "created" && created.outcome !== "unchanged") throw new Error(JSON.stringify(created));
  }
  zone.join(agentResultKind, workflows.wake);
  workflows.start();
  await bridge.start();

  return {
    begin: (pace, chain) => start(workflows, chainId(pace, chain), { text: firstText }),
    loop: async (items) => {
      const runId = await start(workflows, loopId, { items });
      await new Promise<void>((resolve) => loops.set(runId, resolve));
      const found = await workflows.getRun(runId);
      const steps = found?.run.steps.filter(({ step_id }) => step_id === "ask") ?? [];
      return steps.filter(({ output }) => (output as { readonly text?: unknown } | null)?.text === answerText).length;
    },
  };
}

async function start(workflows: Workflows, workflow_id: string, input: object): Promise<string> {
  const started = await workflows.startRun({ workflow_id, input });
  if (started.outcome !== "started") throw new Error(`${workflow_id} was not started: ${JSON.stringify(started)}`);
  return started.run.run_id;
}
