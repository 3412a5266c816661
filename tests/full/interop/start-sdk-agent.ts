import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { JournalEntry } from "./agents/play-scenario.ts";
import { pythonEnv, pythonOf } from "../../harness/install-once.ts";

const agents = join(import.meta.dirname, "agents");

export interface Sdk {
  /** Name of the agent in Slack. */
  readonly name: string;
  /** Title in the table. */
  readonly title: string;
  readonly program: string;
  /** Requirements file of its Python packages. */
  readonly requirements?: string;
  /** Serves A2A 0.3 next to 1.0. */
  readonly compat?: true;
}

export const sdks: readonly Sdk[] = [
  { name: "js03", title: "JS 0.3.14", program: "js03.ts" },
  { name: "js1", title: "JS 1.3.0", program: "js1.ts" },
  { name: "js1compat", title: "JS 1.3.0 legacy", program: "js1.ts", compat: true },
  { name: "py03", title: "Python 0.3.26", program: "py03.py", requirements: "requirements-03.txt" },
  { name: "py1", title: "Python 1.3.0", program: "py1.py", requirements: "requirements-1.txt" },
  {
    name: "py1compat",
    title: "Python 1.3.0 compat",
    program: "py1.py",
    requirements: "requirements-1.txt",
    compat: true,
  },
];

export function sdkNamed(name: string): Sdk {
  const found = sdks.find((sdk) => sdk.name === name);
  if (!found) throw new Error(`There is no SDK called ${name}.`);
  return found;
}

export type SdkAgent = Awaited<ReturnType<typeof startSdkAgent>>;

/** Starts a scenario agent on an official SDK as a process. Ends with the test. */
export async function startSdkAgent(sdk: Sdk) {
  const runtime = sdk.requirements === undefined ? process.execPath : await pythonOf(join(agents, sdk.requirements));
  const child = spawn(runtime, [join(agents, sdk.program)], {
    env: { ...process.env, ...pythonEnv, ...(sdk.compat && { INTEROP_COMPAT: "1" }) },
    stdio: ["ignore", "pipe", process.env["INTEROP_VERBOSE"] === undefined ? "ignore" : "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const started = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"url"')) started.resolve((JSON.parse(line) as { url: string }).url);
  });
  void ended.then(() => started.reject(new Error(`${sdk.program} ended before it listened`)));
  const url = await started.promise;
  return {
    ...sdk,
    /** The base URL: the card is at `/.well-known/agent-card.json`. */
    url,
    /** Returns the requests to the agent, oldest first. */
    journal: async () => (await (await fetch(`${url}/journal`)).json()) as readonly JournalEntry[],
  };
}
