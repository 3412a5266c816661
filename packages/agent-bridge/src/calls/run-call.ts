import type { TokenBuckets } from "@crosszone/service-kit";
import type { Discovery } from "../discovery/create-discovery.ts";
import { acceptedBy } from "../protocol/read-card.ts";
import type { NormalizedResult } from "../protocol/protocol-adapter.ts";
import { followTask } from "./follow-task.ts";
import type { CallWay, OpenCall } from "./agent-caller.ts";
import { isStill, remember, reportProgress } from "./read-stream.ts";
import { sendRequest } from "./send-request.ts";
import { hasActed, sendTask } from "./send-task.ts";

/** A call before discovery determines the protocol and URL. */
export type CallPlan = Omit<OpenCall, keyof CallWay | "rediscover"> & Pick<OpenCall, "ids" | "task" | "agent">;

/** Opens a call in the protocol and at the URL of the agent's current card. */
export async function openCall(plan: CallPlan, discovery: Discovery): Promise<OpenCall> {
  const call: OpenCall = {
    ...plan,
    ...(await chooseWay(plan, discovery)),
    rediscover: async () => {
      if (call.isGuess) Object.assign(call, await chooseWay({ ...plan, task: call.task }, discovery));
    },
  };
  return call;
}

async function chooseWay({ ids, agent: registered, task, options }: CallPlan, discovery: Discovery): Promise<CallWay> {
  const { adapter, agent, card, isGuess } = await discovery.discover(registered, options.signal);
  const { protocol, takesFiles = true } = adapter;
  const sent = takesFiles ? acceptedBy(card, task) : { ...task, files: [] };
  const streams = card?.streaming ?? false;
  return { ids: { ...ids, protocol }, adapter, agent, task: sent, streams, isGuess };
}

export interface RunCallDeps {
  readonly discovery: Discovery;
  /** The rate limit of retries, by agent name. */
  readonly tokens: TokenBuckets;
  /** Whether the agent's protocol is `auto`, so that the other version of A2A can be tried. */
  readonly isAuto: boolean;
}

/**
 * Runs a call to the end of its task. A card may be outdated or wrong: when the agent rejects the method or version, the other version is
 * tried.
 */
export async function runCall(call: OpenCall, { discovery, tokens, isAuto }: RunCallDeps): Promise<NormalizedResult> {
  const result = await runWithFiles(call, tokens);
  if (!isAuto || !isOtherVersion(result)) return result;
  discovery.forget(call.agent);
  const { adapter, ids } = call;
  call.adapter = discovery.otherVersion(adapter);
  call.ids = { ...ids, protocol: call.adapter.protocol };
  const other = await runWithFiles(call, tokens);
  if (!isOtherVersion(other)) return other;
  Object.assign(call, { adapter, ids });
  return result;
}

/** When an agent rejects the files of a task, the message is sent once more without them. */
async function runWithFiles(call: OpenCall, tokens: TokenBuckets): Promise<NormalizedResult> {
  const { streams } = call;
  const result = await runInContext(call, tokens);
  if (!rejectsFiles(call, result)) return result;
  Object.assign(call, { streams, task: { ...call.task, files: [] }, remoteId: undefined });
  return await runInContext(call, tokens);
}

/** A2A's ContentTypeNotSupportedError, or the agent's words about a part. */
function rejectsFiles(call: OpenCall, { error }: NormalizedResult): boolean {
  if (error === null || hasActed(call) || (call.task.files ?? []).length === 0) return false;
  if (error.kind === "rpc_error" && error.code === -32_005) return true;
  if (!rejections.has(error.kind) || (error.kind !== "rpc_error" && call.agent.side_effects === true)) return false;
  return aboutFiles.test(error.message) && /not (be )?(supported|accepted|allowed)|unsupported/i.test(error.message);
}

const aboutFiles = /\b(files?|attachments?|parts?|(media|mime|content)[ -]?types?)\b/i;
const rejections: ReadonlySet<string> = new Set(["rpc_error", "task_failed", "task_rejected"]);

/** When an agent refuses to continue the task that waits for an answer, the message is sent as a new task. */
async function runInContext(call: OpenCall, tokens: TokenBuckets): Promise<NormalizedResult> {
  const result = await runOnce(call, tokens);
  const { open_task_id, ...task } = call.task;
  if (open_task_id === undefined || call.remoteId !== undefined || result.error?.kind !== "rpc_error") return result;
  if (isOtherVersion(result)) return result;
  call.task = task;
  return await runOnce(call, tokens);
}

/** Method not found, or A2A's VersionNotSupported: the agent did not accept the task. */
function isOtherVersion({ error }: NormalizedResult): boolean {
  return error?.kind === "rpc_error" && (error.code === -32_601 || error.code === -32_009);
}

async function runOnce(call: OpenCall, tokens: TokenBuckets): Promise<NormalizedResult> {
  if (call.remoteId !== undefined && call.adapter.toPoll !== undefined) return await followTask(call, call.remoteId);
  const answered = await openQuestion(call);
  const reading = await sendTask(call, tokens, answered);
  if (reading.state === "ended" && !isStill(answered, reading)) return reading.result;
  const remoteId = reading.state === "working" ? reading.remoteId : (call.task.open_task_id ?? "");
  remember(call, remoteId);
  await call.remembered;
  if (reading.state === "working") reportProgress(call, reading.progress);
  return await followTask(call, remoteId, answered);
}

/**
 * Identifies the question that the task to continue waits with. A send that does not block can be answered with the task as it was before
 * the message: without this id the old question would be read as a new one.
 */
async function openQuestion(call: OpenCall): Promise<string | undefined> {
  const { adapter, task } = call;
  const { open_task_id } = task;
  if (open_task_id === undefined || adapter.toPoll === undefined) return undefined;
  const { reading } = await sendRequest(call, {
    operation: "poll",
    make: () => adapter.toPoll?.(task, open_task_id),
  });
  return reading.questionId;
}
