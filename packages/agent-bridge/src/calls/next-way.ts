import type { AgentFailure } from "../protocol/agent-failure.ts";
import type { OpenCall, Step } from "./open-call.ts";
import { hasActed } from "./send-task.ts";

/**
 * Returns the call as it is tried next after its result, or the result when the call has ended with it:
 * - An agent that refuses to continue the task that waits for an answer gets the message as a new task.
 * - An agent that rejects the files of a task gets the message without them.
 * - An agent whose protocol is `auto` is called in the other version of A2A when it rejects the method or version: its card may be outdated
 *   or wrong.
 */
export function nextWay({ call, result }: Step): Step {
  const { task, ids, adapter, discovery, otherVersion } = call;
  const error = result?.error ?? null;
  if (error === null) return { call, result };
  const isWrongVersion = isOtherVersion(error);
  const { open_task_id, ...asNew } = task;
  if (open_task_id !== undefined && call.remoteId === undefined && error.kind === "rpc_error" && !isWrongVersion)
    return { call: { ...call, task: asNew } };
  if (rejectsFiles(call, error))
    return { call: { ...call, streams: call.offersStreams, task: { ...task, files: [] }, remoteId: undefined } };
  if (call.registered.protocol !== "auto" || !isWrongVersion || result === undefined) return { call, result };
  if (otherVersion !== undefined)
    return { call: { ...call, adapter: otherVersion.adapter, ids: otherVersion.ids }, result: otherVersion.result };
  discovery.forget(call.agent);
  const other = discovery.otherVersion(adapter);
  const next = { adapter: other, ids: { ...ids, protocol: other.protocol } };
  return { call: { ...call, ...next, otherVersion: { adapter, ids, result } } };
}

/** Method not found, or A2A's VersionNotSupported: the agent did not accept the task. */
const isOtherVersion = ({ kind, code }: AgentFailure): boolean =>
  kind === "rpc_error" && (code === -32_601 || code === -32_009);

/** A2A's ContentTypeNotSupportedError, or the agent's words about a part. */
function rejectsFiles(call: OpenCall, { kind, code, message }: AgentFailure): boolean {
  if (hasActed(call) || (call.task.files ?? []).length === 0) return false;
  if (kind === "rpc_error" && code === -32_005) return true;
  if (!rejections.has(kind) || (kind !== "rpc_error" && call.agent.side_effects === true)) return false;
  return aboutFiles.test(message) && /not (be )?(supported|accepted|allowed)|unsupported/i.test(message);
}

const aboutFiles = /\b(files?|attachments?|parts?|(media|mime|content)[ -]?types?)\b/i;
const rejections: ReadonlySet<string> = new Set(["rpc_error", "task_failed", "task_rejected"]);
