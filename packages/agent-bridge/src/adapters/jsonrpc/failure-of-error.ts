import type { JsonRpcError } from "@crosszone/contracts";
import { AgentFailure } from "../../agent-failure.ts";
import { agentWords } from "../agent-words.ts";
import { ownMember } from "../own-member.ts";

/**
 * What a JSON-RPC error of an agent means: the end, unless the agent marks it with `data.retryable` true, as the zones of this project do.
 * Its code, message and data are kept. https://www.jsonrpc.org/specification#error_object
 */
export function failureOfError({ code, message, data }: JsonRpcError): AgentFailure {
  const retryAfterMs = ownMember(data, "retry_after_ms");
  const said = agentWords(message) ?? "it does not say why";
  const kind = ownMember(data, "retryable") === true ? "rpc_unavailable" : "rpc_error";
  return new AgentFailure(kind, `The agent answered with JSON-RPC error ${code}: ${said}`, {
    code,
    ...(data !== undefined && { data }),
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && { retryAfterMs }),
  });
}
