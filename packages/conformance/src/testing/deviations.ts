import { isObject, type JsonObject } from "../wire/json.ts";
import type { Deviation } from "./good-agent.ts";
import type { ConformanceReport } from "@crosszone/contracts";

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

export const card = (members: JsonObject) => (whole: JsonObject) => ({ ...whole, ...members });

/** An agent with one real-world bug, and the checks that find it: all others pass. */
export interface KnownBad {
  readonly name: string;
  readonly fails: readonly string[];
  readonly deviation: Deviation;
  /** The check waits until its timeout, or needs the slow question. */
  readonly slow?: true;
}

/** One that speaks A2A 1.0 only, unless the deviation says otherwise. */
export const bad = (name: string, fails: readonly string[], deviation: Deviation): KnownBad => ({
  name,
  fails,
  deviation: { versions: ["1.0"], ...deviation },
});

/** The checks that failed, of either level. */
export const failedIds = ({ checks }: ConformanceReport): readonly string[] =>
  checks.filter(({ status }) => status === "failed").map(({ id }) => id);
