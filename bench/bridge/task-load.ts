import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentTask } from "@crosszone/contracts";
import { namesOf, type AgentGroupName } from "../agents/agents.ts";
import { answerText } from "../agents/dialects.ts";
import { startCpu } from "../kit/commands.ts";
import { spreadOf } from "../kit/statistics.ts";
import type { SendTask, TaskResult } from "./task-transport.ts";

/** One load: a number of tasks in flight, for agents that are alike. */
export interface Point {
  readonly agents: AgentGroupName;
  readonly inFlight: number;
}

export interface LoadOrder extends Point {
  readonly ms: number;
  /** Another load at the same time, which is not measured. */
  readonly background?: Point;
}

/** Of tasks that ended within the time. */
export interface LoadResult {
  readonly tasks: number;
  readonly tasksPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the process, microseconds a task: with sending the task and receiving its result. */
  readonly cpuUs: number;
}

/** Sends tasks, and receives their results, as the role that runs tasks does. */
export function createTaskLoad(send: SendTask) {
  const waiting = new Map<string, (problem: string | undefined) => void>();

  async function runTask(agent: string): Promise<void> {
    const task = newTask(agent);
    const ended = new Promise<string | undefined>((resolve) => waiting.set(task.task_id, resolve));
    await send(task);
    const problem = await ended;
    waiting.delete(task.task_id);
    if (problem !== undefined) throw new Error(`not the result that was expected: ${problem}`);
  }

  /** Keeps some tasks in flight for a time; `onEnd` receives how long each took. */
  const lanes = ({ agents, inFlight }: Point, ms: number, onEnd: (tookMs: number) => void): Promise<void>[] => {
    const endsAt = performance.now() + ms;
    const names = namesOf(agents);
    return Array.from({ length: inFlight }, async (_, lane) => {
      while (performance.now() < endsAt) {
        const startedAt = performance.now();
        await runTask(nth(names, lane));
        if (performance.now() <= endsAt) onEnd(performance.now() - startedAt);
      }
    });
  };

  return {
    onResult: (result: TaskResult): void => {
      const text = (result.output_data as { readonly text?: unknown } | null)?.text;
      waiting.get(result.task_id)?.(text === answerText ? undefined : JSON.stringify(result).slice(0, 500));
    },

    /** Resolves when the last task has ended. Rejects when a result is wrong. */
    run: async ({ agents, inFlight, ms, background }: LoadOrder): Promise<LoadResult> => {
      const latencies: number[] = [];
      const readCpu = startCpu();
      const cpuAtEnd = delay(ms).then(readCpu);
      await Promise.all([
        ...(background ? lanes(background, ms, () => undefined) : []),
        ...lanes({ agents, inFlight }, ms, (took) => latencies.push(took)),
      ]);
      const { p50, p99 } = spreadOf(latencies);
      const tasks = latencies.length;
      const tasksPerSecond = tasks / (ms / 1_000);
      return { tasks, tasksPerSecond, p50Ms: p50, p99Ms: p99, cpuUs: (await cpuAtEnd) / tasks };
    },
  };
}

const nth = (names: readonly string[], index: number): string => names[index % names.length] ?? "";

function newTask(agent_name: string): AgentTask {
  const task_id = randomUUID();
  const input_data = { text: "What is the capital of Peru? ".repeat(8) };
  return { run_id: task_id, task_id, agent_name, input_data, correlation_id: task_id };
}
