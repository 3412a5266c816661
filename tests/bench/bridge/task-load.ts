import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentTask } from "@crosszone/contracts";
import { quantile } from "../statistics.ts";
import { namesOf, type AgentGroupName } from "../agents/agents.ts";
import { answerText } from "../agents/dialects.ts";
import type { TaskResult, TaskRoad } from "./task-road.ts";

export interface LoadOrder {
  readonly agents: AgentGroupName;
  /** Tasks under way at the same time. */
  readonly inFlight: number;
  readonly ms: number;
  /** What is asked beside that, and not measured. */
  readonly beside?: { readonly agents: AgentGroupName; readonly inFlight: number };
}

/** Of tasks that ended within the time. */
export interface LoadResult {
  readonly tasks: number;
  readonly tasksPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the process, microseconds a task: with sending its task and taking its result. */
  readonly cpuUs: number;
}

export interface TaskLoad {
  /** Keeps so many tasks under way; resolves when the last of them has ended. Rejects when a result is not the right one. */
  readonly run: (order: LoadOrder) => Promise<LoadResult>;
  /** Sends so many tasks and waits for none. */
  readonly pile: (agents: AgentGroupName, tasks: number) => Promise<void>;
  /** How many results there were in all. */
  readonly results: () => number;
  /** Takes a result. */
  readonly onResult: (result: TaskResult) => void;
}

/** Sends tasks, and takes their results, as the role that runs tasks does. */
export function createTaskLoad(send: TaskRoad["send"]): TaskLoad {
  const waiting = new Map<string, (problem: string | undefined) => void>();
  let results = 0;

  async function ask(agent: string): Promise<void> {
    const task = newTask(agent);
    const ended = new Promise<string | undefined>((resolve) => waiting.set(task.task_id, resolve));
    await send([task]);
    const problem = await ended;
    waiting.delete(task.task_id);
    if (problem !== undefined) throw new Error(`not the result that was expected: ${problem}`);
  }

  return {
    results: () => results,

    onResult: (result) => {
      results += 1;
      const text = (result.output_data as { readonly text?: unknown } | null)?.text;
      waiting.get(result.task_id)?.(text === answerText ? undefined : JSON.stringify(result).slice(0, 500));
    },

    pile: async (agents, tasks) => {
      const names = namesOf(agents);
      for (let at = 0; at < tasks; at += 500) {
        const some = Array.from({ length: Math.min(500, tasks - at) }, (_, index) => newTask(turn(names, index)));
        await send(some);
      }
    },

    run: async ({ agents, inFlight, ms, beside }) => {
      const latencies: number[] = [];
      const cpu = process.cpuUsage();
      let cpuUs = Number.NaN;
      const startedAt = performance.now();
      const endsAt = startedAt + ms;
      const timer = setTimeout(() => {
        const { user, system } = process.cpuUsage(cpu);
        cpuUs = user + system;
      }, ms);
      const lane = async (name: string, onEnd: (ms: number) => void): Promise<void> => {
        while (performance.now() < endsAt) {
          const askedAt = performance.now();
          await ask(name);
          if (performance.now() <= endsAt) onEnd(performance.now() - askedAt);
        }
      };
      const lanes = (of: AgentGroupName, count: number, onEnd: (ms: number) => void): Promise<void>[] =>
        Array.from({ length: count }, (_, index) => lane(turn(namesOf(of), index), onEnd));
      await Promise.all([
        ...(beside ? lanes(beside.agents, beside.inFlight, () => undefined) : []),
        ...lanes(agents, inFlight, (took) => latencies.push(took)),
        delay(ms),
      ]).finally(() => clearTimeout(timer));
      const sorted = Float64Array.from(latencies).toSorted();
      return {
        tasks: latencies.length,
        tasksPerSecond: latencies.length / (ms / 1_000),
        p50Ms: quantile(sorted, 0.5),
        p99Ms: quantile(sorted, 0.99),
        cpuUs: cpuUs / latencies.length,
      };
    },
  };
}

const turn = (names: readonly string[], index: number): string => names[index % names.length] ?? "";

function newTask(agent_name: string): AgentTask {
  const task_id = randomUUID();
  const input_data = { text: "What is the capital of Peru? ".repeat(8) };
  return { run_id: task_id, task_id, agent_name, input_data, correlation_id: task_id };
}
