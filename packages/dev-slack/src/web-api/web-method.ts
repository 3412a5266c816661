import type { z } from "zod";
import type { EventPublisher } from "../events/event-publisher.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { checkArguments } from "./arguments.ts";
import type { RawArguments } from "./arguments.ts";
import type { Tier } from "./rate-limit.ts";

/** What a call may use. */
export interface CallContext {
  state: WorkspaceState;
  events: EventPublisher;
  /** The scopes the bot token was granted. */
  scopes: readonly string[];
  /** HTTP method of the call. */
  httpMethod: string;
  token: "bot" | "app" | "none";
  /** Adds a warning to the answer. */
  warn: (warning: string) => void;
  /** The token of this call is good for nothing from now on. */
  revoke: () => void;
  /** A new Socket Mode URL. */
  openSocketUrl: () => string;
}

/** Members of a good answer, besides `ok`. */
export type Answer = Record<string, unknown>;

/** One Web API method, as the table holds it. */
export interface WebMethod {
  name: string;
  tier: Tier;
  /** Which token it takes; `any` takes both, `none` needs no token. */
  token: "bot" | "app" | "any" | "none";
  /** The bot token needs one of these; a method of conversations checks its own, by the kind of the conversation. */
  scopes: readonly string[];
  call: (context: CallContext, raw: RawArguments) => Answer;
}

/** Describes a method; its arguments are checked before `run` sees them. */
export function webMethod<T>(
  name: string,
  definition: {
    tier: Tier;
    token?: WebMethod["token"];
    scopes?: readonly string[];
    args: z.ZodType<T>;
    run: (context: CallContext, args: T) => Answer;
  },
): WebMethod {
  const { tier, token = "bot", scopes = [], args, run } = definition;
  return { name, tier, token, scopes, call: (context, raw) => run(context, checkArguments(args, raw)) };
}
