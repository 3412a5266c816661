/** The safe facts about a provider package's error, independent of its class. */
export interface ReadError {
  readonly name: string;
  readonly statusCode: number | undefined;
  readonly isRetryable: boolean | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The provider's message, to search for known codes. May quote the prompt: never log it. */
  readonly words: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Reads an error; of an error that collects several attempts, the last one. */
export function readError(error: unknown): ReadError {
  const members = membersOf(error);
  if (members["name"] === "AI_RetryError" && members["lastError"] !== undefined) return readError(members["lastError"]);
  const headers = membersOf(members["responseHeaders"]);
  const { statusCode, isRetryable, type } = members;
  return {
    name: textOf(members["name"]) || "unknown",
    statusCode: typeof statusCode === "number" ? statusCode : undefined,
    isRetryable: typeof isRetryable === "boolean" ? isRetryable : undefined,
    requestId: requestIdOf(headers),
    retryAfterMs: retryAfterOf(headers),
    words: [members["message"], members["responseBody"], type, causeCode(members["cause"])].map(textOf).join("\n"),
  };
}

/** Describes the kind of an error for the log, without its message. */
export function describeError({ name, statusCode, isRetryable, requestId }: ReadError): string {
  const facts = [
    statusCode !== undefined && `status ${statusCode}`,
    isRetryable !== undefined && (isRetryable ? "retryable" : "not retryable"),
    requestId !== undefined && `request ${requestId}`,
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
}

const requestIds = ["request-id", "x-request-id", "x-amzn-requestid"];

function requestIdOf(headers: Members): string | undefined {
  const found = requestIds.map((name) => textOf(headers[name])).find((id) => id !== "");
  return found === undefined || !/^[\w-]{1,128}$/.test(found) ? undefined : found;
}

function retryAfterOf(headers: Members): number | undefined {
  const ms = Number(textOf(headers["retry-after-ms"]) || Number.NaN);
  const seconds = Number(textOf(headers["retry-after"]) || Number.NaN);
  const wait = Number.isFinite(ms) ? ms : seconds * 1_000;
  return Number.isFinite(wait) && wait >= 0 ? Math.ceil(wait) : undefined;
}

/** The code of a socket error, such as `ECONNREFUSED`, which may be two causes deep. */
function causeCode(cause: unknown): string {
  const { code, cause: inner } = membersOf(cause);
  return textOf(code) || (inner === undefined ? "" : causeCode(inner));
}

const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null ? (value as Members) : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
