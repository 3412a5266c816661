/** The errors of JSON-RPC and A2A. https://a2a-protocol.org/v1.0.0/specification/#54-error-code-mappings */
const codes = {
  PARSE_ERROR: -32_700,
  INVALID_REQUEST: -32_600,
  METHOD_NOT_FOUND: -32_601,
  INVALID_PARAMS: -32_602,
  INTERNAL: -32_603,
  UNAVAILABLE: -32_000,
  TASK_NOT_FOUND: -32_001,
  TASK_NOT_CANCELABLE: -32_002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32_003,
  UNSUPPORTED_OPERATION: -32_004,
  CONTENT_TYPE_NOT_SUPPORTED: -32_005,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32_007,
  VERSION_NOT_SUPPORTED: -32_009,
} as const;

export type ErrorReason = keyof typeof codes;

export interface ErrorDetails {
  /** The invalid member, such as `message.parts`. */
  readonly field?: string;
  /** HTTP status; 200 unless the HTTP layer refuses the request. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is sent to the client. */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly reason: ErrorReason;
  readonly details: ErrorDetails;

  constructor(reason: ErrorReason, message: string, details: ErrorDetails = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** Returns the JSON-RPC error object. Only A2A 1.0 has typed details. */
export function errorObject({ reason, message, details }: RpcError, version: "0.3" | "1.0"): object {
  const error = { code: codes[reason], message };
  const data = version === "1.0" ? typedDetails(reason, message, details.field) : [];
  return data.length === 0 ? error : { ...error, data };
}

function typedDetails(reason: ErrorReason, message: string, field: string | undefined): readonly object[] {
  if (field !== undefined)
    return [
      { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description: message }] },
    ];
  if (codes[reason] > -32_001 || codes[reason] < -32_099) return [];
  return [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org", metadata: {} }];
}
