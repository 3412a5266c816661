import { agentCallJob, callId, type AgentCallRecord, type CallIntake } from "@crosszone/agent-calls";
import { jobStates, storeArrival } from "@crosszone/jobs";
import type { BusMessage } from "../bus/bus-message.ts";
import { messageColumns } from "../database/dead-letters.ts";
import type { PublishedCalls } from "./end-calls.ts";
import { publishKind, shareOf, type MessageRecord } from "./publish-jobs.ts";

/** Enqueues calls to be published: a call waits in the table for its result, whatever program calls the agent. */
export function createGatewayIntake({ store, publications, codec }: PublishedCalls): CallIntake {
  return {
    enter: async (call) => {
      const message = { channel: "agent_tasks", value: call.task, headers: call.headers } as const;
      const { as, settle } = publications.enter({ id: callId(call.task), attempt: 1 }, message);
      return { job: { ...agentCallJob(call, as, codec), share: shareOf("agent_tasks") }, settle };
    },

    cancel: async ({ run_id, task_id, correlation_id }, reason) => {
      const id = callId({ run_id, task_id });
      const call = await store.find(id);
      // A run ends the calls that it no longer needs by itself.
      if (call === undefined || (call.state >= jobStates.ended && call.outcome !== "canceled")) return;
      const { headers } = JSON.parse(call.record) as AgentCallRecord;
      const value = { run_id, task_id, correlation_id, timestamp: new Date().toISOString(), reason };
      await addMessage(id, { channel: "agent_cancellations", value, headers });
    },
  };

  async function addMessage(callOf: string, message: BusMessage): Promise<void> {
    const { key, value, team } = messageColumns(message, codec);
    const record: MessageRecord = { key, headers: message.headers ?? {} };
    const job = {
      id: `cancellation ${callOf}`,
      kind: publishKind,
      share: shareOf(message.channel),
      team,
      record: JSON.stringify(record),
      input: value,
    };
    const { as, ...arrival } = publications.enter({ id: job.id, attempt: 1 }, message);
    await storeArrival(arrival, () => store.add({ ...job, as }));
  }
}
