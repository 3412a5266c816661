import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import express, { type Express } from "express";

export type State = "working" | "completed" | "failed" | "rejected" | "input-required" | "auth-required" | "canceled";

export interface OutPart {
  readonly text?: string;
  readonly data?: Record<string, unknown>;
  readonly file?: { readonly name: string; readonly type: string; readonly text: string };
}

interface Chunk {
  readonly id: string;
  readonly name?: string;
  readonly parts: readonly OutPart[];
  readonly append?: boolean;
  readonly last?: boolean;
}

type Step = {
  readonly message?: string;
  readonly status?: State;
  readonly says?: string;
  readonly wait?: number;
  readonly artifact?: Chunk;
  /** Throws an error with this message, as a bug of the agent does. */
  readonly throws?: string;
};

/** A message to the agent. */
export interface Turn {
  readonly text: string;
  readonly taskId: string;
  readonly contextId: string;
  /** Whether the message continues a waiting task. */
  readonly continued: boolean;
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[];
}

/** Publishes events in the types of one SDK. */
export interface Stage {
  message(text: string): void;
  begin(): void;
  status(state: State, says?: string): void;
  artifact(chunk: Chunk): void;
}

export interface JournalEntry {
  readonly text?: string;
  readonly taskId: string;
  readonly contextId?: string;
  readonly continued?: boolean;
  /** Present on the entry of a cancellation. */
  readonly canceled?: true;
}

const scenarios = JSON.parse(readFileSync(join(import.meta.dirname, "scenarios.json"), "utf8")) as Record<
  string,
  readonly Step[]
>;

/** All requests to the agent, oldest first. */
export const journal: JournalEntry[] = [];

const played = new Map<string, { readonly contextId: string; readonly stop: AbortController }>();

/** Records a cancellation and ends the scenario of the task. Returns the task's context id. */
export function cancelScenario(taskId: string): string {
  journal.push({ taskId, canceled: true });
  const { contextId = "", stop } = played.get(taskId) ?? {};
  stop?.abort();
  return contextId;
}

/** Plays the scenario that the message names, until it ends or is canceled. */
export async function playScenario(turn: Turn, stage: Stage): Promise<void> {
  const { text, taskId, contextId, continued } = turn;
  journal.push({ text, taskId, contextId, continued });
  const steps = scenarios[text] ??
    scenarios[continued ? "continued" : ""] ?? [{ message: `Unknown scenario: ${text}` }];
  const stop = new AbortController();
  played.set(taskId, { contextId, stop });
  if (!continued && steps[0]?.message === undefined && steps[0]?.throws === undefined) stage.begin();
  for (const step of steps) {
    if (step.wait !== undefined)
      await pause(step.wait * 1_000, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return;
    if (step.message !== undefined) stage.message(filled(step.message, turn));
    if (step.status !== undefined) stage.status(step.status, step.says);
    if (step.artifact !== undefined) stage.artifact(filledChunk(step.artifact, turn));
    if (step.throws !== undefined) throw new Error(step.throws);
  }
}

const filledChunk = (chunk: Chunk, turn: Turn): Chunk => ({
  ...chunk,
  parts: chunk.parts.map((part) => (part.text === undefined ? part : { text: filled(part.text, turn) })),
});

const filled = (template: string, { text, files }: Turn): string =>
  template.replace("{text}", text).replace("{files}", files.map(described).join("; "));

const described = ({ name, type, bytes }: Turn["files"][number]): string =>
  `${name} ${type} ${bytes.length} ${hash("sha256", bytes)}`;

/** Listens on a free port of loopback, prints the URL as a line of JSON, and serves the journal at `/journal`. */
export function serveAgent(routes: (app: Express, url: string) => void): void {
  const app = express();
  const server = app.listen(0, "127.0.0.1", () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app.use(express.json({ limit: "10mb" }));
    app.get("/journal", (_request, response) => void response.json(journal));
    routes(app, url);
    console.log(JSON.stringify({ url }));
  });
}
