import { sendOnce } from "../events/send-once.ts";
import { signedHeaders } from "../events/signature.ts";
import type { SocketHub } from "../events/socket-hub.ts";
import type { CommandError } from "./command-texts.ts";

/** What an app did with a command: `status` 0 when nothing came in time. */
export interface CommandOutcome {
  status: number;
  ms: number;
  /** What the app said at once: nothing, JSON, or text. */
  said?: unknown;
  /** Slack's word for what went wrong. */
  error?: CommandError;
}

/** What the way of commands to the app needs. */
export interface CommandSenderParts {
  hub: Pick<SocketHub, "connected" | "command">;
  /** Where commands go when no socket is connected: the same URL as events. */
  eventsUrl: () => string | undefined;
  signingSecret: string;
  /** Three seconds, in Slack. A command is never sent again. */
  ackTimeoutMs: number;
  /** Unix seconds. */
  now: () => number;
}

/** The way of a slash command to the app: over a socket while one is connected, else as a signed form. */
export function createCommandSender(
  parts: CommandSenderParts,
): (form: Readonly<Record<string, string>>) => Promise<CommandOutcome> {
  const { hub, eventsUrl, signingSecret, ackTimeoutMs, now } = parts;

  async function overSocket(form: Readonly<Record<string, string>>): Promise<CommandOutcome> {
    const started = performance.now();
    const { reason, payload } = await hub.command(form);
    const ms = Math.round(performance.now() - started);
    if (reason !== undefined)
      return { status: 0, ms, error: reason === "timeout" ? "operation_timeout" : "dispatch_failed" };
    return { status: 200, ms, ...(!isEmpty(payload) && { said: payload }) };
  }

  async function overHttp(url: string, form: Readonly<Record<string, string>>): Promise<CommandOutcome> {
    const body = new URLSearchParams({ ...form }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const headers = { ...signedHeaders(signingSecret, now(), body), ...type };
    const { status, ms, body: text } = await sendOnce({ url, headers, body }, ackTimeoutMs);
    if (status === 200) return { status, ms, said: jsonOrText(text) };
    const isLate = status === 0 && ms >= ackTimeoutMs;
    return { status, ms, error: isLate ? "operation_timeout" : "dispatch_failed" };
  }

  return async (form) => {
    if (hub.connected()) return overSocket(form);
    const url = eventsUrl();
    return url === undefined ? { status: 0, ms: 0, error: "dispatch_failed" } : overHttp(url, form);
  };
}

/** Slack's own client sends an empty object along with an acknowledgement that says nothing. */
function isEmpty(payload: unknown): boolean {
  return payload === null || (typeof payload === "object" && Object.keys(payload).length === 0);
}

/** A JSON object is a message; anything else is its text, and white space is nothing. */
function jsonOrText(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // It is text.
  }
  return { text };
}
