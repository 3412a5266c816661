import { DBOS } from "@dbos-inc/dbos-sdk";
import { createCallByHand } from "../agents/call-by-hand.ts";
import { chainOf, firstText, type Pace } from "./chains.ts";
import { reportEnd, type RunPeer, type RunPeerDeps } from "./peers.ts";

/** The same function as a workflow of DBOS: each call is a step, whose output is stored in PostgreSQL. */
export async function createByDbos({ agents, databaseUrl, onStep, onEnded }: RunPeerDeps): Promise<RunPeer> {
  const call = createCallByHand(agents);
  async function step(name: string, agent_name: string, text: string): Promise<string> {
    const runId = DBOS.workflowID ?? "";
    const task = { agent_name, task_id: `${runId}.${name}`, input_data: { text } };
    const output = await DBOS.runStep(() => call(task), { name });
    onStep(runId);
    return output;
  }

  const chain = DBOS.registerWorkflow(
    async (pace: Pace, number: number) => {
      let text = firstText;
      for (const [index, name] of chainOf(pace, number).entries()) text = await step(`s${String(index)}`, name, text);
      return text;
    },
    { name: "chain" },
  );
  DBOS.setConfig({ name: "bench", applicationVersion: "1", systemDatabaseUrl: databaseUrl, logLevel: "error" });
  // It uses pg in a deprecated way.
  process.noDeprecation = true;
  await DBOS.launch();

  return {
    begin: async (pace, number) => {
      const handle = await DBOS.startWorkflow(chain)(pace, number);
      reportEnd(onEnded, handle.workflowID, handle.getResult());
      return handle.workflowID;
    },
  };
}
