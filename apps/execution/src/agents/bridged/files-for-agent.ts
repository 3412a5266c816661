import type { AgentTaskFile, Attachment } from "@crosszone/contracts";
import type { AgentContext } from "../agent.ts";

/** Bytes of all files of a task. They travel as base64 in one message of the bus, and a Kafka topic takes 1 MB by default. */
export const mostFileBytes = 600_000;

/**
 * The attachments of a question with their contents, as far as they can be read and fit, in order. The others stay described in the task's
 * input. Rejects only with the reason of the signal.
 */
export async function filesForAgent(
  attachments: readonly Attachment[],
  { readFile, signal }: Pick<AgentContext, "readFile" | "signal">,
): Promise<AgentTaskFile[]> {
  const files: AgentTaskFile[] = [];
  let room = mostFileBytes;
  for (const { id, name = "file", mime_type = "application/octet-stream", size = 0, text } of attachments) {
    if (size > room) continue;
    const bytes = text === undefined ? await read(id) : Buffer.from(text);
    if (bytes === undefined || bytes.length > room) continue;
    room -= bytes.length;
    const encoded = Buffer.from(bytes).toString("base64");
    files.push({ name: name.slice(0, 255), media_type: mime_type, size: bytes.length, bytes: encoded });
  }
  return files;

  async function read(id: string | undefined): Promise<Uint8Array | undefined> {
    if (id === undefined) return undefined;
    try {
      return await readFile(id);
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }
}
