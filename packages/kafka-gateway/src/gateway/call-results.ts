import type { AgentResult } from "@crosszone/contracts";
import { callId, callOutputContext, type AgentCallRecord, type ExecutionColumn } from "@crosszone/agent-calls";
import { jobStates, type JobEnd, type JobStore } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { BusMessage } from "../bus/bus-message.ts";

/** Returns the end of a call with this result. */
export function endOf(result: AgentResult, codec: RecordCodec): JobEnd<ExecutionColumn> {
  const { status, error, attempts } = result;
  const failed = error?.kind === "canceled" ? "canceled" : "failed";
  return {
    outcome: status === "SUCCESS" ? "succeeded" : failed,
    output: codec.toColumn(result, callOutputContext(callId(result))),
    own: { error_kind: error?.kind ?? null, agent_attempts: attempts ?? null },
  };
}

/** Returns the message with the result of an ended call; undefined without one. */
export async function resultOf(
  id: string,
  store: JobStore<ExecutionColumn>,
  codec: RecordCodec,
): Promise<BusMessage<"agent_results"> | undefined> {
  const call = await store.find(id);
  if (call?.state !== jobStates.ended || call.output === null) return undefined;
  const { headers } = JSON.parse(call.record) as AgentCallRecord;
  const value = codec.fromColumn(call.output, callOutputContext(id)) as AgentResult;
  return { channel: "agent_results", value, headers };
}
