import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

export type Constants = Readonly<Record<string, number | string>>;

const preload = pathToFileURL(resolve(import.meta.dirname, "tune-process.ts")).href;

/**
 * Returns an environment in which a zone's process has other constants: Node loads a module before the program that replaces their values.
 * Values that `env` already has come first. A zone in this process takes `tunedConstants` of it.
 */
export function tune(constants: Constants, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const all = { ...constants, ...tunedConstants(env) };
  const { NODE_OPTIONS: others = "" } = env;
  const options = others.includes(preload) ? others : `${others} --import=${preload}`;
  return { ...env, TEST_CONSTANTS: JSON.stringify(all), NODE_OPTIONS: options.trim() };
}

/** Returns the constants that `tune` put into an environment. */
export const tunedConstants = ({ TEST_CONSTANTS = "{}" }: Readonly<Record<string, string>>): Constants =>
  JSON.parse(TEST_CONSTANTS) as Constants;
