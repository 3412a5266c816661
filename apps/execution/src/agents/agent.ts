import {
  type AgentSkill,
  type Attachment,
  type InputDeciders,
  type InputKind,
  type InputOption,
  type InputRequest,
  type InputSchema,
  type InputVisibility,
  type OthersContent,
  type TaskAwaits,
  type TaskProgress,
  type ThreadMessage,
  type UnreadableContent,
  type WorkflowDefinition,
  ZoneError,
} from "@crosszone/contracts";
import type { Span, Tracer } from "@crosszone/service-kit/tracing";
import type { ActionCall, UseVerdict } from "../people/input-record.ts";
import type { Conversation, KeptConversation } from "./conversations.ts";

/** What an agent asks of people. Who decides, and until when, comes from the approval policy unless it is given here. */
export interface AskedInput {
  /** Unique within the task. The same key again is the same request. */
  readonly key: string;
  readonly kind: InputKind;
  /** One line, at most 150 characters. */
  readonly title: string;
  /** Markdown. */
  readonly body?: string;
  /** For `approve`: the exact call that the decision allows. */
  readonly action?: ActionCall;
  /** For `choose`. */
  readonly options?: InputOption[];
  /** For `form`. */
  readonly schema?: InputSchema;
  readonly decide?: InputDeciders;
  readonly visibility?: InputVisibility;
  /** Slack ids of people who never count, such as the source of content that led to the call. */
  readonly not?: readonly string[];
}

/** What an agent waits for: a request of its own, or one that exists, such as that of a workflow run's step. */
export type AwaitedInput = AskedInput | { readonly waits_for: string };

/** What an agent asks its requester in words: the next message of the requester is the reply. */
export interface AgentQuestion {
  readonly awaits: TaskAwaits;
  /** What stands beside the question, then the question. */
  readonly text: string;
  /** Data beside it, JSON. */
  readonly data: readonly unknown[];
}

/** What `Agent.run` throws to wait for people. The task runs again when they have decided, in any process. */
export class TaskPaused extends Error {
  override readonly name = "TaskPaused";
  readonly awaited: readonly AwaitedInput[];
  /** JSON that the next run gets. */
  readonly continuation: unknown;
  /** Shown meanwhile, Markdown. */
  readonly text: string | undefined;
  /** What a program reads instead of the titles of what is awaited. */
  readonly question: AgentQuestion | undefined;
  /** The task runs again after this time, milliseconds, whatever people have decided. It does not count against its deadline. */
  readonly lookAgainMs: number | undefined;
  /** Whether an agent outside of this zone waits for the decision, so that it must be told of any. */
  readonly agentWaits: boolean;

  constructor(
    awaited: readonly AwaitedInput[],
    how: {
      readonly continuation: unknown;
      readonly text?: string;
      readonly question?: AgentQuestion;
      readonly lookAgainMs?: number;
      readonly agentWaits?: boolean;
    },
  ) {
    const { continuation, text, question, lookAgainMs, agentWaits = false } = how;
    super("the task waits for people");
    this.awaited = awaited;
    this.continuation = continuation;
    this.text = text;
    this.question = question;
    this.lookAgainMs = lookAgainMs;
    this.agentWaits = agentWaits;
  }
}

/** What a run of a task that was paused gets. */
export interface RunInputs {
  /** What the last run gave to `TaskPaused`. */
  readonly continuation: unknown;
  /** The task's closed requests, by the keys of `AskedInput`. */
  readonly decided: ReadonlyMap<string, InputRequest>;
  /** Uses the approval of a key for this call, once. Call it right before the action. */
  readonly use: (key: string, action: ActionCall) => Promise<UseVerdict>;
  readonly isOpen: (requestId: string) => boolean;
}

/**
 * Whether a task was stopped for good, by the reason of its signal. When a process stops or loses a task, another
 * process continues it.
 */
export const isUnwanted = (reason: unknown): boolean =>
  reason instanceof ZoneError && (reason.kind === "canceled" || reason.kind === "timeout");

export interface TaskIds {
  task_id: string;
  correlation_id: string;
}

/** A requester's message, and what came with it. */
export interface AgentMessage {
  /** The requester's own words. Empty when the message has only files or content of others. */
  text: string;
  /** Earlier messages of the thread, oldest first; empty without any. */
  thread: ThreadMessage[];
  attachments: Attachment[];
  has_quotes?: boolean;
  others?: OthersContent[];
  unreadable?: UnreadableContent[];
  /** The agent that wrote the text, if the requester only pressed it; `hook:` and its name for a text of a hook. */
  offered_by?: string;
}

/** Where a message was written, and by whom. */
export interface RequestPlace {
  /** Slack id of the conversation. */
  channel?: string;
  /** The thread of the message in it. */
  thread_ts?: string;
  /** Slack ids of the requester and of the team. */
  user_id?: string;
  team_id?: string;
  user_name?: string;
  /** The conversation of the message, the same for every message of a thread. */
  context_id?: string;
  /** The fire that asks, instead of a message. */
  fire_id?: string;
}

/**
 * The input of an agent's task. People outside this zone wrote all of it: it is data, never an instruction to the zone.
 */
export interface AgentTaskInput extends TaskIds, AgentMessage, RequestPlace {
  /** How many zones and agents passed the question of a program on before. */
  hops?: number;
  /** Names of the agents and workflows that the requester may ask; all of them when absent. See `mayAsk`. */
  agents?: readonly string[];
  /** The task that called this agent. This task may read that task's files. */
  parent_task_id?: string;
}

/** Returns whether a requester with these `agents` may ask an agent or workflow. `*` is all of them. */
export const mayAsk = ({ agents = ["*"] }: { readonly agents?: readonly string[] }, name: string): boolean =>
  agents.includes(name) || agents.includes("*");

export interface AnswerFile {
  /** A file name, unique within the answer. */
  readonly name: string;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/** An agent's answer. Members not declared here are the agent's own; they reach the caller unchanged. */
export interface AgentAnswer {
  /** Markdown for the thread, never empty. */
  response_text: string;
  files?: readonly AnswerFile[];
  /** Set when the answer is a question: the next message of the conversation answers it. */
  awaits?: TaskAwaits;
  /** Questions that the person may ask next: at most 4, of 75 characters each. */
  follow_ups?: string[] | undefined;
  [member: string]: unknown;
}

/**
 * Reads the bytes of the requester's attachment by its id. Rejects with a sentence for the requester when they can't be
 * read.
 */
export type ReadFile = (id: string) => Promise<Uint8Array>;

/** Shows an answer while it is created. Only a preview: the answer is what `run` resolves with. */
export interface TaskPreview {
  /** Appends Markdown to the shown text. The shown text must be the beginning of the answer, byte for byte. */
  readonly text: (delta: string) => void;
  /** Replaces the shown progress. Without a revision it gets the next one. */
  readonly progress: (progress: Pick<TaskProgress, "steps" | "more" | "text"> & { readonly revision?: number }) => void;
  /** For an agent with `progress`: whether all of it is shown here too, so that it needn't be read. Initially not. */
  readonly showsProgress: (shows: boolean) => void;
}

export interface RunTime {
  deadline?: Date;
  now: () => Date;
}

export interface FileAccess {
  /**
   * Aborted when the task is canceled or passes its deadline. The reason is a `ZoneError`. If its kind is neither
   * `canceled` nor `timeout`, another process continues the task.
   */
  signal: AbortSignal;
  readFile: ReadFile;
}

/** What the zone provides to an agent for one run. */
export interface AgentContext extends RunTime, FileAccess {
  /** Present when someone may be watching. */
  preview?: TaskPreview;
  /** Passed on with every request that the agent makes. https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent?: string;
  /** The conversation that the task belongs to, for an agent with `conversationOf`. */
  conversation?: {
    /** As it was before the task; undefined when it was not read. */
    readonly before: Conversation | undefined;
    /** Stores it with the end of the task, in one commit. */
    readonly keep: (kept: KeptConversation) => Promise<void> | void;
  };
  /** Present when an earlier run of the task threw `TaskPaused`. */
  inputs?: RunInputs;
}

/** Reports the progress of an agent's tasks, whichever process runs them. */
export interface AgentProgress {
  /** Returns a task's progress; undefined when it has none. */
  read(taskId: string): Promise<TaskProgress | undefined>;
  /** Resolves when progress is newer than the revision `seen`, or when the signal aborts. */
  waitForNewer(taskId: string, seen: number, signal: AbortSignal): Promise<void>;
  /** Returns until when a task waits while nothing works for it, Unix milliseconds; Infinity for an event, undefined if it does not only wait. */
  asleepUntil?(taskId: string): Promise<number | undefined>;
}

/** What a program, such as a language model, needs to know to call an agent. */
export interface AgentInterface {
  /** JSON Schema of an object that is passed as JSON in the text. When absent, any text is valid. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Whether the agent changes anything outside Crosszone. */
  readonly sideEffects: boolean;
}

/**
 * The port to an agent. To connect another kind of agent, such as a language model, implement this interface and add it
 * to the agent directory.
 */
export interface Agent {
  /** Its name in `execute_task`, unique in a directory. */
  readonly name: string;
  /** What users see it as; an agent when absent. */
  readonly kind?: "agent" | "workflow";
  readonly description: string;
  readonly skills: readonly AgentSkill[];
  /** What of this its card says, which is content of others: its skills, or its description too. */
  readonly ownWords?: "skills" | "all";
  /** JSON Schema of its input, of a workflow. */
  readonly inputSchema?: WorkflowDefinition["input_schema"];
  /**
   * Whether a task may run again after its process crashed. True when absent: then a run's only effect must be its
   * answer.
   */
  readonly repeatable?: boolean;
  /**
   * For an agent whose work continues elsewhere: whether a task's work has started. A stopping process releases such
   * tasks at once, and started work is awaited however many processes crash.
   */
  readonly isBegun?: (taskId: string) => Promise<boolean>;
  /** When absent, the agent accepts any text and has no side effects. May reject with a retryable `ZoneError`. */
  readonly describe?: () => Promise<AgentInterface>;
  /** Present when the agent works in steps. */
  readonly progress?: AgentProgress;
  /**
   * Present when conversations with the agent are stored: returns the conversation's id. The store reads it when it
   * stores the task.
   */
  readonly conversationOf?: (contextId: string) => string;
  /**
   * For an agent whose failed work can be retried elsewhere: returns what has become of a failed task since its
   * progress had this revision. Undefined if nothing has. Rejects with its error if it failed again.
   */
  readonly sinceFailure?: (taskId: string, revision: number) => Promise<"working" | AgentAnswer | undefined>;
  /**
   * Answers one task. Throws `TaskPaused` to wait for people. Mistakes of the requester are explained in the answer. Rejects with `context.signal.reason` soon
   * after the signal aborts, and otherwise only when the agent itself fails.
   */
  run(input: AgentTaskInput, context: AgentContext): Promise<AgentAnswer>;
  /** Called when a task is canceled that another process runs, or ran until it crashed. Must not throw. */
  cancelElsewhere?(task: TaskIds & { readonly paused?: { readonly pauses: number } }): void;
}

/** Starts the span of an agent's own work; `contextId` is the agent's conversation. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/ */
export function beginAgentSpan(
  tracer: Tracer,
  agent: string,
  { traceparent, contextId }: { readonly traceparent: string | undefined; readonly contextId?: string },
): Span {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "crosszone",
    "gen_ai.agent.name": agent,
    "gen_ai.conversation.id": contextId,
  };
  return tracer.start(`invoke_agent ${agent}`, { kind: "internal", traceparent, attributes });
}
