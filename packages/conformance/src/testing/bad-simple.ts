import type { JsonObject } from "../wire/json.ts";

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
