import { agentErrorTable, type AgentError, type AgentErrorKind } from "@crosszone/contracts";

/** What is known of a failure beside its kind and its words. */
export interface AgentFailureDetail {
  /** JSON-RPC error code, or HTTP status. */
  readonly code?: number;
  /** What the agent said of it. */
  readonly data?: unknown;
  /** Whether the same request may be sent again; what the table says of the kind when absent. */
  readonly retryable?: boolean;
  /** How long the agent asks to be left alone, milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Why an agent gave no result. Its message is for the person who runs the agent: it names what was wrong, and no secret. */
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

  /** As it stands in an `AgentResult`. */
  toJSON(): AgentError {
    const { kind, message, retryable, code, data } = this;
    return { kind, message, retryable, ...(code !== undefined && { code }), ...(data !== undefined && { data }) };
  }
}
