import type { AgentRecord, AgentResult, AgentTask } from "@crosszone/contracts";
import { callId, type CallEnds } from "@crosszone/jobs";
import { createKafkaBus } from "@crosszone/kafka-gateway/kafka";
import { setTimeout as delay } from "node:timers/promises";
import { createAskByHand } from "../agents/ask-by-hand.ts";
import { openZone, type OpenedZone, type ZonePlan } from "../zone/open-zone.ts";
import { createZoneBridge } from "../zone/start-bridge.ts";
import { concurrency, type PeerName } from "./peers.ts";
import { openTaskLog } from "./task-log.ts";

/** What came of a task. */
export type TaskResult = Pick<AgentResult, "task_id" | "output_data">;

/** The way of a task to its agent and back. */
export interface TaskRoad {
  /** Resolves when the task is on its way, durably. */
  readonly send: (tasks: readonly AgentTask[]) => Promise<void>;
  /** Resolves when no task is on the way to the peer any more: all are the peer's. */
  readonly takenIn: () => Promise<void>;
}

export interface RoadPlan extends ZonePlan {
  readonly peer: PeerName;
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** Called with each result once its end is durable. */
  readonly onResult: (result: TaskResult) => void;
}

const nothing = async (): Promise<void> => undefined;

/** Opens the road of a peer. On Kafka, who sends tasks and takes results is another program; else it is in the database. */
export function openRoad(plan: RoadPlan): Promise<TaskRoad> {
  if (plan.brokers !== undefined) return onKafka(plan);
  return plan.peer === "bridge" ? byIntake(plan) : byHand(plan);
}

/** Calls are entered as tasks of the zone enter them, and wait for their ends. */
async function byIntake(plan: RoadPlan): Promise<TaskRoad> {
  const zone = await openZone(plan);
  const ends: CallEnds = {
    end: async (_, { ending, result }) => {
      const [isEnded = false] = await zone.store.end([ending]);
      if (isEnded) plan.onResult(result);
      return isEnded;
    },
  };
  const { intake, start } = await createZoneBridge({ ...plan, ...zone, concurrency, ends });
  await start();
  const add = async (task: AgentTask): Promise<void> => {
    const entry = await intake.enter({ task, headers: {}, deadlineMs: 3_600_000 });
    if (!(await zone.store.add(entry.job))) throw new Error(`${callId(task)} existed`);
    entry.stored();
  };
  return { send: async (tasks) => void (await Promise.all(tasks.map(add))), takenIn: nothing };
}

/**
 * What is left when everything is left out that is not needed on a good day: a row that is inserted before and changed
 * after the call, by the same client, without leases, log, metrics, deadlines, retries, rules and circuits.
 */
async function byHand({ databaseUrl, peer, agents, onResult }: RoadPlan): Promise<TaskRoad> {
  const log = await openTaskLog(databaseUrl);
  const ask = createCalls(agents);
  const most = peer === "serial" ? 1 : concurrency;
  const waiting: AgentTask[] = [];
  let running = 0;
  async function work(): Promise<void> {
    running += 1;
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const output_data = await ask(task);
      await log.end(task.task_id, JSON.stringify(output_data));
      onResult({ task_id: task.task_id, output_data });
    }
    running -= 1;
  }
  const add = async (task: AgentTask): Promise<void> => {
    await log.begin(task.task_id, JSON.stringify(task));
    waiting.push(task);
    if (running < most) void work();
  };
  return { send: async (tasks) => void (await Promise.all(tasks.map(add))), takenIn: nothing };
}

async function onKafka(plan: RoadPlan): Promise<TaskRoad> {
  const zone = await openZone(plan);
  const bus = await createKafkaBus(zone.kafka as NonNullable<OpenedZone["kafka"]>);
  await bus.subscribe("agent_results", {
    group: "execution",
    concurrency: 100,
    handle: async ({ value }) => plan.onResult(value),
  });
  if (plan.peer === "bridge") {
    const ends: CallEnds = { end: () => Promise.reject(new Error("results are published")) };
    const { start } = await createZoneBridge({ ...plan, ...zone, concurrency, ends });
    await start();
  } else {
    const ask = createCalls(plan.agents);
    // The message stays on the topic until its result is published.
    await bus.subscribe("agent_tasks", {
      group: "agent-bridge",
      concurrency: plan.peer === "serial" ? 1 : concurrency,
      handle: async ({ value: task }) => {
        const output_data = await ask(task);
        const { run_id, task_id, correlation_id } = task;
        const ids = { run_id, task_id, correlation_id, timestamp: new Date().toISOString() };
        const value = { ...ids, status: "SUCCESS", output_data, error_message: null } as const;
        await bus.publish([{ channel: "agent_results", value }]);
      },
    });
  }
  return {
    send: (tasks) => bus.publish(tasks.map((value) => ({ channel: "agent_tasks", value }) as const)),
    takenIn: async () => {
      const waiting = async (): Promise<number> => {
        const queues = await bus.readQueues();
        return queues.find(({ channel }) => channel === "agent_tasks")?.waiting ?? 0;
      };
      while ((await waiting()) > 0) await delay(100);
    },
  };
}

function createCalls(agents: readonly AgentRecord[]): (task: AgentTask) => Promise<{ readonly text: string }> {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const ask = createAskByHand();
  return async (task) => {
    const agent = byName.get(task.agent_name);
    if (agent === undefined) throw new Error(`no agent ${task.agent_name}`);
    return { text: await ask(agent, task) };
  };
}
