import { ownList, ownMember } from "@crosszone/service-kit/json";
import { type Reference, pathText } from "./reference.ts";

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
export function outputText(value: unknown): string | undefined {
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

/** Returns an agent's output with its `text`, or any other value itself. What is in it stays as it is. */
export function withOwnText(value: object): object {
  if (!answers.has(value) || Array.isArray(value) || Object.hasOwn(value, "text")) return value;
  const text = outputText(value);
  return text === undefined ? value : { ...value, text };
}

/** A plan that no run can follow. The validator prevents such plans; if one is stored anyway, its runs fail with this message. */
export class PlanFault extends Error {
  override readonly name = "PlanFault";
}

/** Why an expression of a definition could not be evaluated. The message names references and members, never values. */
export class WorkflowFault extends Error {
  readonly kind: "mapping_failed" | "condition_failed" | "collection_invalid" | "input_denied";
  /** Position in the mapping, a JSON pointer (RFC 6901); empty for the whole. */
  readonly pointer: string;

  constructor(kind: WorkflowFault["kind"], message: string, pointer = "") {
    super(message);
    this.name = "WorkflowFault";
    this.kind = kind;
    this.pointer = pointer;
  }
}

/** The values that the references of one step instance can use. */
export interface Scope {
  /** `workflow.input`. */
  readonly input: unknown;
  /** The outputs of ended steps by step id: those of its own loop body, fork branch or chain, and of all enclosing ones. */
  readonly outputs: ReadonlyMap<string, unknown>;
  /** In loops: `item`, `index` and the iterator names. */
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Roots of references. */
const reservedNames: readonly string[] = ["workflow", "steps", "item", "index"];

/** Returns true for the roots of references, which steps and iterators can't use as names. */
export const isReservedName = (name: string): boolean => reservedNames.includes(name);

export const reservedNameProblem: string = `is reserved for references (${reservedNames.join(", ")}); choose another name`;

/**
 * Returns the value of a reference, or its default. Throws a WorkflowFault if it has neither. The output of any agent has a `text`, even if
 * the agent sent none.
 */
export function lookUp({ path, fallback }: Reference, scope: Scope): unknown {
  const [start, rest] = begin(path, scope);
  let value = start;
  let missing = rest ? undefined : `\`${pathText(path)}\` has no value: its step did not run.`;
  for (let at = path.length - (rest?.length ?? 0); at < path.length && missing === undefined; at += 1) {
    const key = path[at] ?? "";
    const read = memberOf(value, key, path[0] !== "workflow");
    if (read === undefined) missing = absence(value, key, pathText(path.slice(0, at)));
    else ({ value } = read);
  }
  if (missing === undefined && (value !== null || !fallback)) return value;
  if (fallback) return fallback.value;
  throw new WorkflowFault("mapping_failed", missing ?? "");
}

/** Returns the root value of a path and the rest of the path; undefined if the root is unknown. */
function begin(
  path: Reference["path"],
  { input, outputs, variables }: Scope,
): [value: unknown, rest?: Reference["path"]] {
  const [head, second] = path;
  if (head === "workflow") return second === "input" ? [input, path.slice(2)] : [undefined];
  if (typeof head === "string" && head !== "steps" && variables.has(head)) return [variables.get(head), path.slice(1)];
  const [id, member, ...rest] = head === "steps" ? path.slice(1) : path;
  const step = String(id);
  return member === "output" && outputs.has(step) ? [outputs.get(step), rest] : [undefined];
}

/** Only own members of objects and items of arrays: no prototype members, no length, no characters of a text. */
function memberOf(value: unknown, key: string | number, isAnswer: boolean): { readonly value: unknown } | undefined {
  const holder = typeof value === "object" && !(Array.isArray(value) && key === "length") ? (value ?? {}) : {};
  if (Object.hasOwn(holder, key)) return { value: (holder as Record<string | number, unknown>)[key] };
  const text = isAnswer && key === "text" ? outputText(value) : undefined;
  return text === undefined ? undefined : { value: text };
}

/** Number of members that an error lists. */
const mostListed = 12;

/** Returns a sentence that says that a value has no such member, and which ones it has. */
function absence(value: unknown, key: string | number, where: string): string {
  if (value === null || value === undefined) return `\`${where}\` is empty, so it has no \`${key}\`.`;
  const lacks = `\`${where}\` has no ${typeof key === "number" ? "item" : "field"} \`${key}\`.`;
  if (typeof value !== "object") return `${lacks} It is a ${typeof value}.`;
  if (Array.isArray(value)) return `${lacks} It is a list of ${value.length} items; the first is \`[0]\`.`;
  const names = Object.keys(value).map((name) => name.slice(0, 40));
  if (!names.includes("text") && outputText(value) !== undefined) names.unshift("text");
  const more = names.length > mostListed ? ", …" : "";
  return `${lacks} It has: ${names.slice(0, mostListed).join(", ") || "no fields"}${more}.`;
}
