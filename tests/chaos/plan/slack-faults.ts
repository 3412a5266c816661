import type { Fault } from "@crosszone/dev-slack";
import type { Random } from "../../harness/random.ts";

/** What the work on a question calls. */
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

/** What only a few answers call: faults wait for their calls, and these would wait in heaps. */
const rareMethods = [
  "files.getUploadURLExternal",
  "files.completeUploadExternal",
  "files.completeUploadExternal",
] as const;

/** What shows an answer while it grows, and how Slack refuses it: as full, as over, as not possible now. */
const streamMethods = ["chat.startStream", "chat.appendStream", "chat.appendStream", "chat.stopStream"] as const;
const streamErrors = ["message_not_in_streaming_state", "msg_too_long", "internal_error"] as const;

/** What is asked before a question is let in, and at the start: too many calls of these would be an honest "no", not an answer. */
const lookups = ["users.info", "conversations.info", "auth.test"] as const;

/** One call of Slack's Web API that goes wrong: refused, failed, failed after it was done, cut, answered late or never. */
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
  // What is refused at the start is not asked for again in that channel for a while.
  if (dice < 90 && method !== "chat.startStream") return { method, kind: "error", error: random.pick(streamErrors) };
  return { method, kind: "late", after_ms: 500 + random.int(2_000) };
}
