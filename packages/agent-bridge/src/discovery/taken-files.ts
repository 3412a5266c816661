import type { AgentTask, AgentTaskFile } from "@crosszone/contracts";
import { isObject, ownList } from "../adapters/own-member.ts";
import type { CardFacts } from "./read-card.ts";

/**
 * Returns the task with only the files whose media type the card accepts; all files when the card names no input modes.
 * The input's `attachments` describe the other files.
 */
export function takenBy(card: CardFacts | undefined, task: AgentTask): AgentTask {
  if (task.files === undefined || card === undefined || card.inputModes.length === 0) return task;
  const isTaken = ({ media_type }: AgentTaskFile): boolean => takes(card.inputModes, media_type);
  const others = task.files.filter((file) => !isTaken(file));
  if (others.length === 0) return task;
  const described = others.map(({ name, media_type: mime_type, size }) => ({ name, mime_type, size }));
  const { input_data: input } = task;
  const attachments = [...ownList(input, "attachments"), ...described];
  return {
    ...task,
    input_data: isObject(input) ? { ...input, attachments } : input,
    files: task.files.filter(isTaken),
  };
}

/** Returns the names of a task's files that were not accepted. */
export function namesOfOthers({ files = [] }: AgentTask, taken: AgentTask): string[] {
  return files.filter((file) => taken.files?.includes(file) !== true).map(({ name }) => name);
}

/** `text` and `file` are modes of agents before A2A 0.2.5. A mode can be a range such as `image/*`. */
function takes(modes: readonly string[], mediaType: string): boolean {
  const type = mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  return modes.some((mode) => {
    const wanted = mode.toLowerCase().split(";")[0]?.trim() ?? "";
    if (wanted === type || wanted === "*/*" || wanted === "*" || wanted === "file") return true;
    if (wanted === "application/octet-stream") return true;
    return wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1));
  });
}
