import { isObject, objectOf, objectsOf } from "../wire/json.ts";
import { bad, card, everywhere, html, withTask } from "./deviations.ts";
import { MethodError } from "./good-agent.ts";
import type { KnownBad } from "./deviations.ts";

/** Agents whose responses are wrong. */
export const badResponses: readonly KnownBad[] = [
  bad("card says no streaming while it streams", ["streaming-off"], { card: card({ capabilities: {} }) }),
  {
    ...bad("submitted as an answer", ["answer-is-final"], {
      ...withTask((task) => ({ ...task, status: { ...objectOf(task["status"]), state: "TASK_STATE_SUBMITTED" } })),
      card: card({ capabilities: { streaming: false } }),
      methods: () => ({
        SendStreamingMessage: async () => {
          throw new MethodError({ code: -32_004, message: "UNSUPPORTED_OPERATION" });
        },
      }),
    }),
    slow: true,
  },
  bad("version in the card but not on the wire", ["version-spoken"], {
    response: (response, { method }) =>
      method === "SendMessage" || method === "GetTask"
        ? { jsonrpc: "2.0", id: response["id"], error: { code: -32601, message: "Method not found" } }
        : response,
  }),
  bad(
    "each chunk repeats the text so far",
    ["stream-text"],
    everywhere((object) => {
      const [whole, text] = ["One two three.", String(object["text"])];
      return whole.includes(text) ? { ...object, text: whole.slice(0, whole.indexOf(text) + text.length) } : object;
    }),
  ),
  bad("id not echoed", ["id-string"], { response: (response) => ({ ...response, id: "1" }) }),
  bad("id turned into a string", ["id-integer"], {
    response: ({ id, ...response }) => ({ ...response, id: typeof id === "number" ? `${id}` : id }),
  }),
  bad("HTTP 500 with HTML for errors", ["errors-are-json"], {
    http: async (response) => {
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => undefined);
      return isObject(body) && "error" in body ? html() : response;
    },
  }),
  bad("result and error at once", ["result-or-error"], {
    response: (response) => ({ result: null, error: null, ...response }),
  }),
  bad("progress as the answer", ["answer-in-artifact"], {
    ...withTask(({ artifacts: _artifacts, ...task }) => task),
    event: (event) => ("artifactUpdate" in event ? [] : [event]),
  }),
  bad("progress as an artifact", ["no-progress-as-answer", "stream-text"], {
    ...withTask((task) => {
      if (!("artifacts" in task)) return task;
      const said = { parts: [{ text: "On it." }] };
      const artifacts = [{ artifactId: "0", ...said }, ...objectsOf(task["artifacts"])];
      return { ...task, artifacts, history: [{ messageId: "1", role: "ROLE_AGENT", ...said }] };
    }),
  }),
  bad("artifact without parts", ["artifact-members"], {
    ...everywhere((object) => ("artifactId" in object ? { ...object, parts: [] } : object)),
  }),
  bad("1.0 with the kinds and states of 0.3", ["state-word", "no-kind"], {
    ...everywhere((object) => {
      const lower = String(object["state"]).replace("TASK_STATE_", "").toLowerCase();
      if ("state" in object) return { ...object, state: lower };
      return "text" in object ? { kind: "text", ...object } : object;
    }),
  }),
];
