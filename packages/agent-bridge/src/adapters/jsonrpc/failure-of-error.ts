import type { JsonRpcError } from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { agentWords } from "../agent-words.ts";
import { ownMember } from "../own-member.ts";

/**
 * Converts a JSON-RPC error to a failure with its code, message and data. It is retryable when `data.retryable` is
 * true, as this project's zones send it, or when a server error comes with HTTP 429 or 5xx and `data.retryable` is not
 * false. https://www.jsonrpc.org/specification#error_object
 */
export function failureOfError({ code, message, data }: JsonRpcError, status: number): AgentFailure {
  const retryAfterMs = ownMember(data, "retry_after_ms");
  const said = agentWords(message) ?? "it gives no reason";
  const because = reasonOf(data);
  const kind = isRetryable(code, data, status) ? "rpc_unavailable" : "rpc_error";
  return new AgentFailure(
    kind,
    `The agent answered with JSON-RPC error ${code}: ${said}${because === undefined ? "" : ` (${because})`}`,
    {
      code,
      ...(data !== undefined && { data }),
      ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && { retryAfterMs }),
    },
  );
}

/** Internal errors and the range reserved for servers. */
const isServerError = (code: number): boolean => code === -32_603 || (code <= -32_000 && code >= -32_099);

function isRetryable(code: number, data: unknown, status: number): boolean {
  const retryable = ownMember(data, "retryable");
  if (typeof retryable === "boolean") return retryable;
  return (status >= 500 || status === 429) && isServerError(code);
}

/**
 * Returns the `reason` of the first `ErrorInfo` in the data, as agents of A2A 1.0 send it. https://google.aip.dev/193
 */
function reasonOf(data: unknown): string | undefined {
  const details: readonly unknown[] = Array.isArray(data) ? data : [];
  return agentWords(details.map((detail) => ownMember(detail, "reason")).find((reason) => typeof reason === "string"));
}
