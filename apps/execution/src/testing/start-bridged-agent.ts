import type { CallHeaders } from "@crosszone/agent-calls";
import type { AgentRecord, AgentResult, AgentTask, InputRequest } from "@crosszone/contracts";
import { vi } from "vitest";
import {
  type AgentContext,
  type AgentTaskInput,
  type AskedInput,
  type RunInputs,
  TaskPaused,
} from "../agents/agent.ts";
import { createBridgedAgent } from "../agents/bridged/bridged-agent.ts";
import type { Conversation } from "../agents/conversations.ts";
import { agentResult } from "./fake-bridge.ts";

interface BridgedCall {
  readonly task: AgentTask;
  readonly parent?: string;
  readonly headers?: CallHeaders;
}

/** Starts the agent `A`, whose calls get one of `results` each, and a clock. Its conversations are kept here. */
export function startBridgedAgent(
  results: readonly Partial<AgentResult>[],
  conversation?: AgentContext["conversation"],
) {
  const calls: BridgedCall[] = [];
  const kept: Conversation[] = [];
  const canceled: string[] = [];
  const clock = { at: 0 };
  let meanwhile: (() => Promise<void>) | undefined;
  const agent = createBridgedAgent({ name: "A", description: "" } as AgentRecord, {
    calls: {
      call: async (task, _signal, about) => {
        const result = agentResult(task.task_id, results[calls.push({ task, ...about }) - 1] ?? {});
        const happens = meanwhile;
        meanwhile = undefined;
        await happens?.();
        return result;
      },
      cancel: ({ task_id }) => void canceled.push(task_id),
      stop: async () => undefined,
    },
    conversations: { find: async () => kept.at(-1) ?? {}, keep: async (one) => void kept.push(one.conversation) },
  });
  const ids = { task_id: "t1", correlation_id: "c1", context_id: "thread-1" };
  const run = (inputs?: RunInputs, members: Partial<AgentTaskInput> = {}) =>
    agent.run(
      { ...ids, text: "clean up", thread: [], attachments: [], ...members },
      {
        now: () => new Date(clock.at),
        signal: new AbortController().signal,
        readFile: () => Promise.reject(new Error("no files")),
        ...(conversation && { conversation }),
        ...(inputs && { inputs }),
      },
    );
  /** Runs until the task pauses. */
  const pause = async (inputs?: RunInputs, members?: Partial<AgentTaskInput>) => {
    const thrown: unknown = await run(inputs, members).catch((error: unknown) => error);
    if (!(thrown instanceof TaskPaused)) throw new Error("it did not pause", { cause: thrown });
    return thrown as Omit<TaskPaused, "awaited"> & { readonly awaited: readonly AskedInput[] };
  };
  /** What the run after a pause gets, as it is stored. */
  const after = (paused: TaskPaused, decided: Readonly<Record<string, Partial<InputRequest>>> = {}) => ({
    continuation: JSON.parse(JSON.stringify(paused.continuation)) as unknown,
    decided: new Map(Object.entries(decided) as [string, InputRequest][]),
    use: vi.fn<RunInputs["use"]>(async () => "allowed"),
    isOpen: () => false,
  });
  /** Something happens during the next call. */
  const whileCalled = (happens: () => Promise<void>): void => void (meanwhile = happens);
  return { agent, calls, kept, canceled, clock, run, pause, after, whileCalled };
}
