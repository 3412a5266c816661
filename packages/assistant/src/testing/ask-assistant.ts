import type { TaskStep } from "@crosszone/contracts";
import type { AssistantEmit, AssistantLimits } from "../limits.ts";
import { type Answer, createAssistant, type Question } from "../create-assistant.ts";
import type { ThreadMemory, ThreadSummary } from "../memory/thread-memory.ts";
import type { OpenModel } from "../models/open-model.ts";
import type { AssistantTool } from "../tools/assistant-tool.ts";
import type { ResumedTurn } from "../turn/paused-turn.ts";
import type { Spending, TurnUsage } from "../usage/usage-meter.ts";

/** The recorded events of a question. */
export interface AskOutcome {
  readonly answer?: Answer;
  readonly error?: unknown;
  /** The shown text, piece by piece, and the steps after each change. */
  readonly shown: string[];
  readonly steps: TaskStep[][];
  readonly usage: TurnUsage[];
  readonly failures: string[];
  readonly retries: string[];
}

export interface AskOptions {
  readonly question?: Partial<Question>;
  readonly limits?: Partial<AssistantLimits>;
  readonly signal?: AbortSignal;
  readonly memory?: ThreadMemory;
  readonly spending?: Spending;
  readonly resumed?: ResumedTurn;
  /** Called with each shown piece. */
  readonly onText?: (delta: string) => void;
}

/** Friday noon, UTC. */
const noon = new Date("2026-11-20T12:00:00Z");

/** Asks a model one question and records everything. Retries wait a millisecond. */
export async function askAssistant(
  model: OpenModel,
  { question, limits, signal, memory, spending, resumed, onText }: AskOptions = {},
): Promise<AskOutcome> {
  const outcome = { shown: [], steps: [], usage: [], failures: [], retries: [] } as AskOutcome;
  const emit: AssistantEmit = (event, ...[fields]) => {
    const { agent_name, because, cause } = fields as { agent_name?: string; because?: string; cause?: unknown };
    const isFailure = event === "model_tool_failed" || event === "summary_failed";
    outcome[isFailure ? "failures" : "retries"].push(agent_name ?? because ?? String(cause));
  };
  const assistant = createAssistant({ model, limits: { backoffMs: 1, ...limits }, emit });
  const context = {
    signal: signal ?? new AbortController().signal,
    now: () => noon,
    memory,
    spending,
    resumed,
    preview: {
      text: (delta: string) => {
        outcome.shown.push(delta);
        onText?.(delta);
      },
      progress: ({ steps }: { readonly steps: TaskStep[] }) => void outcome.steps.push(steps),
    },
    onUsage: (usage: TurnUsage) => void outcome.usage.push(usage),
  };
  const defaults = { text: "Hello", userId: "U1", thread: [], files: [], tools: [] };
  try {
    return { ...outcome, answer: await assistant.answer({ ...defaults, ...question }, context) };
  } catch (error) {
    return { ...outcome, error };
  }
}

/** A tool from a function. */
export function toolThat(run: AssistantTool["run"], members: Partial<AssistantTool> = {}): AssistantTool {
  return {
    name: "lookup",
    title: "Look up",
    description: "Looks something up.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    sideEffects: false,
    trusted: false,
    run,
    ...members,
  };
}

/** The memory of one thread, in this process. */
export function createMemory(): ThreadMemory & { readonly kept: ThreadSummary[] } {
  const kept: ThreadSummary[] = [];
  return {
    kept,
    find: async () => kept.at(-1),
    keep: async (summary) => void kept.push(summary),
    drop: async () => void kept.splice(0),
  };
}
