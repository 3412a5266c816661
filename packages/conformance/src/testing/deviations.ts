import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import type { Deviation } from "./good-agent.ts";
import type { ConformanceReport } from "@crosszone/contracts";

export const only10 = ["1.0"] as const;
export const only03 = ["0.3"] as const;

/** Changes each object in a value, from the inside. */
function inside(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((each) => inside(each, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member, change)])));
}

/** Changes each object of each result. */
export const everywhere = (change: (object: JsonObject) => JsonObject) => ({
  result: (result: JsonObject) => inside(result, change),
});

export const withTask = (change: (task: JsonObject) => JsonObject) =>
  everywhere((object) => ("status" in object && "id" in object ? change(object) : object));

export const html = (): Response =>
  new Response("<html><body>Internal Server Error</body></html>", {
    status: 500,
    headers: { "content-type": "text/html" },
  });

/** Changes the artifact updates of a stream. */
export const pieces = (change: (update: JsonObject, index: number) => JsonObject) => {
  const indexes = new Map<unknown, number>();
  return (event: JsonObject): readonly JsonObject[] => {
    const update = objectOf(event["artifactUpdate"]);
    if (!update) return [event];
    const index = indexes.get(update["taskId"]) ?? 0;
    indexes.set(update["taskId"], index + 1);
    return [{ artifactUpdate: change(update, index) }];
  };
};

export const textPiece = (update: JsonObject, text: string): JsonObject => ({
  ...update,
  artifact: { ...objectOf(update["artifact"]), parts: [{ text }] },
});

export const card = (members: JsonObject) => (whole: JsonObject) => ({ ...whole, ...members });

/** An agent with one real-world bug, and the checks that find it: all others pass. */
export interface KnownBad {
  readonly name: string;
  readonly fails: readonly string[];
  readonly deviation: Deviation;
  /** The check waits until its timeout, or needs the slow question. */
  readonly slow?: true;
}

/** The checks that failed, of either level. */
export const failedIds = ({ checks }: ConformanceReport): readonly string[] =>
  checks.filter(({ status }) => status === "failed").map(({ id }) => id);
