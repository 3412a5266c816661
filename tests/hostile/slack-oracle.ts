import type { DevSlack } from "@crosszone/dev-slack";
import type { SlackRequest } from "./slack-request.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

type Members = Record<string, unknown>;

const own = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Members)[name] : undefined;
const text = (value: unknown, name: string): string | undefined => {
  const member = own(value, name);
  return typeof member === "string" ? member : undefined;
};
/** Returns the teams in these members. An unreadable one is foreign; null names none. */
const teamsIn = (value: unknown, ...names: string[]): string[] =>
  names.flatMap((name) => ((own(value, name) ?? undefined) === undefined ? [] : (text(value, name) ?? "")));

/** Returns whether `authorizations` is as Slack sends it. Bolt reads it always, this app only if it is valid. */
export function isWhole({ body }: SlackRequest): boolean {
  const authorizations = own(JSON.parse(body.toString()), "authorizations");
  return Array.isArray(authorizations) && authorizations.every((one) => text(one, "team_id") !== undefined);
}

/** Returns the channel and thread of a question, if the request is a signed event that this app must answer. */
export function askedAt(
  { method, path, headers, body, signed }: SlackRequest,
  { workspace }: DevSlack,
): string | undefined {
  if (!signed || method !== "POST" || path !== "/slack/events" || headers["content-type"] !== "application/json")
    return undefined;
  let envelope: unknown;
  try {
    envelope = JSON.parse(decoder.decode(body));
  } catch {
    return undefined;
  }
  const { app, team } = workspace;
  const event = own(envelope, "event");
  const [channel, user, ts, type] = [
    text(event, "channel"),
    text(event, "user"),
    text(event, "ts"),
    text(event, "type"),
  ];
  const subtype = text(event, "subtype");
  const teams = teamsIn(envelope, "team_id", "context_team_id");
  const homes = teamsIn(event, "user_team", "team");
  const real =
    own(envelope, "type") === "event_callback" &&
    own(envelope, "api_app_id") === app.app_id &&
    teams.length > 0 &&
    [...teams, ...homes].every((id) => id === team.id) &&
    (type === "message" || type === "app_mention") &&
    channel !== undefined &&
    channel !== "" &&
    user !== undefined &&
    user !== app.bot_user_id &&
    ts !== undefined &&
    text(event, "bot_id") === undefined &&
    own(event, "hidden") !== true &&
    (subtype === undefined || ["file_share", "thread_broadcast"].includes(subtype));
  return real ? `${channel} ${text(event, "thread_ts") ?? ts}` : undefined;
}
