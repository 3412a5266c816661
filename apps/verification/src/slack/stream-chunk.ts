/** The status of a task in a streamed message. */
export type StreamTaskStatus = "pending" | "in_progress" | "complete" | "error";

/**
 * The next piece of a streamed message. Text continues the text before it. A task with a known id replaces that task's title and status.
 * https://docs.slack.dev/messaging/sending-and-scheduling-messages#text-streaming
 */
export type StreamChunk =
  | { readonly type: "markdown_text"; readonly text: string }
  | {
      readonly type: "task_update";
      readonly id: string;
      readonly title: string;
      readonly status: StreamTaskStatus;
    };
