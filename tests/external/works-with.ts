import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** What a run showed about software of others. */
export interface WorksWith {
  /** As its makers write it: `A2A SDK for Java`. */
  readonly name: string;
  readonly version: string;
  /** What it was to this zone: an agent that is asked, a client of A2A or MCP, a server of tools, a framework of agents, an official suite. */
  readonly as: "agent" | "A2A client" | "MCP client" | "MCP server" | "framework" | "suite";
  /** Checks that passed, of all that ran. */
  readonly passed: number;
  readonly of: number;
  /** What does not work, or how it has to be set up, as one sentence. */
  readonly note?: string;
}

const file = resolve(import.meta.dirname, "works-with.json");

/** Returns what the last runs showed, by kind, then name. */
export const readWorksWith = (): readonly WorksWith[] => JSON.parse(readFileSync(file, "utf8")) as WorksWith[];

/**
 * Keeps what a run showed, in place of what an earlier one did, in `works-with.json`, from which `pnpm generate` makes the table of
 * `docs/reference/works-with.md`. Writes only with `WORKS_WITH=1`, so that the tests of a change leave its checkout as it is.
 */
export function noteWorksWith(row: WorksWith): void {
  if (process.env["WORKS_WITH"] !== "1") return;
  const isOther = ({ name, as }: WorksWith): boolean => name !== row.name || as !== row.as;
  const key = ({ as, name }: WorksWith): string => `${as} ${name}`;
  const rows = [...readWorksWith().filter(isOther), row].toSorted((a, b) => key(a).localeCompare(key(b), "en"));
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
}
