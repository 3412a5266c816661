import { DBOS } from "@dbos-inc/dbos-sdk";
import { answerText } from "../../agents/dialects.ts";
import { chainOf, loopAgent, loopWidth, question, type Pace } from "../chains.ts";
import { createAskAgent } from "./ask-agent.ts";
import type { RunPeer, RunPeerDeps } from "./run-peer.ts";

/** The same function as a workflow of DBOS: each call is a step, and what came of it is kept in PostgreSQL. */
export async function createByDbos({ agents, databaseUrl, onStep, onEnded }: RunPeerDeps): Promise<RunPeer> {
  const ask = createAskAgent(agents);
  async function step(name: string, agent: string, text: string): Promise<string> {
    const runId = DBOS.workflowID ?? "";
    const output = await DBOS.runStep(() => ask(agent, text, `${runId}.${name}`), { name });
    onStep(runId);
    return output;
  }

  const chain = DBOS.registerWorkflow(
    async (pace: Pace, number: number) => {
      let text = question;
      for (const [index, name] of chainOf(pace, number).entries()) text = await step(`s${String(index)}`, name, text);
      return text;
    },
    { name: "chain" },
  );
  // Steps have to begin in the same order each time: so many at once, and then the next ones.
  const loop = DBOS.registerWorkflow(
    async (items: readonly string[]) => {
      let right = 0;
      for (let at = 0; at < items.length; at += loopWidth) {
        const some = items.slice(at, at + loopWidth);
        const answers = await Promise.all(some.map((text, index) => step(String(at + index), loopAgent, text)));
        right += answers.filter((answer) => answer === answerText).length;
      }
      return right;
    },
    { name: "loop" },
  );
  DBOS.setConfig({ name: "bench", applicationVersion: "1", systemDatabaseUrl: databaseUrl, logLevel: "error" });
  // The warnings of its own use of pg are for those who keep it.
  process.noDeprecation = true;
  await DBOS.launch();

  return {
    begin: async (pace, number) => {
      const handle = await DBOS.startWorkflow(chain)(pace, number);
      void handle.getResult().then(
        (text) => onEnded(handle.workflowID, text === answerText ? undefined : text),
        (error: unknown) => onEnded(handle.workflowID, String(error)),
      );
      return handle.workflowID;
    },
    loop: async (items) => {
      const handle = await DBOS.startWorkflow(loop)(items);
      return handle.getResult();
    },
  };
}
