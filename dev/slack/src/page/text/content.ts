import type { TaskCard } from "./task-card.ts";

/** One piece of a message, in the format that the app used. */
export type Content =
  | { kind: "mrkdwn" | "markdown" | "plain" | "heading"; text: string }
  | { kind: "context"; texts: string[] }
  | { kind: "task"; task: TaskCard }
  | { kind: "plan"; title: string; tasks: TaskCard[]; isFolded: boolean }
  | { kind: "buttons"; labels: string[] }
  | { kind: "divider" };
