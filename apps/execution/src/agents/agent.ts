import type { AgentSkill, Attachment, TaskAwaits, TaskProgress, ThreadMessage } from "@crosszone/contracts";

export type { AgentSkill };

/**
 * What an agent is asked. All of it was written by people outside of this zone: data to judge, never an instruction to
 * the zone.
 */
export interface AgentTaskInput {
  task_id: string;
  correlation_id: string;
  /** The person's message. Empty when only files came. */
  text: string;
  /** Earlier messages of the thread, oldest first; empty when there are none. */
  thread: ThreadMessage[];
  attachments: Attachment[];
  /** Slack id of the conversation. */
  channel?: string;
  /** Slack user id of the person, and id of the team that it was asked in. */
  user_id?: string;
  team_id?: string;
  /** The conversation that the message belongs to, the same for each message of a thread. */
  context_id?: string;
  /** Of a task that an agent gives to another: the task whose files it may read. */
  parent_task_id?: string;
}

/** A file of an answer. */
export interface AnswerFile {
  /** A file name, unique within the answer. */
  readonly name: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/** An agent's answer. Members that are not named here are the agent's own; they reach the caller unchanged. */
export interface AgentAnswer {
  /** Markdown for the thread, never empty. */
  response_text: string;
  /** Files that belong to the answer. */
  files?: readonly AnswerFile[];
  /** The answer is a question: the next message of the conversation answers it. */
  awaits?: TaskAwaits;
  [member: string]: unknown;
}

/**
 * Reads the bytes of an attachment by its id; they belong to whoever asked. Rejects with a sentence for the person when there are
 * none to be had.
 */
export type ReadFile = (id: string) => Promise<Uint8Array>;

/** Shows how an answer comes about. A preview: what `run` resolves with is the answer, whether anybody watched or not. */
export interface TaskPreview {
  /** Adds to the text that is shown, Markdown. What was shown of an answer is its beginning, byte for byte. */
  readonly text: (delta: string) => void;
  /** What the agent is doing now, in place of what it said before. */
  readonly progress: (progress: Pick<TaskProgress, "steps" | "more" | "text">) => void;
}

/** What the zone lends to an agent for one run. */
export interface AgentContext {
  /**
   * Aborted when the task is canceled or passes its deadline. The reason is a `ZoneError`: with another kind than `canceled` or
   * `timeout`, another process goes on with the task.
   */
  signal: AbortSignal;
  /** When the task's time is over. */
  deadline?: Date;
  now: () => Date;
  readFile: ReadFile;
  /** Where somebody may be watching. */
  preview?: TaskPreview;
  /** Goes along with whatever the agent asks of others. https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent?: string;
}

/** Tells how far tasks of an agent are, whichever process runs them. */
export interface AgentProgress {
  /** How far a task is; nothing when there is nothing to show of it. */
  read(taskId: string): Promise<TaskProgress | undefined>;
  /** Resolves when there is something newer than the revision `seen`, or with the signal. */
  waitForNewer(taskId: string, seen: number, signal: AbortSignal): Promise<void>;
}

/** What a program has to know to call an agent, e.g. a language model. */
export interface AgentInterface {
  /** JSON Schema of an object that is written as JSON into the text; any text when absent. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Whether a task of it changes something outside of Crosszone. */
  readonly sideEffects: boolean;
}

/**
 * The port to whatever does the work of a task. To connect another agent (a language model, say), implement this and
 * put it into the agent directory.
 */
export interface Agent {
  /** How `execute_task` asks for it; unique in a directory. */
  readonly name: string;
  /** What it is to people; an agent when absent. */
  readonly kind?: "agent" | "workflow";
  readonly description: string;
  readonly skills: readonly AgentSkill[];
  /** Whether a task may be run again when the process that ran it has died. It may when absent: then no run has an effect but its answer. */
  readonly repeatable?: boolean;
  /**
   * Of an agent whose work goes on whichever process waits for it: whether that of a task was begun. A process that stops hands such tasks back
   * at once, and what was begun is waited for however many processes have died over it.
   */
  readonly isBegun?: (taskId: string) => Promise<boolean>;
  /** Any text and no side effects when absent. Rejects with a `ZoneError` when nobody can tell now. */
  readonly describe?: () => Promise<AgentInterface>;
  /** Of an agent whose tasks are done in steps. */
  readonly progress?: AgentProgress;
  /**
   * Answers one task. What the person got wrong is said in the answer. It rejects with `context.signal.reason` soon
   * after the signal is aborted, and with anything else only when the agent itself failed.
   */
  run(input: AgentTaskInput, context: AgentContext): Promise<AgentAnswer>;
  /** Told that a task was canceled which another process runs, or ran until it died. Must not throw. */
  cancelElsewhere?(task: Pick<AgentTaskInput, "task_id" | "correlation_id">): void;
}
