import { agentErrorTable, type AgentError, type AgentErrorKind } from "@crosszone/contracts";

/** Details of a failure besides its kind and message. */
export interface AgentFailureDetail {
  /** JSON-RPC error code, or HTTP status. */
  readonly code?: number;
  /** The agent's own data about it. */
  readonly data?: unknown;
  /** Whether the same request can be retried; by default it depends on the kind. */
  readonly retryable?: boolean;
  /** The pause that the agent requests, milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * Why an agent gave no result. The message is for the agent's operator: it says what was wrong and contains no secrets.
 */
export class AgentFailure extends Error {
  override readonly name: string = "AgentFailure";
  readonly kind: AgentErrorKind;
  readonly retryable: boolean;
  readonly code: number | undefined;
  readonly data: unknown;
  readonly retryAfterMs: number | undefined;

  constructor(kind: AgentErrorKind, message: string, detail: AgentFailureDetail = {}) {
    super(message, { cause: detail.cause });
    this.kind = kind;
    this.retryable = detail.retryable ?? agentErrorTable[kind].retryable;
    this.code = detail.code;
    this.data = detail.data;
    this.retryAfterMs = detail.retryAfterMs;
  }

  /** Returns the failure in the form of an `AgentResult`. */
  toJSON(): AgentError {
    const { kind, message, retryable, code, data } = this;
    return { kind, message, retryable, ...(code !== undefined && { code }), ...(data !== undefined && { data }) };
  }
}
