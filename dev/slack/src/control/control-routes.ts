import express, { Router } from "express";
import type { Response } from "express";
import { sendFile } from "../web-api/file-routes.ts";
import type { Control } from "./control.ts";
import { z } from "zod";
import {
  type AgentExchange,
  ControlError,
  type ControlEvent,
  type DeleteMessage,
  type EditMessage,
  type MessageQuery,
  type PostMessage,
  type PutUser,
  type React,
  type RunCommand,
  type RunShortcut,
  type StopRun,
} from "../protocol/control-api.ts";
import type { Outage } from "../protocol/faults.ts";
import type { GuideSection } from "../protocol/guide.ts";
import type { Act, CloseView, SubmitView } from "../protocol/interactivity.ts";

const HEARTBEAT_MS = 15_000;

/** Every `POST` of the control API: takes the JSON body, returns the response, by default an empty object. */
type Posts = Record<string, (body: unknown) => object | void | Promise<object>>;

/** Makes the routes of the control API, as `protocol/control-api.ts` describes it. The server handles errors. */
export function controlRoutes(control: Control, guide: () => readonly GuideSection[]): Router {
  const router = Router();
  const posts: Posts = {
    "/messages": (body) => ({ message: control.postMessage(checkControl(POST_MESSAGE, body)) }),
    "/messages/edit": (body) => ({ message: control.editMessage(checkControl(EDIT_MESSAGE, body)) }),
    "/messages/delete": (body) => control.deleteMessage(checkControl(DELETE_MESSAGE, body)),
    "/people": (body) => ({ user: control.putUser(checkControl(PUT_USER, body)) }),
    "/reactions": (body) => ({ message: control.react(checkControl(REACT, body)) }),
    "/commands": (body) => control.runCommand(checkControl(RUN_COMMAND, body)),
    "/agent-exchanges": (body) => control.showExchange(checkControl(AGENT_EXCHANGE, body)),
    "/stop": (body) => control.stop(checkControl(STOP_RUN, body)),
    "/act": (body) => control.act(checkControl(ACT, body)),
    "/shortcuts": (body) => control.runShortcut(checkControl(RUN_SHORTCUT, body)),
    "/views/submit": (body) => control.submitView(checkControl(VIEW, body)),
    "/home": (body) => control.openHome(checkControl(PERSON, body)),
    "/outage": (body) => control.setOutage(checkControl(OUTAGE, body)),
    "/views/close": (body) => control.closeView(checkControl(CLOSE_VIEW, body)),
  };
  for (const [path, answer] of Object.entries(posts)) {
    router.post(path, express.json({ limit: "40mb" }), async (request, response) => {
      response.json((await answer(request.body ?? {})) ?? {});
    });
  }

  router.get("/workspace", (_request, response) => void response.json(control.workspace()));
  router.get("/agent", (_request, response) => void response.json(control.agentView()));
  router.get("/traffic", (_request, response) => void response.json({ traffic: control.traffic() }));
  router.get("/guide", (_request, response) => void response.json({ sections: guide() }));
  router.get("/messages", (request, response) => {
    response.json({ messages: control.messages(checkControl(MESSAGE_QUERY, { ...request.query })) });
  });
  router.get("/views", (request, response) => {
    const { user } = checkControl(PERSON, { ...request.query });
    response.json({ views: control.views(user), home: control.home(user), warnings: control.warnings() });
  });
  router.get("/files/:id", (request, response) => sendFile(response, control.file(request.params.id)));
  router.get("/stream", (_request, response) => stream(control, response));
  return router;
}

/** Sends server-sent events until the browser disconnects. See https://html.spec.whatwg.org/multipage/server-sent-events.html */
function stream(control: Control, response: Response): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(": connected\n\n");
  const send = (event: ControlEvent): boolean => response.write(`data: ${JSON.stringify(event)}\n\n`);
  send({ type: "outage", outage: control.outage() });
  const stop = control.subscribe(send);
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  response.on("close", () => {
    stop();
    clearInterval(heartbeat);
  });
}

const id = z.string().min(1);
const flag = z.boolean().exactOptional();

/** `POST /control/messages` */
const POST_MESSAGE: z.ZodType<PostMessage> = z.strictObject({
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
        kind: z.enum(["snippet", "voice", "email", "canvas", "connect"]).exactOptional(),
        plain_text: z.string().exactOptional(),
      }),
    )
    .max(10)
    .exactOptional(),
  forward: z.strictObject({ channel: id, ts: id }).exactOptional(),
  tables: z.array(z.array(z.array(z.string()))).exactOptional(),
  tables_in: z.enum(["attachments", "blocks"]).exactOptional(),
  app: id.exactOptional(),
  blocks: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  attachments: z.array(z.record(z.string(), z.unknown())).exactOptional(),
});

const ownMessage = { channel: id, ts: id, user: id };

/** `POST /control/messages/delete` */
const DELETE_MESSAGE: z.ZodType<DeleteMessage> = z.strictObject(ownMessage);

/** `POST /control/messages/edit` */
const EDIT_MESSAGE: z.ZodType<EditMessage> = z.strictObject({ ...ownMessage, text: z.string().max(40_000) });

/** `POST /control/reactions` */
const REACT: z.ZodType<React> = z.strictObject({ ...ownMessage, reaction: z.string().regex(/^[\w+-]+$/) });

/** `POST /control/commands` */
const RUN_COMMAND: z.ZodType<RunCommand> = z.strictObject({
  channel: id,
  user: id.exactOptional(),
  text: z.string().max(40_000),
  thread_ts: id.exactOptional(),
});

/** `POST /control/act` */
const ACT: z.ZodType<Act> = z.strictObject({
  channel: id.exactOptional(),
  ts: id.exactOptional(),
  view_id: id.exactOptional(),
  user: id,
  action_id: id,
  block_id: id.exactOptional(),
  value: z.union([z.string(), z.array(z.string())]).exactOptional(),
});

/** `POST /control/shortcuts` */
const RUN_SHORTCUT: z.ZodType<RunShortcut> = z.strictObject({ ...ownMessage, callback_id: id });

/** `POST /control/views/submit` */
const VIEW: z.ZodType<SubmitView> = z.strictObject({ user: id, view_id: id });

/** `POST /control/views/close` */
const CLOSE_VIEW: z.ZodType<CloseView> = z.strictObject({ user: id, view_id: id, is_cleared: flag });

/** `POST /control/home`, `GET /control/views` */
const PERSON = z.strictObject({ user: id });

/** `POST /control/outage` */
const OUTAGE: z.ZodType<Partial<Outage>> = z.strictObject({
  kind: z.enum(["none", "late_events", "lost_events", "away"]).exactOptional(),
  calls: z.enum(["drop", "server_error"]).exactOptional(),
});

/** `POST /control/people` */
const PUT_USER: z.ZodType<PutUser> = z.strictObject({ id, deleted: z.boolean() });

/** `POST /control/stop` */
const STOP_RUN: z.ZodType<StopRun> = z.strictObject({ channel: id, thread_ts: id, user: id });

/** `POST /control/agent-exchanges` */
const AGENT_EXCHANGE: z.ZodType<AgentExchange> = z.strictObject({
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
const MESSAGE_QUERY: z.ZodType<MessageQuery> = z.strictObject({ channel: id, thread_ts: id.exactOptional() });

/** Returns the validated value. Throws a `ControlError` that lists every problem. */
function checkControl<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  throw new ControlError(problems.join("; "));
}
