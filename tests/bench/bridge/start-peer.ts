import { createAskByHand } from "../agents/ask-by-hand.ts";
import { startBridge, type BridgePlan } from "../zone/start-bridge.ts";
import { concurrency, type PeerName } from "./peers.ts";

type PeerDeps = Omit<BridgePlan, "concurrency">;

/** Has the tasks of the bus done by agents from now on. */
export async function startPeer(name: PeerName, deps: PeerDeps): Promise<void> {
  if (name === "bridge") return startBridge({ ...deps, concurrency });
  return startLoop(deps, name === "serial" ? 1 : concurrency);
}

/**
 * What is left when everything is left out that is not needed on a good day: the message is on the bus until its result is, by the same
 * client, without a table, log, metrics, deadlines, retries, rules and circuits. A task that takes long keeps the bus's lease busy.
 */
async function startLoop({ bus, agents }: PeerDeps, atOnce: number): Promise<void> {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const ask = createAskByHand();
  await bus.subscribe("agent_tasks", {
    group: "agent-bridge",
    concurrency: atOnce,
    handle: async ({ value: task }) => {
      const agent = byName.get(task.agent_name);
      if (agent === undefined) throw new Error(`no agent ${task.agent_name}`);
      const text = await ask(agent, task);
      const { run_id, task_id, correlation_id } = task;
      const ids = { run_id, task_id, correlation_id, timestamp: new Date().toISOString() };
      const value = { ...ids, status: "SUCCESS", output_data: { text }, error_message: null } as const;
      await bus.publish([{ channel: "agent_results", value }]);
    },
  });
}
