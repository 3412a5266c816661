/** Something that the agent can do, for its card. */
export interface Skill {
  readonly name: string;
  /** Default: the description of the agent. */
  readonly description?: string;
  /** Default: the name in lower case, with hyphens. */
  readonly id?: string;
  readonly tags?: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

/** An HTTP request, as far as authentication needs it. */
export interface CallerRequest {
  readonly headers: { readonly get: (name: string) => string | null };
}

/** What an agent is, and its limits. */
export interface AgentOptions {
  readonly name: string;
  readonly description: string;
  /** Version of the agent, default `1.0.0`. */
  readonly version?: string;
  /** Default: one skill with the name and description of the agent. */
  readonly skills?: readonly Skill[];
  /** Media types that the agent accepts, default `text/plain` and `application/json`. `image/*` is a range. Messages with others are refused. */
  readonly inputModes?: readonly string[];
  /** Media types of the answers, default `text/plain`. */
  readonly outputModes?: readonly string[];
  readonly iconUrl?: string;
  readonly documentationUrl?: string;
  readonly provider?: { readonly organization: string; readonly url: string };
  /** More members of the agent card, such as `securitySchemes`. They replace generated ones. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** URL at which clients reach the agent. Default: the URL of the request for the card. Set it behind a proxy. */
  readonly url?: string;
  /** Requires one of these bearer tokens. Callers with different tokens don't see each other's tasks. */
  readonly token?: string | readonly string[];
  /** Returns the name of the caller; undefined refuses the request. Callers don't see each other's tasks. Replaces `token`. */
  readonly authenticate?: (request: CallerRequest) => string | undefined | Promise<string | undefined>;
  /** Largest request body, bytes (default 10 MiB). */
  readonly maxBodyBytes?: number;
  /** Tasks kept in memory (default 1,000). The oldest ended ones are dropped first. */
  readonly maxTasks?: number;
  /** Longest time of a task between two questions, milliseconds (default 15 minutes). */
  readonly taskTimeoutMs?: number;
  /** Longest time that a question stays open, milliseconds (default 24 hours). */
  readonly questionTimeoutMs?: number;
  /** Receives what a handler throws. Default: writes it to stderr. */
  readonly onError?: (error: unknown, taskId: string) => void;
}
