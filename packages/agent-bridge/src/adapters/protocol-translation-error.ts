import type { AgentErrorKind } from "@crosszone/contracts";
import { AgentFailure, type AgentFailureDetail } from "../agent-failure.ts";

/** To the agent's protocol (`request`), or from it (`response`). */
export type TranslationDirection = "request" | "response";

/** Details of a failed translation. */
export interface TranslationErrorDetail extends AgentFailureDetail {
  readonly protocol: string;
  readonly direction: TranslationDirection;
  /** The data that couldn't be translated. Only for logs, which shorten and redact it; never for a result. */
  readonly originalData: unknown;
}

/**
 * Data that can't be expressed in a protocol, or breaks it. A retry would give the same result, so it is not retried.
 */
export class ProtocolTranslationError extends AgentFailure {
  override readonly name = "ProtocolTranslationError";
  readonly protocol: string;
  readonly direction: TranslationDirection;
  readonly originalData: unknown;

  constructor(kind: AgentErrorKind, message: string, detail: TranslationErrorDetail) {
    super(kind, message, detail);
    this.protocol = detail.protocol;
    this.direction = detail.direction;
    this.originalData = detail.originalData;
  }
}
