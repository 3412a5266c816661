import { createHash } from "node:crypto";

/**
 * Returns AgentCore's session id: 33 to 256 characters, equal for all calls that must reach the same micro-VM. A session of valid length,
 * such as a UUID, is used unchanged; any other is replaced by its SHA-256 in hex.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-sessions.html
 */
export function runtimeSessionId(session: string): string {
  if (/^[A-Za-z0-9][\w-]{32,255}$/.test(session)) return session;
  return createHash("sha256").update(session).digest("hex");
}
