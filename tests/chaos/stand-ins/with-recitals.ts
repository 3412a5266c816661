import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Agent, AgentContext } from "@crosszone/execution";

/** Returns a text of about this many characters. Each line has its number and the name of the text. */
export function recite(name: string, characters: number): string {
  const lines: string[] = [];
  for (let length = 0; length < characters; length += (lines.at(-1)?.length ?? 0) + 1)
    lines.push(`${name}, line ${lines.length + 1}: all that was said is said again, and nothing of it twice.`);
  return lines.join("\n");
}

const asked = /^(recite|stream) (\d+) characters of (\S+)$/;
const askedDigest = /^digest of the file (\S+)$/;

/** Number of pieces of a streamed text, and the time between them, milliseconds. */
const pieces = 40;
const everyMs = 100;

/** Attempts to read a file, and the time between them, milliseconds. */
const mostReads = 15;
const readAgainMs = 1_000;

/** Returns an agent that also gives answers of several messages, streamed answers, digests of files, and failures. */
export function withRecitals(agent: Agent): Agent {
  return {
    ...agent,
    run: async (input, context) => {
      const text = input.text.trim();
      const [, file] = askedDigest.exec(text) ?? [];
      if (file !== undefined) {
        const bytes = await readPatiently(input.attachments[0]?.id ?? "", context);
        return { response_text: `${file}: ${hash("sha256", bytes)}` };
      }
      if (text.startsWith("break ")) throw new Error(text);
      const [, way, characters, name = ""] = asked.exec(text) ?? [];
      if (characters === undefined) return agent.run(input, context);
      const recited = recite(name, Number(characters));
      if (way === "stream") await show(recited, context);
      return { response_text: recited };
    },
  };
}

/** Reads a file with retries, since disturbances last for seconds. */
async function readPatiently(id: string, { readFile, signal }: AgentContext): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readFile(id);
    } catch (error) {
      if (attempt === mostReads || signal.aborted) throw error;
      await wait(readAgainMs, undefined, { signal });
    }
  }
}

/** Streams a text piece by piece. Rejects when the task is canceled. */
async function show(text: string, { preview, signal }: AgentContext): Promise<void> {
  const size = Math.ceil(text.length / pieces);
  for (let shown = 0; shown < text.length; shown += size) {
    preview?.text(text.slice(shown, shown + size));
    await wait(everyMs, undefined, { signal });
  }
}
