import { createHash } from "node:crypto";

/**
 * What AgentCore calls a session: 33 to 256 characters, the same for every call that must reach the same micro-VM. A session of
 * ours that fits, as a UUID does, is used as it is; any other becomes its SHA-256 in hex, so the same one is always the same.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-sessions.html
 */
export function runtimeSessionId(session: string): string {
  if (/^[A-Za-z0-9][\w-]{32,255}$/.test(session)) return session;
  return createHash("sha256").update(session).digest("hex");
}
