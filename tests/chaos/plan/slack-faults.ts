import type { Fault } from "@crosszone/dev-slack";
import type { Random } from "../../harness/random.ts";

/** Methods that every question calls. */
const methods = [
  "chat.postMessage",
  "chat.postMessage",
  "chat.postMessage",
  "chat.update",
  "chat.update",
  "chat.update",
  "conversations.replies",
  "agents.sessions.setStatus",
] as const;

/** Methods that few answers call. Faults wait for a call, so many would accumulate here. */
const rareMethods = [
  "files.getUploadURLExternal",
  "files.completeUploadExternal",
  "files.completeUploadExternal",
] as const;

/** Methods that stream an answer, and the errors with which Slack refuses them. */
const streamMethods = ["chat.startStream", "chat.appendStream", "chat.appendStream", "chat.stopStream"] as const;
const streamErrors = ["message_not_in_streaming_state", "msg_too_long", "internal_error"] as const;

/** Methods that check a question before it is accepted. Too many failures of these would be a correct refusal instead of an answer. */
const lookups = ["users.info", "conversations.info", "auth.test"] as const;

/** Plans a fault of one Web API call: refused, failed, failed after it took effect, cut, answered late or never. */
export function planSlackFault(random: Random): Fault {
  if (random.chance(0.1)) {
    const kind = random.pick(["server_error", "drop"] as const);
    return { method: random.pick(lookups), kind };
  }
  if (random.chance(0.12))
    return {
      method: random.pick(rareMethods),
      kind: random.pick(["server_error", "drop"] as const),
      takes_effect: random.chance(0.7),
    };
  if (random.chance(0.2)) return planStreamFault(random);
  const method = random.pick(methods);
  const dice = random.int(100);
  if (dice < 25) return { method, kind: "rate_limited", retry_after: 1 + random.int(2), times: 1 + random.int(3) };
  if (dice < 45) return { method, kind: "server_error", times: 1 + random.int(2) };
  if (dice < 65) return { method, kind: "server_error", takes_effect: true };
  if (dice < 85) return { method, kind: "drop", takes_effect: random.chance(0.7) };
  if (dice < 97) return { method, kind: "late", after_ms: 500 + random.int(4_000) };
  return { method, kind: "hang", takes_effect: random.chance(0.5) };
}

function planStreamFault(random: Random): Fault {
  const method = random.pick(streamMethods);
  const dice = random.int(100);
  if (dice < 25) return { method, kind: "rate_limited", retry_after: 1 };
  if (dice < 50) return { method, kind: "drop", takes_effect: random.chance(0.7) };
  if (dice < 75) return { method, kind: "server_error", takes_effect: random.chance(0.7) };
  // After a refused start, the app does not stream in that channel for a while.
  if (dice < 90 && method !== "chat.startStream") return { method, kind: "error", error: random.pick(streamErrors) };
  return { method, kind: "late", after_ms: 500 + random.int(2_000) };
}
