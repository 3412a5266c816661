import { readFileSync } from "node:fs";
import { join } from "node:path";
import { executionConfig } from "../../../apps/execution/src/zone/config/variables.ts";
import { verificationConfig } from "../../../apps/verification/src/zone/config.ts";
import { type Environment, variablesOf } from "../../../packages/service-kit/src/config/definition.ts";
import { dataSettings } from "./data-folder.ts";
import type { DevEnvironment } from "./environment.ts";
import { writePrivateFile } from "./zone-file.ts";

/** The settings of a running `./crosszone dev`. */
export interface RunningDev {
  readonly pid: number;
  /** What it made for this run, and what its environment set, without secrets. */
  readonly env: Environment;
  /** The names of the secrets that its environment set. */
  readonly withheld: readonly string[];
}

const fileName = "settings.json";

/** Stores the settings of this `./crosszone dev` for the doctor. Returns a function that deletes them. */
export function writeRunningDev(folder: string, dev: Pick<DevEnvironment, "env">, own: Environment): () => void {
  const variables = [...variablesOf(verificationConfig), ...variablesOf(executionConfig)];
  const set = variables.filter(([name]) => own[name] && dev.env[name] === undefined);
  const shown = set.filter(([, { secret }]) => secret !== true).map(([name]) => [name, own[name]]);
  const paths = variables.map(([name]) => `${name}_FILE`).filter((name) => own[name] && dev.env[name] === undefined);
  const env = { ...Object.fromEntries([...shown, ...paths.map((name) => [name, own[name]])]), ...dev.env };
  const withheld = set.filter(([, { secret }]) => secret === true).map(([name]) => name);
  return writePrivateFile(join(folder, fileName), { pid: process.pid, env, withheld } satisfies RunningDev);
}

/** Returns the settings of the `./crosszone dev` that runs on the ports of this environment; undefined if none is running. */
export function readRunningDev(own: Environment): RunningDev | undefined {
  const port = own["VERIFICATION_PORT"] || "3000";
  const folders = [true, false].map((localSlack) => dataSettings(own, { localSlack, port }).env.DATA_DIR);
  return folders.map((folder) => readFrom(join(folder, fileName))).find((found) => found !== undefined);
}

function readFrom(path: string): RunningDev | undefined {
  try {
    const running = JSON.parse(readFileSync(path, "utf8")) as RunningDev;
    // Throws if the process crashed and left its file.
    process.kill(running.pid, 0);
    return running;
  } catch {
    return undefined;
  }
}
