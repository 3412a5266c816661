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

export interface TurnSnapshot {
  readonly isTainted: boolean;
  readonly sources: readonly string[];
  readonly modelCalls: number;
  readonly pending: readonly PendingCall[];
  readonly steps: readonly TaskStep[];
  readonly counts: readonly (readonly [tool: string, count: number])[];
  /** Contents in Base64. */
  readonly files: readonly { readonly name: string; readonly mediaType: string; readonly bytes: string }[];
}

/** The state of a turn, or that of a paused turn without its pending calls. `show` gets all steps whenever one changes. */
export class TurnState {
  /** Whether third-party content is in the conversation. */
  isTainted: boolean;
  /** Slack ids of the other people who are known to have written parts of the conversation. */
  readonly sources: ReadonlySet<string>;
  /** The tools withheld from the last model call, by the names that users know. */
  withheld: ReadonlySet<string> = new Set();
  modelCalls: number;
  /** What would change in the arguments of calls, by the model's id for the call. They are not run. */
  readonly changedArguments = new Map<string, string>();
  /** The calls that wait for people. */
  readonly pending: PendingCall[] = [];
  readonly files: MadeFile[];
  readonly #steps: TaskStep[];
  readonly #counts: Map<string, number>;
  readonly #show: (steps: TaskStep[]) => void;

  constructor(before: TurnSnapshot, show: (steps: TaskStep[]) => void) {
    this.isTainted = before.isTainted;
    this.sources = new Set(before.sources);
    this.modelCalls = before.modelCalls;
    this.files = before.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes, "base64") }));
    const done = before.steps.filter(({ state }) => state !== "pending");
    this.#steps = done.map((step, index) => ({ ...step, id: String(index + 1) }));
    this.#counts = new Map(before.counts);
    this.#show = show;
  }

  /** Does work with a tool and shows it as a step. */
  async step({ name, title }: AssistantTool, work: () => Promise<ToolResult>): Promise<ToolResult> {
    const set = this.#begin(name, title);
    try {
      const result = await work();
      if (result.waits) set("pending", ": waits for people");
      else set(result.failed ? "failed" : "succeeded");
      return result;
    } catch (error) {
      set("failed");
      throw error;
    }
  }

  /** Adds a call that waits, and shows it as a step. */
  wait(call: PendingCall): void {
    this.pending.push(call);
    this.#begin(call.tool, call.title)("pending", ": waits for approval");
  }

  /** Returns the number of this call of the tool, from 1. */
  countCall(tool: string): number {
    const count = (this.#counts.get(tool) ?? 0) + 1;
    this.#counts.set(tool, count);
    return count;
  }

  snapshot(): TurnSnapshot {
    return {
      isTainted: this.isTainted,
      sources: [...this.sources],
      modelCalls: this.modelCalls,
      pending: [...this.pending],
      steps: [...this.#steps],
      counts: [...this.#counts],
      files: this.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes).toString("base64") })),
    };
  }

  /** Shows a running step. Returns a function that sets its state. */
  #begin(name: string, title: string): (state: TaskStep["state"], note?: string) => void {
    const steps = this.#steps;
    if (steps.length === mostSteps) return () => undefined;
    const at = steps.length;
    const line = { id: String(at + 1), uses: shortened(name), depth: 0 };
    const set = (state: TaskStep["state"], note = ""): void => {
      steps[at] = { ...line, title: shortened(title + note), state };
      this.#show([...steps]);
    };
    set("running");
    return set;
  }
}

const shortened = (text: string): string => text.slice(0, 255).toWellFormed();
