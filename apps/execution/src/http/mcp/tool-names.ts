import { hash } from "node:crypto";

/** Clients put a prefix of their own before a tool's name and accept 64 characters in all. */
const mostCharacters = 40;
const fewestDigits = 6;

/**
 * Returns the names of tools for agents, by the agents' names: a prefix, then the agent's name in lower case. An agent's name that is valid in
 * a tool's name stays as it is, whichever other agents exist. Another one gets a digest when it is too long or when its tool's name is taken.
 */
export function toolNames(
  prefix: string,
  agents: readonly string[],
  reserved: readonly string[] = [],
): ReadonlyMap<string, string> {
  const room = mostCharacters - prefix.length;
  const isKept = (name: string): boolean =>
    /^[a-z0-9_-]+$/.test(name) && name.length <= room && !reserved.includes(prefix + name);
  const others = agents.filter((name) => !isKept(name)).toSorted();
  const names = new Map(agents.filter(isKept).map((name) => [name, prefix + name]));
  const taken = new Set([...reserved, ...names.values()]);
  const wanted = Map.groupBy(others, plainName);
  for (const [name, [first = "", ...more]] of wanted) {
    const isFree = name !== "" && name.length <= room && more.length === 0 && !taken.has(prefix + name);
    for (const agent of [first, ...more]) {
      const own = isFree ? prefix + name : freeName(agent, { start: prefix + name, taken });
      names.set(agent, own);
      taken.add(own);
    }
  }
  return names;
}

const plainName = (agent: string): string =>
  agent
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

function freeName(agent: string, { start, taken }: { readonly start: string; readonly taken: ReadonlySet<string> }) {
  const digest = hash("sha256", agent);
  for (let digits = fewestDigits; ; digits += 1) {
    const name = `${start.slice(0, mostCharacters - digits - 1)}-${digest.slice(0, digits)}`;
    if (!taken.has(name)) return name;
  }
}
