import type { AgentProtocolConfig, SimpleA2ARequest } from "@crosszone/contracts";
import { isObject, type JsonObject, ownMember } from "@crosszone/service-kit/json";
import { AgentFailure, ProtocolTranslationError } from "../protocol/agent-failure.ts";
import {
  agentWords,
  failure,
  failureOfStatus,
  isSuccessStatus,
  type ProtocolAdapter,
  readJson,
  success,
} from "../protocol/protocol-adapter.ts";

const protocol = "simple-a2a";

/**
 * Creates an adapter for the older protocol: `{task_id, input}` is answered with `{task_id, status: "success" |
 * "error", output, error}` while the caller waits. The HTTP status comes first: the body of a status other than 2xx is
 * not read. Takes no configuration.
 */
export function createSimpleA2AAdapter(config: AgentProtocolConfig): ProtocolAdapter {
  if (Object.keys(config).length > 0)
    throw new AgentFailure(
      "protocol_unsupported",
      `The protocol_config of a ${protocol} agent must be empty: remove it.`,
    );
  return {
    protocol,
    takesFiles: false,
    toRequest: ({ task_id, input_data }): SimpleA2ARequest => ({ task_id, input: input_data }),
    fromResponse: (reply, { task_id }) => {
      if (!isSuccessStatus(reply.status)) return failure(task_id, failureOfStatus(reply));
      const body = readJson(reply, protocol);
      if (!isObject(body)) throw invalid("it is not an object", body);
      const warnings = oddities(body, task_id);
      switch (ownMember(body, "status")) {
        case "success":
          return success(task_id, outputOf(body), warnings);
        case "error":
          return failure(task_id, failureOf(body), warnings);
        case undefined:
          throw invalid("its status is missing", body);
        default:
          throw invalid('its status is neither "success" nor "error"', body);
      }
    },
  };
}

function invalid(what: string, originalData: unknown): ProtocolTranslationError {
  const message = `The agent's answer is not a ${protocol} response: ${what}.`;
  return new ProtocolTranslationError("invalid_response", message, { protocol, direction: "response", originalData });
}

/** Without `output`, the whole answer is the output. */
function outputOf(body: JsonObject): unknown {
  return Object.hasOwn(body, "output") ? body["output"] : body;
}

function failureOf(body: JsonObject): AgentFailure {
  const error = ownMember(body, "error");
  const code = ownMember(error, "code");
  const output = ownMember(body, "output") ?? null;
  const data = { error: typeof error === "object" ? (error ?? undefined) : undefined, output: output ?? undefined };
  const said = agentWords(ownMember(error, "message")) ?? agentWords(error) ?? "it gives no reason";
  return new AgentFailure("task_failed", `The agent says that the task failed: ${said}`, {
    code: Number.isSafeInteger(code) ? (code as number) : undefined,
    data,
  });
}

function oddities(body: JsonObject, taskId: string): readonly string[] {
  const theirs = ownMember(body, "task_id");
  return [
    ...(theirs === taskId ? [] : [`task_id is ${agentWords(JSON.stringify(theirs)) ?? "missing"} instead of ours`]),
    ...(body["status"] === "success" && !Object.hasOwn(body, "output")
      ? ["output is missing, so the output is the whole answer"]
      : []),
  ];
}
