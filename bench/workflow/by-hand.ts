import { randomUUID } from "node:crypto";
import { createCallByHand } from "../agents/call-by-hand.ts";
import { openRowLog } from "../agents/row-log.ts";
import { chainOf, firstText } from "./chains.ts";
import { reportEnd, type RunPeer, type RunPeerDeps } from "./peers.ts";

/** The calls one after another, as a function written by hand; with a database, each step is in a log. */
export async function createByHand({ agents, databaseUrl, onStep, onEnded }: RunPeerDeps): Promise<RunPeer> {
  const call = createCallByHand(agents);
  const log = await openRowLog(databaseUrl);

  async function step(runId: string, [name, agent_name]: readonly [string, string], text: string): Promise<string> {
    const task_id = `${runId}.${name}`;
    const known = await log.begin(task_id, text);
    if (known !== undefined) return known;
    const output = await call({ agent_name, task_id, input_data: { text } });
    await log.end(task_id, output);
    onStep(runId);
    return output;
  }

  async function chain(runId: string, names: readonly string[]): Promise<string> {
    let text = firstText;
    for (const [index, name] of names.entries()) text = await step(runId, [`s${String(index)}`, name], text);
    return text;
  }

  return {
    begin: async (pace, number) => {
      const runId = randomUUID();
      reportEnd(onEnded, runId, chain(runId, chainOf(pace, number)));
      return runId;
    },
  };
}
