import { resolve } from "node:path";

export type Constants = Readonly<Record<string, number | string>>;

/** The constants of the zones: the module of each list, and its name there. Those of a package are constants of both zones. */
export const constantLists = [
  { path: "packages/service-kit/src/zone-variables.ts", name: "zoneConstants" },
  { path: "apps/verification/src/zone/config.ts", name: "verificationConstants" },
  { path: "apps/verification/src/link/link-variables.ts", name: "identityServices" },
  { path: "apps/execution/src/zone/config/variables.ts", name: "executionConstants" },
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
