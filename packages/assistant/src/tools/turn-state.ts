import type { TaskStep } from "@crosszone/contracts";
import type { AssistantTool, MadeFile, ToolResult, WaitingCall } from "./assistant-tool.ts";

/** Maximum number of displayed steps (`task-progress.schema.json`). */
const mostSteps = 50;

/** A call of the model that waits for people. JSON. */
export interface PendingCall {
  /** Unique within the task. Stays the same until another approval is needed. */
  readonly key: string;
  /** The model's id for the call. */
  readonly id: string;
  /** The tool by the model's name, and by the name that users know. */
  readonly name: string;
  readonly tool: string;
  readonly title: string;
  readonly input: unknown;
  /** The number of this call of the tool within the turn, from 1. */
  readonly number: number;
  /** Whether it has its second approval request. */
  readonly renewed?: boolean;
  /** Present when the call has begun, and waits itself. Otherwise it waits for its approval. */
  readonly waits?: WaitingCall;
}

/** The state of a turn as JSON. */
export interface TurnSnapshot {
  readonly isTainted: boolean;
  readonly sources: readonly string[];
  readonly modelCalls: number;
  readonly pending: readonly PendingCall[];
  readonly steps: readonly TaskStep[];
  readonly counts: readonly (readonly [tool: string, count: number])[];
  /** Contents in Base64. */
  readonly files: readonly (Omit<MadeFile, "bytes"> & { readonly bytes: string })[];
}

export interface TurnState {
  /** Whether third-party content is in the conversation. */
  isTainted: boolean;
  /** Slack ids of the other people who are known to have written parts of the conversation. */
  readonly sources: ReadonlySet<string>;
  /** The tools withheld from the last model call, by the names that users know. */
  withheld: ReadonlySet<string>;
  /** The number of model calls so far. */
  modelCalls: number;
  /** What would change in the arguments of calls, by the model's id for the call. They are not run. */
  readonly changedArguments: Map<string, string>;
  /** The calls that wait for people. */
  readonly pending: PendingCall[];
  readonly files: MadeFile[];
  /** Does work with a tool and shows it as a step. */
  step(tool: ShownTool, work: () => Promise<ToolResult>): Promise<ToolResult>;
  /** Adds a call that waits, and shows it as a step. */
  wait(call: PendingCall): void;
  /** Returns the number of this call of the tool, from 1. */
  countCall(tool: string): number;
  snapshot(): TurnSnapshot;
}

/** Creates a turn's state, or that of a paused turn without its pending calls. `show` gets all steps whenever one changes. */
export function createTurnState(
  before: Partial<TurnSnapshot> & Pick<TurnSnapshot, "isTainted">,
  show: (steps: TaskStep[]) => void,
): TurnState {
  const { steps, begin } = createSteps(before.steps, show);
  const calls = new Map<string, number>(before.counts);
  const state: TurnState = {
    isTainted: before.isTainted,
    sources: new Set(before.sources),
    withheld: new Set(),
    modelCalls: before.modelCalls ?? 0,
    changedArguments: new Map(),
    pending: [],
    files: (before.files ?? []).map((file) => ({ ...file, bytes: Buffer.from(file.bytes, "base64") })),
    step: async (tool, work) => {
      const set = begin(tool);
      try {
        const result = await work();
        if (result.waits) set("pending", ": waits for people");
        else set(result.failed ? "failed" : "succeeded");
        return result;
      } catch (error) {
        set("failed");
        throw error;
      }
    },
    wait: (call) => {
      state.pending.push(call);
      begin({ name: call.tool, title: call.title })("pending", ": waits for approval");
    },
    countCall: (tool) => {
      const count = (calls.get(tool) ?? 0) + 1;
      calls.set(tool, count);
      return count;
    },
    snapshot: () => ({
      isTainted: state.isTainted,
      sources: [...state.sources],
      modelCalls: state.modelCalls,
      pending: [...state.pending],
      steps: [...steps],
      counts: [...calls],
      files: state.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes).toString("base64") })),
    }),
  };
  return state;
}

type ShownTool = Pick<AssistantTool, "name" | "title">;

const shortened = (text: string): string => text.slice(0, 255).toWellFormed();

function createSteps(before: readonly TaskStep[] = [], show: (steps: TaskStep[]) => void) {
  const done = before.filter(({ state }) => state !== "pending");
  const steps: TaskStep[] = done.map((step, index) => ({ ...step, id: String(index + 1) }));

  /** Shows a running step. Returns a function that sets its state. */
  function begin({ name, title }: ShownTool): (state: TaskStep["state"], note?: string) => void {
    if (steps.length === mostSteps) return () => undefined;
    const at = steps.length;
    const line = { id: String(at + 1), uses: shortened(name), depth: 0 };
    const set = (state: TaskStep["state"], note = ""): void => {
      steps[at] = { ...line, title: shortened(title + note), state };
      show([...steps]);
    };
    set("running");
    return set;
  }

  return { steps, begin };
}
