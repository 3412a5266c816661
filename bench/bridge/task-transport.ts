import type { AgentRecord, AgentResult, AgentTask } from "@crosszone/contracts";
import { callId, type CallEnds } from "@crosszone/agent-calls";
import { storeArrival } from "@crosszone/jobs";
import { createKafkaBus } from "@crosszone/kafka-gateway/kafka";
import { createCallByHand } from "../agents/call-by-hand.ts";
import { openRowLog } from "../agents/row-log.ts";
import type { PeerStorage } from "../agents/services.ts";
import { openZone, createZoneBridge, type OpenedZone } from "../zone/execution-parts.ts";
import { concurrency, type PeerName } from "./peers.ts";

/** What came of a task. */
export type TaskResult = Pick<AgentResult, "task_id" | "output_data">;

/** Resolves when the task is on its way, durably. */
export type SendTask = (task: AgentTask) => Promise<void>;

export interface TransportPlan extends PeerStorage {
  readonly peer: PeerName;
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** Receives each result once its end is durable. */
  readonly onResult: (result: TaskResult) => void;
}

/** Opens the transport of a peer. On Kafka, another program sends tasks and receives results; else they are in the database. */
export function openTransport(plan: TransportPlan): Promise<SendTask> {
  if (plan.brokers !== undefined) return onKafka(plan);
  return plan.peer === "bridge" ? byIntake(plan) : byHand(plan);
}

/** Calls are entered as tasks of the zone enter them, and wait for their ends. */
async function byIntake(plan: TransportPlan): Promise<SendTask> {
  const zone = await openZone(plan);
  const ends: CallEnds = {
    end: async (_, { ending, result }) => {
      const [isEnded = false] = await zone.jobs.store.end([ending]);
      if (isEnded) plan.onResult(result);
      return isEnded;
    },
  };
  const { intake, start } = await createZoneBridge({ ...plan, ...zone, concurrency, ends });
  await start();
  return async (task) => {
    const arrival = await intake.enter({ task, headers: {}, deadlineMs: 3_600_000 });
    const isNew = await storeArrival(arrival, () => zone.jobs.store.add(arrival.job));
    if (!isNew) throw new Error(`${callId(task)} existed`);
  };
}

/**
 * What remains without all that a good day does not need: a row that is inserted before the call and changed after it, by the same client,
 * without leases, log, metrics, deadlines, retries, rules and circuits.
 */
async function byHand({ databaseUrl, agents, onResult }: TransportPlan): Promise<SendTask> {
  const log = await openRowLog(databaseUrl);
  const call = createCallByHand(agents);
  const waiting: AgentTask[] = [];
  let running = 0;
  async function work(): Promise<void> {
    running += 1;
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const output_data = { text: await call(task) };
      await log.end(task.task_id, JSON.stringify(output_data));
      onResult({ task_id: task.task_id, output_data });
    }
    running -= 1;
  }
  return async (task) => {
    await log.begin(task.task_id, JSON.stringify(task));
    waiting.push(task);
    if (running < concurrency) void work();
  };
}

async function onKafka(plan: TransportPlan): Promise<SendTask> {
  const zone = await openZone(plan);
  const bus = await createKafkaBus(zone.kafka as NonNullable<OpenedZone["kafka"]>);
  await bus.consume("agent_results", {
    group: "execution",
    store: async ({ messages }) => messages.forEach(({ value }) => plan.onResult(value)),
  });
  if (plan.peer === "bridge") {
    const ends: CallEnds = { end: () => Promise.reject(new Error("results are published")) };
    const { start } = await createZoneBridge({ ...plan, ...zone, concurrency, ends });
    await start();
  } else {
    const call = createCallByHand(plan.agents);
    const answer = async (task: AgentTask): Promise<AgentResult> => {
      const output_data = { text: await call(task) };
      const { run_id, task_id, correlation_id } = task;
      const ids = { run_id, task_id, correlation_id, timestamp: new Date().toISOString() };
      return { ...ids, status: "SUCCESS", output_data, error_message: null };
    };
    // The messages stay on the topic until their results are published.
    await bus.consume("agent_tasks", {
      group: "agent-bridge",
      store: async ({ messages }) => {
        const results = await Promise.all(messages.map(({ value }) => answer(value)));
        await bus.publish(results.map((value) => ({ channel: "agent_results", value })));
      },
    });
  }
  return async (value) => void (await bus.publish([{ channel: "agent_tasks", value }]));
}
