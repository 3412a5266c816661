import type { AssistantTool, Question, QuestionFile } from "@crosszone/assistant";
import type { Attachment } from "@crosszone/contracts";
import type { AgentContext, AgentTaskInput } from "../agent.ts";

/** Converts a task into the assistant's question. */
export function questionOf(
  { text, thread, attachments, user_id: userId }: AgentTaskInput,
  { readFile }: Pick<AgentContext, "readFile">,
  tools: readonly AssistantTool[],
): Question {
  return { text, thread, userId, tools, files: attachments.map((file, index) => fileOf(file, index, readFile)) };
}

function fileOf(
  { id, name, mime_type, size, text }: Attachment,
  index: number,
  readFile: AgentContext["readFile"],
): QuestionFile {
  return {
    name: name ?? `file-${index + 1}`,
    mediaType: mime_type ?? "application/octet-stream",
    size,
    read: async () => {
      if (text !== undefined) return new TextEncoder().encode(text);
      if (id === undefined) throw new Error("It came without an id, so it can't be fetched.");
      return readFile(id);
    },
  };
}
