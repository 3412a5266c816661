import { isObject, objectOf } from "../wire/json.ts";
import { card, everywhere, html, only10, pieces, textPiece, withTask } from "./deviations.ts";
import { MethodError } from "./good-agent.ts";
import type { KnownBad } from "./deviations.ts";

/** Agents whose responses are wrong. */
export const badResponses: readonly KnownBad[] = [
  {
    name: "card says no streaming while it streams",
    fails: ["streaming-off"],
    deviation: { versions: only10, card: card({ capabilities: {} }) },
  },
  {
    name: "submitted as an answer",
    fails: ["answer-is-final"],
    slow: true,
    deviation: {
      versions: only10,
      ...withTask((task) => ({ ...task, status: { ...objectOf(task["status"]), state: "TASK_STATE_SUBMITTED" } })),
      card: card({ capabilities: { streaming: false } }),
      methods: () => ({
        SendStreamingMessage: async () => {
          throw new MethodError({ code: -32_004, message: "UNSUPPORTED_OPERATION" });
        },
      }),
    },
  },
  {
    name: "version in the card but not on the wire",
    fails: ["version-spoken"],
    deviation: {
      versions: only10,
      response: (response, { method }) =>
        method === "SendMessage" || method === "GetTask"
          ? { jsonrpc: "2.0", id: response["id"], error: { code: -32601, message: "Method not found" } }
          : response,
    },
  },
  {
    name: "each chunk repeats the text so far",
    fails: ["stream-text"],
    deviation: {
      versions: only10,
      event: pieces((update, index) =>
        textPiece(
          update,
          "One two three."
            .split(/(?<= )/)
            .slice(0, index + 1)
            .join(""),
        ),
      ),
    },
  },
  {
    name: "id not echoed",
    fails: ["id-string"],
    deviation: { versions: only10, response: (response) => ({ ...response, id: "1" }) },
  },
  {
    name: "id turned into a string",
    fails: ["id-integer"],
    deviation: {
      versions: only10,
      response: ({ id, ...response }) => ({ ...response, id: typeof id === "number" ? `${id}` : id }),
    },
  },
  {
    name: "HTTP 500 with HTML for errors",
    fails: ["errors-are-json"],
    deviation: {
      versions: only10,
      http: async (response) => {
        const body: unknown = await response
          .clone()
          .json()
          .catch(() => undefined);
        return isObject(body) && "error" in body ? html() : response;
      },
    },
  },
  {
    name: "result and error at once",
    fails: ["result-or-error"],
    deviation: { versions: only10, response: (response) => ({ result: null, error: null, ...response }) },
  },
  {
    name: "progress as the answer",
    fails: ["answer-in-artifact"],
    deviation: {
      versions: only10,
      ...withTask(({ artifacts: _artifacts, ...task }) => task),
      event: (event) => ("artifactUpdate" in event ? [] : [event]),
    },
  },
  {
    name: "progress as an artifact",
    fails: ["no-progress-as-answer"],
    deviation: {
      versions: only10,
      ...withTask((task) => ({
        ...task,
        ...("history" in task && {
          history: [{ messageId: "1", role: "ROLE_AGENT", parts: [{ text: "One two three." }] }],
        }),
      })),
    },
  },
  {
    name: "artifact without parts",
    fails: ["artifact-members"],
    deviation: {
      versions: only10,
      ...everywhere((object) => ("artifactId" in object ? { ...object, parts: [] } : object)),
    },
  },
  {
    name: "1.0 with the kinds and states of 0.3",
    fails: ["state-word", "no-kind"],
    deviation: {
      versions: only10,
      ...everywhere((object) => {
        const lower = String(object["state"]).replace("TASK_STATE_", "").toLowerCase();
        if ("state" in object) return { ...object, state: lower };
        return "text" in object ? { kind: "text", ...object } : object;
      }),
    },
  },
];
