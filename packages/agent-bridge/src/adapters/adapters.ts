import { methodOf, type Part, type Version, versions } from "@crosszone/a2a";
import {
  type AgentProtocolConfig,
  type AgentTask,
  type AgentTaskFile,
  isAgentProtocolConfig,
  type SimpleA2ARequest,
} from "@crosszone/contracts";
import { isObject, type JsonObject, ownMember } from "@crosszone/service-kit/json";
import { hitlUri } from "../protocol/hitl-extension.ts";
import {
  AgentFailure,
  agentWords,
  type CreateAdapter,
  failedWith,
  failureOfStatus,
  isSuccessStatus,
  type ProtocolAdapter,
  ProtocolTranslationError,
  readReplyJson,
  success,
} from "../protocol/protocol-adapter.ts";
import { answersToCalls } from "../protocol/waiting-calls.ts";
import { messageInput, spokenResult } from "./output-of-task.ts";
import { createEventReader } from "./read-events.ts";
import { readReplyOf } from "./read-reply.ts";

const unsupported = (message: string): AgentFailure => new AgentFailure("protocol_unsupported", message);

/**
 * Creates an adapter for A2A 1.0 over JSON-RPC 2.0. Converts results to the JSON of A2A 0.3, so that both versions return the same output.
 * The only configuration is the JSON-RPC version "2.0". https://a2a-protocol.org/v1.0.0/specification/#9-json-rpc-protocol-binding
 */
export function createA2A10Adapter(config: AgentProtocolConfig, tenant?: string): ProtocolAdapter {
  const protocol = "a2a-1.0";
  if (config.method !== undefined)
    throw unsupported(
      `The protocol_config of an ${protocol} agent takes no method, got ${JSON.stringify(config.method)}. Remove it.`,
    );
  const { request, ...adapter } = createA2AAdapter(versions["1.0"], { protocol, tenant });
  return {
    ...adapter,
    extensionHeaders: ["a2a-extensions"],
    toSubscribe: (task, remoteId) => request(task, "subscribe", { id: remoteId }),
  };
}

/**
 * Creates an adapter for A2A 0.3 over JSON-RPC 2.0. A broken stream is not resumed with `tasks/resubscribe`: servers on a2a-sdk 0.3 for
 * Python would then store each later piece of an artifact twice. The configuration is a `method` of the contract's list and the version
 * "2.0". https://a2a-protocol.org/v0.3.0/specification/#7-protocol-rpc-methods
 */
export function createJsonRpcAdapter(config: AgentProtocolConfig): ProtocolAdapter {
  const protocol = "jsonrpc-2.0";
  if (!isAgentProtocolConfig(config))
    throw unsupported(
      `The protocol_config of a ${protocol} agent takes only method (message/send, tasks/send or agent/invoke) and version ("2.0").`,
    );
  const { method = "message/send" } = config;
  const { request: _request, toStream, ...adapter } = createA2AAdapter(versions["0.3"], { protocol, send: method });
  return {
    ...adapter,
    // The second one is that of A2A 0.3, the first one that of kagent's extension.
    extensionHeaders: ["a2a-extensions", "x-a2a-extensions"],
    // Only message/send has a streaming counterpart.
    toStream: method === "message/send" ? toStream : undefined,
  };
}

/**
 * Sends don't block, so a task of any length is sent once. Each request has the task's id, so a retry sends the same bytes.
 * `send`: the method that sends a message.
 */
function createA2AAdapter(
  version: Version,
  options: { readonly protocol: string; readonly tenant?: string | undefined; readonly send?: string },
) {
  const { protocol, tenant, send = methodOf(version, "send") } = options;
  const request = (
    { task_id }: AgentTask,
    operation: "send" | "stream" | "get" | "cancel" | "subscribe",
    params: object,
  ) => ({
    jsonrpc: "2.0",
    id: task_id,
    method: operation === "send" ? send : methodOf(version, operation),
    params: { tenant, ...params },
  });
  const sending = (task: AgentTask) => ({
    message: messageOf(task, version),
    configuration: version.writeConfiguration(false),
  });
  const normalize = (result: unknown): unknown => spokenResult(version.asV03(result));
  const reading = ({ task_id }: AgentTask) => ({ id: task_id, protocol, normalize });
  return {
    protocol,
    headers: version.headers,
    request,
    toRequest: (task) => request(task, "send", sending(task)),
    toStream: (task) => request(task, "stream", sending(task)),
    fromResponse: (reply, task) => readReplyOf(reply, reading(task)),
    createEventReader: (task) => createEventReader(reading(task)),
    toPoll: (task, remoteId) => request(task, "get", { id: remoteId }),
    toCancel: (task, remoteId) => request(task, "cancel", { id: remoteId }),
  } satisfies ProtocolAdapter & { readonly request: unknown };
}

function messageOf({ task_id, input_data, context_id, open_task_id, files = [] }: AgentTask, version: Version): object {
  const { text, others = [], ...more } = messageInput(input_data);
  const answers = answersToCalls(more.metadata?.[hitlUri]);
  return version.writeMessage({
    role: "ROLE_USER",
    messageId: `msg-${task_id}`,
    parts: answers.length > 0 ? answers : [{ text }, ...others, ...files.flatMap(filePart)],
    ...more,
    contextId: context_id,
    taskId: open_task_id,
  });
}

/** A file with neither bytes nor a link has no part: the text names it. */
function filePart({ name, media_type, bytes, url }: AgentTaskFile): readonly Part[] {
  const about = { mediaType: media_type, filename: name };
  if (bytes !== undefined) return [{ raw: bytes, ...about }];
  return url === undefined ? [] : [{ url, ...about }];
}

const simpleProtocol = "simple-a2a";

/**
 * Creates an adapter for the older protocol: `{task_id, input}` is answered with `{task_id, status: "success" |
 * "error", output, error}` while the caller waits. The HTTP status comes first: the body of a status other than 2xx is
 * not read. Takes no configuration.
 */
function createSimpleA2AAdapter(config: AgentProtocolConfig): ProtocolAdapter {
  if (Object.keys(config).length > 0)
    throw unsupported(`The protocol_config of a ${simpleProtocol} agent must be empty: remove it.`);
  return {
    protocol: simpleProtocol,
    takesFiles: false,
    toRequest: ({ task_id, input_data }): SimpleA2ARequest => ({ task_id, input: input_data }),
    fromResponse: (reply, { task_id }) => {
      if (!isSuccessStatus(reply.status)) return failedWith(failureOfStatus(reply));
      const body = readReplyJson(reply, simpleProtocol);
      if (!isObject(body)) throw invalid("it is not an object", body);
      const warnings = oddities(body, task_id);
      switch (ownMember(body, "status")) {
        case "success":
          return success(Object.hasOwn(body, "output") ? body["output"] : body, warnings);
        case "error":
          return failedWith(failureOf(body), warnings);
        case undefined:
          throw invalid("its status is missing", body);
        default:
          throw invalid('its status is neither "success" nor "error"', body);
      }
    },
  };
}

function invalid(what: string, originalData: unknown): ProtocolTranslationError {
  const message = `The agent's answer is not a ${simpleProtocol} response: ${what}.`;
  return new ProtocolTranslationError("invalid_response", message, {
    protocol: simpleProtocol,
    direction: "response",
    originalData,
  });
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
  const found: string[] = [];
  if (theirs !== taskId) found.push(`task_id is ${agentWords(JSON.stringify(theirs)) ?? "missing"} instead of ours`);
  if (body["status"] === "success" && !Object.hasOwn(body, "output"))
    found.push("output is missing, so the output is the whole answer");
  return found;
}

/** The built-in protocols, by name. `auto` follows the agent's card (`discovery/`); without a card it is A2A 0.3. */
export const builtinAdapters: Readonly<Record<string, CreateAdapter>> = {
  auto: createJsonRpcAdapter,
  "a2a-1.0": (config) => createA2A10Adapter(config),
  "jsonrpc-2.0": createJsonRpcAdapter,
  "simple-a2a": createSimpleA2AAdapter,
};

export type Adapters = ReturnType<typeof createAdapters>;

/**
 * Creates the set of adapters from a record by protocol name: `createAdapters({ ...builtinAdapters, mine: createMine
 * })` adds one.
 */
export function createAdapters(byProtocol: Readonly<Record<string, CreateAdapter>> = builtinAdapters) {
  const supported: readonly string[] = Object.keys(byProtocol).toSorted();
  return {
    /** Names of protocols, in alphabetical order. */
    supported,
    /**
     * Returns the adapter of an agent. Throws an `AgentFailure` `protocol_unsupported` that names the supported protocols
     * or what is wrong with the `protocol_config`. Registration and calls use the same check.
     */
    adapterOf: ({
      protocol,
      protocol_config,
    }: {
      readonly protocol: string;
      readonly protocol_config: AgentProtocolConfig;
    }): ProtocolAdapter => {
      const create = Object.hasOwn(byProtocol, protocol) ? byProtocol[protocol] : undefined;
      if (create !== undefined) return create(protocol_config);
      throw unsupported(`Unsupported protocol: ${protocol}. Supported protocols: ${supported.join(", ")}.`);
    },
  };
}
