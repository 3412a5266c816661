import type { Message } from "@crosszone/dev-slack";
import { expect } from "vitest";
import type { HttpAgent } from "./start-http-agent.ts";
import type { Installation } from "./start-installation.ts";

/** Of a machine that does much else, milliseconds. */
const timeoutMs = 60_000;

/** Answers of the agent are held from `hold` to `release`. */
export function createGate() {
  let open = Promise.withResolvers<void>();
  open.resolve();
  return {
    hold: () => void (open = Promise.withResolvers<void>()),
    release: () => open.resolve(),
    pass: () => open.promise,
  };
}

/** A question, and what its answer contains. */
export interface Asked {
  readonly root: Message;
  readonly expected: string;
}

/** Work under way in every way that there is: at an agent, at the built-in agent, and in a run of a workflow. */
export async function startWork({ write }: Installation, agent: HttpAgent, word: string): Promise<readonly Asked[]> {
  const works = [
    { text: `ask newer: ${word}-asked`, expected: `(${word}-asked)` },
    { text: `run chain: ${word}-run`, expected: `([([(${word}-run)])])` },
    { text: `slow 2 ${word}-slow`, expected: `${word}-slow` },
  ];
  const asked = works.map(({ text, expected }) => ({ root: write({ text }), expected }));
  for (const text of [`${word}-asked`, `${word}-run`])
    await expect.poll(() => agent.requests.map((request) => request.text), { timeout: timeoutMs }).toContain(text);
  return asked;
}

/** Every question has the right answer, and one answer. */
export async function expectAnswers({ answerTo, replies }: Installation, asked: readonly Asked[]): Promise<void> {
  for (const { root, expected } of asked) {
    const answer = await answerTo(root, timeoutMs);
    expect(answer.text + (answer.markdown_text ?? "")).toContain(expected);
    expect(replies(root)).toHaveLength(1);
  }
}
