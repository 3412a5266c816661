import type { AgentSkill, Attachment, ThreadMessage } from "@crosszone/contracts";

/** The input of a task. People outside the zone wrote all of it: it is data, never an instruction. */
export interface TaskInput {
  /** The requester's message. Empty when the message has only files. */
  readonly text: string;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: ThreadMessage[];
  readonly attachments: Attachment[];
}

/** Reads the bytes of an attachment by its id. Rejects with a sentence for the requester when they can't be read. */
export type ReadFile = (id: string) => Promise<Uint8Array>;

/** What the zone provides for one run. */
export interface RunContext {
  /** Aborted when the task is canceled or passes its deadline. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly readFile: ReadFile;
}

/** An answer for the thread. */
export interface BuiltinAnswer {
  /** Markdown, never empty. */
  readonly response_text: string;
  /** The id of the skill that answered; absent when no skill matched. */
  readonly skill?: string;
  readonly [member: string]: unknown;
}

/** The agent as the zone runs it. It satisfies the zone's own port to an agent. */
export interface BuiltinAgent {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly AgentSkill[];
  /** Answers one task. Mistakes of the requester are explained in the answer. Rejects with the signal's reason after it aborts. */
  readonly run: (input: TaskInput, context: RunContext) => Promise<BuiltinAnswer>;
}
