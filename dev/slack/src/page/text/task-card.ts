/** The data of an agent's task card. */
export interface TaskCard {
  title: string;
  status: TaskStatus;
  /** Plain text; empty when there is none. */
  details: string;
  output: string;
  sources: { text: string; url: string }[];
}

export type TaskStatus = "pending" | "in_progress" | "complete" | "error";

/** A sign for each status that is readable without color. */
export const taskMarks: Readonly<Record<TaskStatus, string>> = {
  pending: "○",
  in_progress: "◐",
  complete: "✓",
  error: "✗",
};

/** Reads a `task_card` block, with defaults for missing members. See https://docs.slack.dev/reference/block-kit/blocks/task-card-block */
export function taskCardOf(block: unknown): TaskCard {
  const { title, status, details, output, sources } = (block ?? {}) as Record<string, unknown>;
  const isKnown = typeof status === "string" && Object.hasOwn(taskMarks, status);
  return {
    title: typeof title === "string" ? title : "",
    status: isKnown ? (status as TaskStatus) : "pending",
    details: richTextWords(details),
    output: richTextWords(output),
    sources: (Array.isArray(sources) ? sources : []).map(sourceOf),
  };
}

function sourceOf(source: unknown): TaskCard["sources"][number] {
  const { text, url } = (source ?? {}) as { text?: unknown; url?: unknown };
  return { text: typeof text === "string" ? text : "", url: typeof url === "string" ? url : "" };
}

/** Returns the texts and links of a `rich_text` block, in order. */
function richTextWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(richTextWords).join("");
  const { elements, text, url } = (value ?? {}) as { elements?: unknown; text?: unknown; url?: unknown };
  if (Array.isArray(elements)) return richTextWords(elements);
  return typeof text === "string" ? text : typeof url === "string" ? url : "";
}
