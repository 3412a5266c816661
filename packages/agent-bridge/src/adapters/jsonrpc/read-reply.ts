import type { AgentReply } from "../../client/agent-client.ts";
import { failureOfStatus } from "../failure-of-status.ts";
import { failure } from "../normalised.ts";
import type { Reading } from "../protocol-adapter.ts";
import { failureOfError } from "./failure-of-error.ts";
import { readEnvelope } from "./read-envelope.ts";
import { readResult } from "./read-result.ts";

export interface ReadReplyOptions {
  /** The request's id, which is the task's id. */
  readonly id: string;
  readonly protocol: string;
  /** Converts a result to the shape of A2A 0.3; when absent, the result is used unchanged. */
  readonly normalise?: (result: unknown) => unknown;
}

/** Reads a JSON-RPC reply of an A2A agent. Throws a `ProtocolTranslationError` when its envelope is invalid. */
export function readReplyOf(reply: AgentReply, { id, protocol, normalise }: ReadReplyOptions): Reading {
  const envelope = readEnvelope(reply, id, protocol);
  if (envelope === "status_decides") return failure(id, failureOfStatus(reply));
  if ("error" in envelope) return failure(id, failureOfError(envelope.error, reply.status));
  return readResult(normalise === undefined ? envelope.result : normalise(envelope.result), id, protocol);
}
