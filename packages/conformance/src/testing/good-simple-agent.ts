import { type JsonObject, objectOf } from "../wire/json.ts";

/** Serves an agent of Simple A2A that complies, but for the change of each response. Returns its `fetch`. */
export function createSimpleFixture(
  change: (response: JsonObject, request: JsonObject) => Response | JsonObject = (response) => response,
): typeof globalThis.fetch {
  return async (resource, init) => {
    const request = new Request(resource, init);
    if (request.method !== "POST") return new Response(null, { status: request.url.endsWith(".json") ? 404 : 405 });
    const body = objectOf(await request.json().catch(() => undefined));
    if (body?.["input"] === undefined) return Response.json({ error: "input is missing" }, { status: 400 });
    const { task_id, input } = body;
    const fails = objectOf(input)?.["text"] === "fail";
    const outcome = fails
      ? { status: "error", output: null, error: "The archive burned down." }
      : { status: "success", output: { text: "One two three." }, error: null };
    const changed = change({ task_id, ...outcome }, body);
    return changed instanceof Response ? changed : Response.json(changed);
  };
}

/** An agent of Simple A2A with one bug of the field, and the checks that find it. */
export interface BadSimple {
  readonly name: string;
  readonly fails: readonly string[];
  readonly change: (response: JsonObject, request: JsonObject) => Response | JsonObject;
}

export const badSimple: readonly BadSimple[] = [
  {
    name: "completed as a status",
    fails: ["simple-status"],
    change: (response) => (response["status"] === "success" ? { ...response, status: "completed" } : response),
  },
  {
    name: "HTTP 500 for a failed task",
    fails: ["simple-failure"],
    change: (response) => (response["status"] === "error" ? Response.json(response, { status: 500 }) : response),
  },
  {
    name: "a task_id of its own",
    fails: ["simple-task-id"],
    change: (response) => ({ ...response, task_id: "1" }),
  },
  {
    name: "the answer outside of output",
    fails: ["simple-output"],
    change: ({ output: _output, ...response }) => ({ ...response, answer: "One two three." }),
  },
];
