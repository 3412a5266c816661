import type { Control } from "../control/control.ts";
import type { MessageOperations } from "../control/message-operations.ts";
import { createDirectoryOperations, createPersonOperations } from "../control/person-operations.ts";
import { BOT_SCOPES, type DevSecrets } from "./dev-slack.ts";
import type { EventEnvelope } from "../events/event-envelope.ts";
import { createEventPublisher } from "../events/event-dispatcher.ts";
import { signedHeaders } from "../events/signed-request.ts";
import type { Workspace } from "../protocol/workspace.ts";
import { answerCall, type CallAnswer } from "../web-api/answer-call.ts";
import { createBotTokens } from "../web-api/bot-tokens.ts";
import { createRateLimiter, type RateLimits, SLACK_RATE_LIMITS } from "../web-api/rate-limit.ts";
import type { WebApiRequest } from "../web-api/arguments.ts";
import { seedWorkspace } from "../workspace/seed-workspace.ts";
import { createWorkspaceState } from "../workspace/workspace-state.ts";

export interface LocalSlackOptions {
  readonly secrets: DevSecrets;
  /** Used in the links that it issues; without a slash at the end. */
  readonly url: string;
  /** Takes each event for the app, and returns at once. */
  readonly deliver: (envelope: EventEnvelope) => void;
  readonly rateLimits?: Partial<RateLimits>;
}

/** What people do in the local Slack, and its Web API, without a server: the caller carries calls and events. */
export interface LocalSlack
  extends MessageOperations, Pick<Control, "putUser" | "putChannel" | "putUserGroup" | "file" | "agentView"> {
  readonly workspace: Workspace;
  /** Answers one call of the Web API. */
  readonly call: (method: string, request: WebApiRequest) => Promise<CallAnswer>;
  /** Stores the bytes of an announced upload; returns the HTTP status. */
  readonly upload: (ticket: string, bytes: Buffer) => number;
  /** Returns the headers of a request with this body, signed now. */
  readonly sign: (body: string) => Record<string, string>;
  /** Cancels all timers. */
  readonly close: () => void;
}

/** Makes a local Slack that opens no socket, for programs that simulate the network. */
export function createLocalSlack({ secrets, url, deliver, rateLimits }: LocalSlackOptions): LocalSlack {
  const state = createWorkspaceState(seedWorkspace(), url);
  const events = createEventPublisher(state, deliver);
  const parts = {
    state,
    events,
    limiter: createRateLimiter({ ...SLACK_RATE_LIMITS, ...rateLimits }),
    botTokens: createBotTokens(secrets.botToken, state.storage),
    appToken: secrets.appToken,
    scopes: BOT_SCOPES,
    openSocketUrl: () => url,
  };
  return {
    ...createPersonOperations(state, events),
    ...createDirectoryOperations(state),
    agentView: () => ({ threads: state.statuses.all() }),
    workspace: state.directory.workspace,
    call: (method, request) => answerCall(method, request, parts),
    upload: (ticket, bytes) => ({ ok: 200, unknown: 404, wrong_size: 400 })[state.files.receive(ticket, bytes)],
    sign: (body) => signedHeaders(secrets.signingSecret, state.clock.seconds(), body),
    close: () => {
      state.streams.close();
    },
  };
}
