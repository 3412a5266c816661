import { ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { editDistance } from "@crosszone/service-kit/text";
import type { Named } from "./agents-list.ts";

/** Characters of a name that are compared; the comparison takes time proportional to the product of the lengths. */
const longestCompared = 64;

/**
 * Returns the names that are similar to `wanted`, the nearest first: names that differ in few letters, and names where one is a prefix of
 * the other. Case, spaces and dashes are ignored.
 */
export function nearNames(wanted: string, names: readonly string[], most = 3): string[] {
  const letters = lettersOf(wanted);
  return names
    .map((name) => ({ name, far: distance(letters, lettersOf(name)) }))
    .filter(({ far }) => far <= Math.max(1, Math.floor(letters.length / 3)))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

function lettersOf(name: string): string[] {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_.-]+/g, "");
  return Array.from(plain).slice(0, longestCompared);
}

/** Returns the edit distance; at most 1 if a name of three or more letters is a prefix of the other. */
function distance(one: readonly string[], other: readonly string[]): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const isPrefix = short.length >= 3 && short.every((letter, at) => letter === long[at]);
  return isPrefix ? Math.min(1, long.length - short.length) : editDistance(one, other);
}

/** Thrown when a message names an agent or a workflow that does not exist or is switched off. */
export class NoSuchAgentError extends ZoneError {
  /** Similar names, the nearest first. */
  readonly near: readonly Named[];

  constructor(agent: string, near: readonly Named[], options: { cause?: unknown } = {}) {
    super("unknown_agent", { agent }, options);
    this.near = near;
  }
}

/** Timeout for listing the similar names, milliseconds. The question is answered without them if it expires. */
const timeoutMs = 3_000;

/**
 * Returns the error to throw in place of `thrown`. An `unknown_agent` error becomes a `NoSuchAgentError` with similar names, if execution
 * lists them in time; any other error is returned unchanged.
 */
export async function withNearNames(
  thrown: unknown,
  agent: string | undefined,
  { zone, call }: { readonly zone: Client<ZoneMethods>; readonly call: CallOptions },
): Promise<unknown> {
  if (agent === undefined || !(thrown instanceof ZoneError) || thrown.kind !== "unknown_agent") return thrown;
  const listed = await zone.call("list_agents", {}, { ...call, timeoutMs }).catch(() => undefined);
  // Agents and workflows share one namespace.
  const all = new Map(listed?.agents.map((one) => [one.name, one]));
  const near = nearNames(agent, [...all.keys()]).flatMap((name) => all.get(name) ?? []);
  return new NoSuchAgentError(agent, near, { cause: thrown });
}
