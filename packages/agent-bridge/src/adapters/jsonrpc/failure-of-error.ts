import type { JsonRpcError } from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { agentWords } from "../agent-words.ts";
import { ownMember } from "../own-member.ts";

/**
 * The failure that a JSON-RPC error means. It can be retried when `data.retryable` is true, as the zones of this project say, or when a
 * server error comes with HTTP 429 or 5xx and `data.retryable` is not false. Its code, message and data are kept.
 * https://www.jsonrpc.org/specification#error_object
 */
export function failureOfError({ code, message, data }: JsonRpcError, status: number): AgentFailure {
  const retryAfterMs = ownMember(data, "retry_after_ms");
  const said = agentWords(message) ?? "it does not say why";
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

/** Internal errors and the range that the specification leaves to servers. */
const isServerError = (code: number): boolean => code === -32_603 || (code <= -32_000 && code >= -32_099);

function isRetryable(code: number, data: unknown, status: number): boolean {
  const retryable = ownMember(data, "retryable");
  if (typeof retryable === "boolean") return retryable;
  return (status >= 500 || status === 429) && isServerError(code);
}

/** The `reason` of the first `ErrorInfo` in the data, as agents of A2A 1.0 send it. https://google.aip.dev/193 */
function reasonOf(data: unknown): string | undefined {
  const details: readonly unknown[] = Array.isArray(data) ? data : [];
  return agentWords(details.map((detail) => ownMember(detail, "reason")).find((reason) => typeof reason === "string"));
}
