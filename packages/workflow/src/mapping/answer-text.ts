import { ownList, ownMember } from "@crosszone/service-kit/json";

/** The outputs of agents. The outputs of other steps, and the items of loops, contain the same objects. */
const answers = new WeakSet<object>();

/** Marks the output of an agent, so that references and conditions can read its `text`. Returns it unchanged. */
export function asAnswer(output: unknown): unknown {
  if (typeof output === "object" && output !== null) answers.add(output);
  return output;
}

/**
 * Returns the text of an agent's output without an own `text`: its `response`, the data of its parts, or the whole as JSON. A plain value is
 * its own text. Undefined for other objects, and for an answer that has only files.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  if (value === null || !answers.has(value)) return undefined;
  const response = ownMember(value, "response");
  if (typeof response === "string") return response;
  const holders = [...ownList(value, "artifacts"), ownMember(value, "message")];
  const parts = holders.flatMap((holder) => ownList(holder, "parts"));
  if (parts.length === 0) return JSON.stringify(value);
  const data = parts.map((part) => ownMember(part, "data")).filter((one) => one !== undefined);
  return data.length === 0 ? undefined : data.map((one) => JSON.stringify(one)).join("\n");
}

const views = new WeakMap<object, object>();

/** Outputs of steps are nested less deeply than this. */
const mostDepth = 50;

/** Returns a value in which each agent's output has a `text`. Returns the value itself if nothing is added. */
export function withTexts(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > mostDepth) return value;
  return views.getOrInsertComputed(value, () => viewOf(value, depth));
}

function viewOf(value: object, depth: number): object {
  if (answers.has(value)) {
    const text = Array.isArray(value) || Object.hasOwn(value, "text") ? undefined : textOf(value);
    return text === undefined ? value : { ...value, text };
  }
  const members = Object.entries(value).map(([name, member]) => [name, member, withTexts(member, depth + 1)] as const);
  if (members.every(([, member, view]) => member === view)) return value;
  if (Array.isArray(value)) return members.map(([, , view]) => view);
  return Object.fromEntries(members.map(([name, , view]) => [name, view]));
}
