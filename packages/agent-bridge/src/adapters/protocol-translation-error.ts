import type { AgentErrorKind } from "@crosszone/contracts";
import { AgentFailure, type AgentFailureDetail } from "../agent-failure.ts";

/** Into the agent's protocol, or out of it. */
export type TranslationDirection = "request" | "response";

/** Which translation failed, and of what. */
export interface TranslationErrorDetail extends AgentFailureDetail {
  readonly protocol: string;
  readonly direction: TranslationDirection;
  /** What could not be translated. For logs, where it is capped and redacted; never for a result. */
  readonly originalData: unknown;
}

/** What cannot be said in a protocol, or breaks it. The same request would bring the same again: it is not retried. */
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
