import { randomUUID } from "node:crypto";
import { answerText } from "../../agents/dialects.ts";
import { chainOf, loopAgent, loopWidth, question } from "../chains.ts";
import { createAskAgent } from "./ask-agent.ts";
import type { RunPeer, RunPeerDeps } from "./run-peer.ts";
import { openStepLog } from "./step-log.ts";

/** The calls one after another, as a function that somebody writes; each step is in a log if there is a database. */
export async function createByHand({ agents, databaseUrl, onStep, onEnded }: RunPeerDeps): Promise<RunPeer> {
  const ask = createAskAgent(agents);
  const log = await openStepLog(databaseUrl);

  async function step(runId: string, name: string, call: () => Promise<string>): Promise<string> {
    const known = await log.begin(runId, name);
    if (known !== undefined) return known;
    const output = await call();
    await log.end(runId, name, output);
    onStep(runId);
    return output;
  }

  async function chain(runId: string, names: readonly string[]): Promise<string> {
    let text = question;
    for (const [index, name] of names.entries()) {
      const asked = text;
      text = await step(runId, `s${String(index)}`, () => ask(name, asked, `${runId}.${String(index)}`));
    }
    return text;
  }

  return {
    begin: async (pace, number) => {
      const runId = randomUUID();
      void chain(runId, chainOf(pace, number)).then(
        (text) => onEnded(runId, text === answerText ? undefined : text),
        (error: unknown) => onEnded(runId, String(error)),
      );
      return runId;
    },
    loop: async (items) => {
      const runId = randomUUID();
      const left = items.entries();
      let right = 0;
      const lane = async (): Promise<void> => {
        for (const [index, text] of left) {
          const answer = await step(runId, String(index), () => ask(loopAgent, text, `${runId}.${String(index)}`));
          if (answer === answerText) right += 1;
        }
      };
      await Promise.all(Array.from({ length: loopWidth }, lane));
      return right;
    },
  };
}
