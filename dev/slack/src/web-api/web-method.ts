import type { z } from "zod";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Tier } from "./rate-limit.ts";
import { checkArguments, type RawArguments } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";

/** The context of a call. */
export interface CallContext {
  state: WorkspaceState;
  events: EventPublisher;
  /** The scopes of the bot token. */
  scopes: readonly string[];
  /** HTTP method of the call. */
  httpMethod: string;
  token: "bot" | "app";
  /** Adds a warning to the response. */
  warn: (warning: string) => void;
  /** False if an upload ends with `ok`, and is shared nowhere. */
  sharesUploads: boolean;
  /** Revokes the token of this call. */
  revoke: () => void;
  /** Returns a new Socket Mode URL. */
  openSocketUrl: () => string;
}

/** Members of a successful response, besides `ok`. */
export type Answer = Record<string, unknown>;

/** One Web API method in the method table. */
export interface WebMethod {
  name: string;
  tier: Tier;
  /** Its tier for an app outside the Marketplace. */
  unlisted: Tier;
  /** The required token; `any` accepts both. */
  token: "bot" | "app" | "any";
  /** The bot token needs one of these scopes; a method of conversations checks its own, by the kind of the conversation. */
  scopes: readonly string[];
  call: (context: CallContext, raw: RawArguments) => Answer;
}

/** Defines a method; its arguments are validated before `run` gets them. */
export function webMethod<T>(
  name: string,
  definition: {
    tier: Tier;
    unlisted?: Tier;
    token?: WebMethod["token"];
    scopes?: readonly string[];
    /** It is about one workspace: an organization's token needs its `team_id`. */
    ofTeam?: true;
    args: z.ZodType<T>;
    run: (context: CallContext, args: T) => Answer;
  },
): WebMethod {
  const { tier, unlisted = tier, token = "bot", scopes = [], ofTeam, args, run } = definition;
  const call: WebMethod["call"] = (context, raw) => {
    if (ofTeam) checkTeam(context, raw["team_id"]);
    return run(context, checkArguments(args, raw));
  };
  return { name, tier, unlisted, token, scopes, call };
}

/** See https://docs.slack.dev/enterprise/organization-ready-apps */
function checkTeam({ state }: CallContext, team_id: unknown): void {
  const { organization, team } = state.directory.workspace;
  if (!organization || team_id === team.id) return;
  throw new SlackError(team_id === undefined ? "missing_argument" : "team_access_not_granted");
}
