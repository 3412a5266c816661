import { randomUUID } from "node:crypto";
import { type SlackEvent, wrapEvent } from "../events/event-envelope.ts";
import { forgedRequest, sendOnce, type SendResult, type SentRequest, signedHeaders } from "../events/signed-request.ts";
import { ControlError } from "../protocol/control-api.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Control } from "./control.ts";

/** Requests that go directly to the app's events URL, bypassing event delivery. */
export type AppOperations = Pick<Control, "forge" | "replay" | "verifyUrl" | "limitEvents">;

/** The parts of these operations. */
export interface AppOperationsParts {
  state: WorkspaceState;
  signingSecret: string;
  eventsUrl: () => string | undefined;
  /** Returns the last request that the app answered. */
  lastSent: () => SentRequest | undefined;
  /** Records the requests next to the deliveries. */
  traffic: TrafficLog;
  /** Timeout for a response, milliseconds. */
  timeoutMs: number;
}

const LONGEST_SHOWN = 20_000;

/** Makes forgeries, replays and the handshake. */
export function createAppOperations(parts: AppOperationsParts): AppOperations {
  const { state, signingSecret, eventsUrl, lastSent, traffic, timeoutMs } = parts;

  function requireUrl(): string {
    const url = eventsUrl();
    if (url === undefined) throw new ControlError("no events URL is set", 409);
    return url;
  }

  async function send(name: string, sent: SentRequest): Promise<SendResult> {
    const at = Date.now();
    const result = await sendOnce(sent, timeoutMs);
    const { status, ms, body: response } = result;
    const verdict = status === 0 ? "no answer" : status < 300 ? "acknowledged" : `refused: ${status}`;
    const body =
      sent.body.length > LONGEST_SHOWN ? `(${sent.body.length} characters)` : (JSON.parse(sent.body) as unknown);
    traffic.record({
      at,
      kind: "event",
      name,
      status,
      ms,
      verdict,
      request: { headers: sent.headers, body },
      response,
    });
    return result;
  }

  /** Sends a payload that is no event, signed. */
  function signed(type: string, payload: object): Promise<SendResult> {
    const url = requireUrl();
    const body = JSON.stringify({ token: "deprecated-verification-token", ...payload, type });
    return send(type, { url, headers: signedHeaders(signingSecret, state.clock.seconds(), body), body });
  }

  return {
    forge: async ({ kind, text = "this request is forged" }) => {
      const url = requireUrl();
      const envelope = wrapEvent(directMessage(text, state), state);
      const forged = { url, envelope, signingSecret, now: state.clock.seconds() };
      const { status, ms } = await send(`forged: ${kind}`, forgedRequest(kind, forged));
      return { status, ms };
    },

    replay: async () => {
      const sent = lastSent();
      if (!sent) throw new ControlError("no event has been delivered yet", 409);
      const { status, ms } = await send("replay", sent);
      return { status, ms };
    },

    limitEvents: async () => {
      const { team, app } = state.directory.workspace;
      const now = state.clock.seconds();
      const minute = { minute_rate_limited: now - (now % 60) };
      const { status, ms } = await signed("app_rate_limited", { team_id: team.id, ...minute, api_app_id: app.app_id });
      return { status, ms };
    },

    verifyUrl: async () => {
      const challenge = randomUUID();
      const { status, ms, body: answer } = await signed("url_verification", { challenge });
      return { status, ms, ok: status === 200 && echoes(answer, challenge) };
    },
  };
}

/** Returns the event of a message that was never posted, in the first direct message. */
function directMessage(text: string, { clock, directory }: WorkspaceState): SlackEvent {
  const channel = directory.workspace.channels.find((one) => one.kind === "im");
  const ts = clock.ts();
  return {
    type: "message",
    user: channel?.members[0],
    text,
    ts,
    event_ts: ts,
    channel: channel?.id,
    channel_type: "im",
    client_msg_id: randomUUID(),
  };
}

/**
 * Returns true if the response echoes the challenge, as plain text, as a form or as JSON. See
 * https://docs.slack.dev/reference/events/url_verification
 */
function echoes(answer: string, challenge: string): boolean {
  const bare = answer.trim();
  if (bare === challenge || bare === `challenge=${challenge}`) return true;
  try {
    const value: unknown = JSON.parse(bare);
    return typeof value === "object" && value !== null && "challenge" in value && value.challenge === challenge;
  } catch {
    return false;
  }
}
