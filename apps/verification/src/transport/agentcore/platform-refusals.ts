import { LinkError, type LinkErrorKind } from "@crosszone/jsonrpc";

/**
 * The exceptions of `InvokeAgentRuntime`, by the names that AWS gives them.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntime.html#API_InvokeAgentRuntime_Errors
 */
export const refusalNames = [
  "AccessDeniedException",
  "InternalServerException",
  "ResourceNotFoundException",
  "RetryableConflictException",
  "RuntimeClientError",
  "ServiceQuotaExceededException",
  "ThrottlingException",
  "ValidationException",
] as const;

type RefusalName = (typeof refusalNames)[number];

interface Verdict {
  readonly kind: LinkErrorKind;
  /** Who sends the message again: this transport, whoever called it, or nobody. Never two of them. */
  readonly repeatedBy: "transport" | "caller" | "nobody";
  /** For the log. */
  readonly means: string;
}

/** What each exception is to us. */
const verdicts = {
  AccessDeniedException: { kind: "unreachable", repeatedBy: "nobody", means: "AWS does not let this zone in" },
  InternalServerException: { kind: "unreachable", repeatedBy: "transport", means: "AgentCore failed" },
  ResourceNotFoundException: { kind: "unreachable", repeatedBy: "nobody", means: "there is no such runtime" },
  RetryableConflictException: { kind: "unreachable", repeatedBy: "transport", means: "the session is in transition" },
  RuntimeClientError: { kind: "server_error", repeatedBy: "nobody", means: "the container failed" },
  ServiceQuotaExceededException: { kind: "unreachable", repeatedBy: "nobody", means: "a quota of AWS is used up" },
  ThrottlingException: { kind: "unreachable", repeatedBy: "transport", means: "AgentCore takes no more requests now" },
  ValidationException: { kind: "unreachable", repeatedBy: "nobody", means: "AgentCore does not accept the request" },
} satisfies Record<RefusalName, Verdict>;

/** For an error whose body has no name that we know: something between, or a later AWS. */
const nameByStatus: Readonly<Record<number, RefusalName>> = {
  400: "ValidationException",
  401: "AccessDeniedException",
  402: "ServiceQuotaExceededException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  409: "RetryableConflictException",
  424: "RuntimeClientError",
  429: "ThrottlingException",
  500: "InternalServerException",
};

const otherVerdicts: Readonly<Record<number, Verdict>> = {
  502: { kind: "unreachable", repeatedBy: "caller", means: "a gateway failed" },
  503: { kind: "unreachable", repeatedBy: "caller", means: "AgentCore is not available" },
  504: { kind: "timeout", repeatedBy: "caller", means: "a gateway got no answer in time" },
};

/** An answer of AWS that says no. */
export interface Refusal {
  readonly error: LinkError;
  readonly repeatedBy: Verdict["repeatedBy"];
}

/** Reads what the SDK threw; nothing when AWS gave no answer at all. */
export function readRefusal(thrown: unknown): Refusal | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { $metadata, $response } = thrown as Thrown;
  const httpStatus = $metadata?.httpStatusCode ?? $response?.statusCode;
  if (httpStatus === undefined) return undefined;
  const name = isRefusalName(thrown.name) ? thrown.name : nameByStatus[httpStatus];
  const { kind, repeatedBy, means } = (name === undefined ? undefined : verdicts[name]) ??
    otherVerdicts[httpStatus] ?? {
      kind: "invalid_response",
      repeatedBy: "nobody",
      means: "an answer of no known kind",
    };
  const error = new LinkError(kind, `HTTP ${httpStatus}: ${means}`, {
    httpStatus,
    retryable: repeatedBy === "caller",
    cause: tellable(thrown, $metadata?.requestId),
  });
  return { error, repeatedBy };
}

interface Thrown {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly $response?: { readonly statusCode?: number };
}

function isRefusalName(name: string): name is RefusalName {
  return Object.hasOwn(verdicts, name);
}

/**
 * What the log may have of an AWS error. The error itself carries the whole exchange, and after the first line of a text about a
 * wrong signature comes the request as it was signed, with the session token.
 */
function tellable({ name, message }: Error, requestId = "unknown"): Error {
  const [line = ""] = message.split("\n", 1);
  return new Error(`${name}: ${line} (AWS request id ${requestId})`);
}
