import { isObject, objectOf, objectsOf } from "../wire/json.ts";
import { card, everywhere, only03, only10, type KnownBad, withTask } from "./deviations.ts";
import { badResponses } from "./bad-responses.ts";
import { agentUrl } from "./good-agent.ts";

/** Agents that do the wrong thing. */
export const knownBad: readonly KnownBad[] = [
  ...badResponses,
  {
    name: "unknown task answered with success",
    fails: ["get-unknown"],
    deviation: {
      versions: only10,
      methods: (methods) => ({
        GetTask: (params) =>
          methods.GetTask(params).catch(() => ({ id: params["id"], status: { state: "TASK_STATE_COMPLETED" } })),
      }),
    },
  },
  {
    name: "cancel of an ended task says success",
    fails: ["cancel-ended"],
    deviation: {
      versions: only10,
      methods: ({ CancelTask, GetTask }) => ({
        CancelTask: (params) => CancelTask(params).catch(() => GetTask(params)),
      }),
    },
  },
  {
    name: "contextId replaced",
    fails: ["context-kept"],
    deviation: {
      versions: only10,
      methods: ({ SendMessage }) => ({
        SendMessage: (params) => {
          const message = objectOf(params["message"]);
          const { contextId: _contextId, ...rest } = message ?? {};
          return SendMessage(message && rest["taskId"] === undefined ? { ...params, message: rest } : params);
        },
      }),
    },
  },
  {
    name: "timestamps without Z",
    fails: ["timestamp-format"],
    deviation: {
      versions: only10,
      ...everywhere((object) =>
        "timestamp" in object ? { ...object, timestamp: String(object["timestamp"]).slice(0, -1) } : object,
      ),
    },
  },
  {
    name: "error details as an object",
    fails: ["error-info"],
    deviation: {
      versions: only10,
      response: (response) => {
        const error = objectOf(response["error"]);
        return error ? { ...response, error: { ...error, data: objectsOf(error["data"])[0] } } : response;
      },
    },
  },
  {
    name: "card names a URL elsewhere",
    fails: ["card-url-answers"],
    deviation: {
      versions: only10,
      card: card({
        supportedInterfaces: [{ url: `${agentUrl}elsewhere`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      }),
    },
  },
  {
    name: "the same message runs twice",
    fails: ["same-message-once"],
    deviation: {
      versions: only10,
      methods: ({ SendMessage }) => ({
        SendMessage: (params) => {
          const message = objectOf(params["message"]);
          const id = message?.["messageId"] === undefined ? undefined : crypto.randomUUID();
          return SendMessage(
            message && id !== undefined ? { ...params, message: { ...message, messageId: id } } : params,
          );
        },
      }),
    },
  },
  {
    name: "0.3 without kind",
    fails: ["result-shape"],
    deviation: {
      versions: only03,
      ...withTask(({ kind: _kind, ...task }) => task),
    },
  },
  {
    name: "stream never closes",
    fails: ["stream-closes"],
    slow: true,
    deviation: {
      versions: only10,
      streamStaysOpen: true,
      event: (event) =>
        objectOf(objectOf(event["statusUpdate"])?.["status"])?.["state"] === "TASK_STATE_COMPLETED" ? [] : [event],
    },
  },
  {
    name: "returns only when the work is done",
    fails: ["returns-at-once"],
    slow: true,
    deviation: {
      versions: only10,
      methods: ({ SendMessage }) => ({ SendMessage: (params) => SendMessage({ ...params, configuration: {} }) }),
    },
  },
  {
    name: "work goes on after the cancellation",
    fails: ["canceled-stays-canceled"],
    slow: true,
    deviation: {
      versions: only10,
      methods: ({ CancelTask, GetTask }) => ({
        CancelTask: async (params) => {
          const now = objectOf(await GetTask(params));
          const state = String(objectOf(now?.["status"])?.["state"]);
          if (state !== "TASK_STATE_WORKING") return CancelTask(params);
          return { ...now, status: { state: "TASK_STATE_CANCELED" } };
        },
      }),
    },
  },
  {
    name: "stack traces in errors",
    fails: ["no-internals"],
    deviation: {
      versions: only10,
      response: (response) => {
        const error = objectOf(response["error"]);
        const message = "TypeError: boom\n    at handle (/srv/agent/node_modules/x/index.js:1:2)";
        return error ? { ...response, error: { ...error, message } } : response;
      },
    },
  },
  {
    name: "lists without the token of the next page",
    fails: ["list-tasks"],
    deviation: {
      versions: only10,
      ...everywhere(({ nextPageToken: _nextPageToken, ...object }) => object),
    },
  },
  {
    name: "stream events of 1.0 without their wrapper",
    fails: ["stream-events"],
    deviation: {
      versions: only10,
      event: ({ statusUpdate, artifactUpdate, ...event }) => {
        if (isObject(statusUpdate)) return [{ kind: "status-update", ...statusUpdate }];
        return [isObject(artifactUpdate) ? { kind: "artifact-update", ...artifactUpdate } : event];
      },
    },
  },
  {
    name: "a message for each token of the answer",
    fails: ["stream-one-message"],
    deviation: {
      versions: only10,
      event: (event) => {
        const artifact = objectOf(objectOf(event["artifactUpdate"])?.["artifact"]);
        if (artifact === undefined) return [event];
        return [{ message: { messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts: artifact["parts"] } }];
      },
    },
  },
  {
    name: "a card of 0.3 with an empty version",
    fails: ["card-members"],
    deviation: { versions: only03, card: card({ protocolVersion: "" }) },
  },
  {
    name: "any version is 1.0",
    fails: ["version-unknown", "version-absent"],
    deviation: { versions: only10, ignoresVersion: true },
  },
];
