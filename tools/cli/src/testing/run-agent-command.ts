import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";

const main = resolve(import.meta.dirname, "../main.ts");
const examples = resolve(import.meta.dirname, "../../../../examples/agents");

/** Copies the example of a language into a new folder, which goes with the test. */
export function agentFolder(agent: "node" | "python" | "go"): string {
  const folder = tempFolder();
  cpSync(join(examples, agent), folder, { recursive: true });
  return folder;
}

/** Replaces a text in a file of an agent. */
export function edit(file: string, from: string, to: string): void {
  const before = readFileSync(file, "utf8");
  if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, before.replaceAll(from, to));
}

interface AgentCommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `crosszone agents …` in a folder, without a terminal and without the variables of a zone. */
export function runAgentCommand(argv: readonly string[], { cwd, env }: AgentCommandOptions) {
  // oxlint-disable-next-line node/no-process-env -- the agents need the author's PATH and caches
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(CROSSZONE|OPENAI|ANTHROPIC|MODEL|NODE_OPTIONS|VITEST)/.test(name),
  );
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", main, "agents", ...argv], {
    cwd,
    env: { ...Object.fromEntries(kept), NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let output = "";
  let read = 0;
  let changed = Promise.withResolvers<undefined>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      output += piece.toString();
      changed.resolve(undefined);
    });
  const ended = new Promise<number | null>((done) => void child.once("close", done));
  const over = ended.then(() => "over" as const);
  return {
    ended,
    output: () => output,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Resolves with the match once the output has one, after the last one that was waited for. */
    wrote: async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = pattern.exec(output.slice(read));
        if (found !== null) {
          read += found.index + found[0].length;
          return found;
        }
        changed = Promise.withResolvers();
        const last = await Promise.race([changed.promise, over]);
        if (last === "over" && !pattern.test(output.slice(read)))
          throw new Error(`It ended without writing ${pattern}:\n${output}`);
      }
    },
  };
}
