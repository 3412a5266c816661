import { z } from "zod";
import {
  type AgentExchange,
  ControlError,
  type DeleteMessage,
  type EditMessage,
  type MessageQuery,
  type OpenHome,
  type PostMessage,
  type PutChannel,
  type PutUser,
  type RunCommand,
  type StopRun,
} from "../protocol/control-api.ts";
import type { Delivery, Fault, FileFault, Forgery } from "../protocol/faults.ts";
import { FILE_FAULT_KINDS } from "../web-api/file-routes.ts";

const id = z.string().min(1);

/** `POST /control/messages` */
export const POST_MESSAGE: z.ZodType<PostMessage> = z.strictObject({
  channel: id,
  user: id.exactOptional(),
  text: z.string().max(40_000),
  thread_ts: id.exactOptional(),
  files: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(255),
        mimetype: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, "must be a media type such as text/plain"),
        content: z.string(),
        encoding: z.enum(["utf8", "base64"]).exactOptional(),
        external_url: z.url().exactOptional(),
      }),
    )
    .max(10)
    .exactOptional(),
});

/** `POST /control/commands` */
export const RUN_COMMAND: z.ZodType<RunCommand> = z.strictObject({
  channel: id,
  user: id.exactOptional(),
  text: z.string().max(40_000),
  thread_ts: id.exactOptional(),
});

/** `POST /control/messages/edit` */
export const EDIT_MESSAGE: z.ZodType<EditMessage> = z.strictObject({
  channel: id,
  ts: id,
  user: id,
  text: z.string().max(40_000),
});

/** `POST /control/messages/delete` */
export const DELETE_MESSAGE: z.ZodType<DeleteMessage> = z.strictObject({ channel: id, ts: id, user: id });

/** `POST /control/users` */
export const PUT_USER: z.ZodType<PutUser> = z.strictObject({
  id: z.string().regex(/^[UW][A-Z0-9]{2,20}$/, "must be a user id"),
  name: id.exactOptional(),
  real_name: id.exactOptional(),
  is_bot: z.boolean().exactOptional(),
  deleted: z.boolean().exactOptional(),
  is_restricted: z.boolean().exactOptional(),
  is_ultra_restricted: z.boolean().exactOptional(),
  is_stranger: z.boolean().exactOptional(),
  team_id: z
    .string()
    .regex(/^T[A-Z0-9]{2,20}$/, "must be a team id")
    .exactOptional(),
  email: z.email().exactOptional(),
  bot_id: id.exactOptional(),
  tz: id.exactOptional(),
});

/** `POST /control/channels` */
export const PUT_CHANNEL: z.ZodType<PutChannel> = z.strictObject({
  id: z.string().regex(/^[CGD][A-Z0-9]{2,20}$/, "must be a conversation id"),
  name: z.string().exactOptional(),
  kind: z.enum(["channel", "group", "im", "mpim"]).exactOptional(),
  members: z.array(id).exactOptional(),
  is_archived: z.boolean().exactOptional(),
  is_ext_shared: z.boolean().exactOptional(),
  is_pending_ext_shared: z.boolean().exactOptional(),
});

/** `POST /control/stop` */
export const STOP_RUN: z.ZodType<StopRun> = z.strictObject({ channel: id, thread_ts: id, user: id });

/** `POST /control/home` */
export const OPEN_HOME: z.ZodType<OpenHome> = z.strictObject({
  user: id,
  tab: z.enum(["home", "messages"]).exactOptional(),
});

/** `POST /control/forge` */
export const FORGERY: z.ZodType<Forgery> = z.strictObject({
  kind: z.enum(["wrong_secret", "no_headers", "stale", "future", "suffix", "v1", "too_large", "wrong_app"]),
  text: z.string().exactOptional(),
});

/** `POST /control/faults` */
export const FAULT: z.ZodType<Fault> = z.strictObject({
  method: id,
  kind: z.enum(["rate_limited", "server_error", "error", "hang", "drop", "late"]),
  times: z.number().int().min(1).max(1000).exactOptional(),
  after_ms: z.number().int().min(0).max(600_000).exactOptional(),
  retry_after: z.number().int().min(0).max(3600).exactOptional(),
  error: id.exactOptional(),
  takes_effect: z.boolean().exactOptional(),
});

/** `POST /control/file-faults` */
export const FILE_FAULT: z.ZodType<FileFault> = z.strictObject({
  kind: z.enum(FILE_FAULT_KINDS),
  times: z.number().int().min(1).max(1000).exactOptional(),
});

/** `POST /control/delivery` */
export const DELIVERY: z.ZodType<Partial<Delivery>> = z.strictObject({
  copies: z.number().int().min(0).max(100).exactOptional(),
  delay_ms: z.number().min(0).max(600_000).exactOptional(),
  drop_first: z.boolean().exactOptional(),
});

/** `POST /control/agent-exchanges` */
export const AGENT_EXCHANGE: z.ZodType<AgentExchange> = z.strictObject({
  agent_name: z.string(),
  correlation_id: z.string(),
  at: z.iso.datetime(),
  operation: z.string(),
  protocol: z.string(),
  duration_ms: z.number().min(0),
  request: z.unknown().exactOptional(),
  status: z.number().int().exactOptional(),
  response: z.unknown().exactOptional(),
  problem: z.string().exactOptional(),
});

/** `GET /control/messages` */
export const MESSAGE_QUERY: z.ZodType<MessageQuery> = z.strictObject({ channel: id, thread_ts: id.exactOptional() });

/** A request without a body. */
export const NOTHING: z.ZodType<Record<string, never>> = z.strictObject({});

/** Returns the validated value. Throws a `ControlError` that lists every problem. */
export function checkControl<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  throw new ControlError(problems.join("; "));
}
