import { AgentFailure, type AgentFailureDetail } from "../agent-failure.ts";

/** What the codes of a failed connection mean, and whether another try may do better. The first row whose form matches counts. */
const meanings: readonly (readonly [RegExp, string, AgentFailureDetail?])[] = [
  [/^(ENOTFOUND|EAI_)/, "has no address in DNS"],
  [/^ECONNREFUSED$/, "takes no connections: nothing listens there"],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, "does not take a connection in time"],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    "closed the connection before its answer ended",
  ],
  [/^(HPE_|HTTPParserError$)/, "does not answer in HTTP", { retryable: false }],
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/,
    "has no TLS that can be trusted",
    { retryable: false },
  ],
  [/^UND_ERR_(DESTROYED|CLOSED)$/, "is not asked any more: this process stops"],
];

/** Makes an `AgentFailure` of what went wrong under a request. `host` is told, nothing else of the URL: it may hold a key. */
export function sendFailure(error: unknown, who: string, host: string): AgentFailure {
  if (error instanceof AgentFailure) return error;
  const { name, code = name } = error as NodeJS.ErrnoException;
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new AgentFailure("response_too_large", `${who} sent more headers than are read.`, { cause: error });
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED")
    return new AgentFailure("internal", `${who} cannot be asked as it is configured: ${(error as Error).message}.`, {
      cause: error,
    });
  const [, meaning, detail] = meanings.find(([form]) => form.test(code)) ?? [undefined, "cannot be asked"];
  return new AgentFailure("unreachable", `${who} at ${host} ${meaning} (${code}).`, { ...detail, cause: error });
}
