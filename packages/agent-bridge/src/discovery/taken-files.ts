import type { AgentTask } from "@crosszone/contracts";
import type { CardFacts } from "./read-card.ts";

/** The task with those files whose media type the card takes; with all of them when the card names no input modes. */
export function takenBy(card: CardFacts | undefined, task: AgentTask): AgentTask {
  if (task.files === undefined || card === undefined || card.inputModes.length === 0) return task;
  return { ...task, files: task.files.filter(({ media_type }) => takes(card.inputModes, media_type)) };
}

/** `text` and `file` are the modes of agents before A2A 0.2.5; a mode may be a range such as `image/*`. */
function takes(modes: readonly string[], mediaType: string): boolean {
  const type = mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  return modes.some((mode) => {
    const wanted = mode.toLowerCase().split(";")[0]?.trim() ?? "";
    if (wanted === type || wanted === "*/*" || wanted === "*" || wanted === "file") return true;
    if (wanted === "application/octet-stream") return true;
    return wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1));
  });
}
