import { AgentFailure } from "../../agent-failure.ts";
import { agentWords } from "../agent-words.ts";
import { ownMember } from "../own-member.ts";

/**
 * What a JSON-RPC error of an agent means: the end, unless the agent marks it with `data.retryable` true, as the zones of this project do.
 * Its code, message and data are kept. https://www.jsonrpc.org/specification#error_object
 */
export function failureOfError(error: unknown): AgentFailure {
  const code = ownMember(error, "code");
  const data = ownMember(error, "data");
  const retryAfterMs = ownMember(data, "retry_after_ms");
  const said = agentWords(ownMember(error, "message")) ?? "it does not say why";
  const shown = typeof code === "number" ? ` ${code}` : "";
  const kind = ownMember(data, "retryable") === true ? "rpc_unavailable" : "rpc_error";
  return new AgentFailure(kind, `The agent answered with JSON-RPC error${shown}: ${said}`, {
    ...(Number.isSafeInteger(code) && { code: code as number }),
    ...(data !== undefined && { data }),
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && { retryAfterMs }),
  });
}
