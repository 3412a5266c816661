import { AgentFailure, type AgentFailureDetail } from "../protocol/agent-failure.ts";

/** Codes of a connection that was lost after the request was sent, at least in part. */
export const brokenOff: RegExp = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/;

/** The meaning of connection error codes, and whether a retry may help. The first matching row applies. */
const meanings: readonly (readonly [RegExp, string, AgentFailureDetail?])[] = [
  [/^(ENOTFOUND|EAI_)/, "has no address in DNS"],
  [/^ECONNREFUSED$/, "refuses connections: nothing listens there"],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, "doesn't accept a connection in time"],
  [brokenOff, "closed the connection before its answer ended"],
  [/^(HPE_|HTTPParserError$)/, "doesn't speak HTTP", { retryable: false }],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/,
    "has no trusted TLS certificate",
    { retryable: false },
  ],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, "is not called any more: this process is stopping"],
];

/**
 * Creates an `AgentFailure` from an error of a request. It names `host`, but nothing else of the URL, which may contain
 * a key.
 */
export function sendFailure(error: unknown, who: string, host: string): AgentFailure {
  if (error instanceof AgentFailure) return error;
  const { name, code = name } = error as NodeJS.ErrnoException;
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new AgentFailure("response_too_large", `${who} sent too many headers.`, { cause: error });
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED")
    return new AgentFailure("internal", `${who} can't be called as configured: ${(error as Error).message}.`, {
      cause: error,
    });
  const [, meaning, detail] = meanings.find(([form]) => form.test(code)) ?? [undefined, "can't be called"];
  return new AgentFailure("unreachable", `${who} at ${host} ${meaning} (${code}).`, { ...detail, cause: error });
}
