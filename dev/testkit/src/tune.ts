import { resolve } from "node:path";

export type Constants = Readonly<Record<string, number | string>>;

/** The constants of the zones: the module of each list, and its name there. Those of a package are constants of both zones. */
export const constantLists = [
  { path: "packages/service-kit/src/zone-variables.ts", name: "zoneConstants" },
  { path: "apps/verification/src/zone/config.ts", name: "verificationConstants" },
  { path: "apps/verification/src/link/link-variables.ts", name: "identityServices" },
  { path: "apps/execution/src/zone/config/constants.ts", name: "executionConstants" },
] as const;

/** Node's argument with which a zone takes the constants of `tune` when it starts from source. Its bundle does so without it. */
export const takeConstants = `--import=${resolve(import.meta.dirname, "tune-process.ts")}`;

/**
 * Returns an environment in which a zone's process has other constants: a module that runs before the program replaces their values.
 * Values that `env` already has come first. A zone in this process takes `tunedConstants` of it.
 */
export function tune(constants: Constants, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...env, TEST_CONSTANTS: JSON.stringify({ ...constants, ...tunedConstants(env) }) };
}

/** Returns the constants that `tune` put into an environment. */
export const tunedConstants = ({ TEST_CONSTANTS = "{}" }: Readonly<Record<string, string>>): Constants =>
  JSON.parse(TEST_CONSTANTS) as Constants;

export type ConstantList = Readonly<Record<string, { constant: unknown }>>;

/** Gives the constants of this process the values of the test that started it. Throws for a name that none of them has. */
export function setConstants(lists: readonly ConstantList[]): void {
  const entries = new Map(lists.flatMap((list) => Object.entries(list)));
  // oxlint-disable-next-line node/no-process-env -- not an app: the test that starts the process has set it
  const tuned = JSON.parse(process.env["TEST_CONSTANTS"] ?? "{}") as Record<string, unknown>;
  for (const [name, value] of Object.entries(tuned)) {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`${name} is not a constant of the zone.`);
    entry.constant = value;
  }
}
