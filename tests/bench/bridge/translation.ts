import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

/** What it costs to put a task into a protocol, and to read what comes back; microseconds. */
export interface TranslationCost {
  readonly protocol: string;
  /** Of the answer. */
  readonly bytes: number;
  readonly request: Spread;
  readonly response: Spread;
}

interface Spread {
  readonly p50Us: number;
  readonly p95Us: number;
}

const script = resolve(import.meta.dirname, "../../../packages/agent-bridge/src/testing/measure-translation.ts");

/** Measured by the adapters' own measurement, in a process of its own. */
export async function measureTranslation(): Promise<TranslationCost[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@crosszone/source", script]);
  return JSON.parse(stdout) as TranslationCost[];
}
