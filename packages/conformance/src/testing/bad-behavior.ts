import { isObject, objectOf, objectsOf } from "../wire/json.ts";
import { bad, card, everywhere, only03, type KnownBad, withTask } from "./deviations.ts";
import { badForms } from "./bad-forms.ts";
import { badResponses } from "./bad-responses.ts";
import { agentUrl } from "./good-agent.ts";

/** Agents that do the wrong thing. */
export const knownBad: readonly KnownBad[] = [
  ...badResponses,
  ...badForms,
  bad("unknown task answered with success", ["get-unknown"], {
    methods: (methods) => ({
      GetTask: (params) =>
        methods.GetTask(params).catch(() => ({ id: params["id"], status: { state: "TASK_STATE_COMPLETED" } })),
    }),
  }),
  bad("cancel of an ended task says success", ["cancel-ended"], {
    methods: ({ CancelTask, GetTask }) => ({
      CancelTask: (params) => CancelTask(params).catch(() => GetTask(params)),
    }),
  }),
  bad("contextId replaced", ["context-kept"], {
    methods: ({ SendMessage }) => ({
      SendMessage: (params) => {
        const message = objectOf(params["message"]);
        const { contextId: _contextId, ...rest } = message ?? {};
        return SendMessage(message && rest["taskId"] === undefined ? { ...params, message: rest } : params);
      },
    }),
  }),
  bad("timestamps without Z", ["timestamp-format"], {
    ...everywhere((object) =>
      "timestamp" in object ? { ...object, timestamp: String(object["timestamp"]).slice(0, -1) } : object,
    ),
  }),
  bad("error details as an object", ["error-info"], {
    response: (response) => {
      const error = objectOf(response["error"]);
      return error ? { ...response, error: { ...error, data: objectsOf(error["data"])[0] } } : response;
    },
  }),
  bad("card names a URL elsewhere", ["card-url-answers"], {
    card: card({
      supportedInterfaces: [{ url: `${agentUrl}elsewhere`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    }),
  }),
  bad("the same message runs twice", ["same-message-once"], {
    methods: ({ SendMessage }) => ({
      SendMessage: (params) => {
        const message = objectOf(params["message"]);
        const id = message?.["messageId"] === undefined ? undefined : crypto.randomUUID();
        return SendMessage(
          message && id !== undefined ? { ...params, message: { ...message, messageId: id } } : params,
        );
      },
    }),
  }),
  bad("0.3 without kind", ["result-shape"], {
    versions: only03,
    ...withTask(({ kind: _kind, ...task }) => task),
  }),
  {
    ...bad("stream never closes", ["stream-closes"], {
      streamStaysOpen: true,
      event: (event) =>
        objectOf(objectOf(event["statusUpdate"])?.["status"])?.["state"] === "TASK_STATE_COMPLETED" ? [] : [event],
    }),
    slow: true,
  },
  {
    ...bad("returns only when the work is done", ["returns-at-once"], {
      methods: ({ SendMessage }) => ({ SendMessage: (params) => SendMessage({ ...params, configuration: {} }) }),
    }),
    slow: true,
  },
  {
    ...bad("work goes on after the cancellation", ["canceled-stays-canceled"], {
      methods: ({ CancelTask, GetTask }) => ({
        CancelTask: async (params) => {
          const now = objectOf(await GetTask(params));
          const state = String(objectOf(now?.["status"])?.["state"]);
          if (state !== "TASK_STATE_WORKING") return CancelTask(params);
          return { ...now, status: { state: "TASK_STATE_CANCELED" } };
        },
      }),
    }),
    slow: true,
  },
  bad("stack traces in errors", ["no-internals"], {
    response: (response) => {
      const error = objectOf(response["error"]);
      const message = "TypeError: boom\n    at handle (/srv/agent/node_modules/x/index.js:1:2)";
      return error ? { ...response, error: { ...error, message } } : response;
    },
  }),
  bad("lists without the token of the next page", ["list-tasks"], {
    ...everywhere(({ nextPageToken: _nextPageToken, ...object }) => object),
  }),
  bad("stream events of 1.0 without their wrapper", ["stream-events"], {
    event: ({ statusUpdate, artifactUpdate, ...event }) => {
      if (isObject(statusUpdate)) return [{ kind: "status-update", ...statusUpdate }];
      return [isObject(artifactUpdate) ? { kind: "artifact-update", ...artifactUpdate } : event];
    },
  }),
  bad("a message for each token of the answer", ["stream-one-message"], {
    event: (event) => {
      const artifact = objectOf(objectOf(event["artifactUpdate"])?.["artifact"]);
      if (artifact === undefined) return [event];
      return [{ message: { messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts: artifact["parts"] } }];
    },
  }),
  bad("a card of 0.3 with an empty version", ["card-members"], {
    versions: only03,
    card: card({ protocolVersion: "" }),
  }),
  bad("any version is 1.0", ["version-unknown", "version-absent"], { ignoresVersion: true }),
];
