import type {
  InputAction,
  InputDeciders,
  InputKind,
  InputOption,
  InputRequest,
  InputSchema,
  InputVisibility,
  TaskAwaits,
} from "@crosszone/contracts";
import type { UseVerdict } from "../inputs/judge-use.ts";

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
  readonly action?: Omit<InputAction, "digest">;
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

  constructor(
    awaited: readonly AwaitedInput[],
    { continuation, text, question }: { continuation: unknown; text?: string; question?: AgentQuestion },
  ) {
    super("the task waits for people");
    this.awaited = awaited;
    this.continuation = continuation;
    this.text = text;
    this.question = question;
  }
}

/** What a run of a task that was paused gets. */
export interface RunInputs {
  /** What the last run gave to `TaskPaused`. */
  readonly continuation: unknown;
  /** The task's closed requests, by the keys of `AskedInput`. */
  readonly decided: ReadonlyMap<string, InputRequest>;
  /** Uses the approval of a key for this call, once. Call it right before the action. */
  readonly use: (key: string, action: Omit<InputAction, "digest">) => Promise<UseVerdict>;
  /** Whether a request is open. */
  readonly isOpen: (requestId: string) => boolean;
}
