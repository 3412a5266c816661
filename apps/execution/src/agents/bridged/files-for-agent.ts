import type { AgentTaskFile, Attachment } from "@crosszone/contracts";
import type { AgentContext } from "../agent.ts";

/** Bytes of all files of a task. They travel as base64 in one message of the bus, and a Kafka topic takes 1 MB by default. */
export const mostFileBytes = 600_000;

/** The attachments of a question, apart: those that go to the agent with their contents, and those that are only described. */
export interface FilesForAgent {
  readonly files: AgentTaskFile[];
  readonly others: Attachment[];
}

/**
 * Reads the attachments of a question, as far as they can be read and fit, in order. Rejects only with the reason of the signal.
 */
export async function filesForAgent(
  attachments: readonly Attachment[],
  { readFile, signal }: Pick<AgentContext, "readFile" | "signal">,
): Promise<FilesForAgent> {
  const [files, others]: [AgentTaskFile[], Attachment[]] = [[], []];
  let room = mostFileBytes;
  for (const attachment of attachments) {
    const { name = "file", mime_type = "application/octet-stream" } = attachment;
    const bytes = await contentsOf(attachment, room);
    if (bytes === undefined || bytes.length > room) {
      others.push(attachment);
      continue;
    }
    room -= bytes.length;
    const encoded = Buffer.from(bytes).toString("base64");
    files.push({ name: name.slice(0, 255), media_type: mime_type, size: bytes.length, bytes: encoded });
  }
  return { files, others };

  async function contentsOf({ id, size = 0, text }: Attachment, most: number): Promise<Uint8Array | undefined> {
    if (size > most) return undefined;
    return text === undefined ? read(id) : Buffer.from(text);
  }

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
