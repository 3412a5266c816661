import express, { Router } from "express";
import type { Response } from "express";
import { sendFile } from "../web-api/file-routes.ts";
import type { Control } from "./control.ts";
import { z } from "zod";
import {
  AGENT_EXCHANGE,
  ControlError,
  type ControlEvent,
  DELETE_MESSAGE,
  EDIT_MESSAGE,
  MESSAGE_QUERY,
  POST_MESSAGE,
  REACT,
  RUN_COMMAND,
  RUN_SHORTCUT,
  SCHEDULE_MESSAGE,
  STOP_RUN,
} from "../protocol/control-api.ts";
import type { DisconnectReason, Fault, FileFault, Outage, SocketMode } from "../protocol/faults.ts";
import type { GuideSection } from "../protocol/guide.ts";
import { ACT, VIEW_PLACE } from "../protocol/interactivity.ts";

const HEARTBEAT_MS = 15_000;

/** Every `POST` of the control API: takes the JSON body, returns the response, by default an empty object. */
type Posts = Record<string, (body: unknown) => object | void | Promise<object>>;

/** Makes the routes of the control API, as `protocol/control-api.ts` describes it. The server handles errors. */
export function controlRoutes(control: Control, guide: () => readonly GuideSection[]): Router {
  const router = Router();
  const posts: Posts = {
    "/messages": (body) => ({ message: control.postMessage(checkControl(POST_MESSAGE, body)) }),
    "/messages/schedule": async (body) => ({
      message: await control.scheduleMessage(checkControl(SCHEDULE_MESSAGE, body)),
    }),
    "/messages/edit": (body) => ({ message: control.editMessage(checkControl(EDIT_MESSAGE, body)) }),
    "/messages/delete": (body) => control.deleteMessage(checkControl(DELETE_MESSAGE, body)),
    "/people": (body) => ({ user: control.putUser(checkControl(PUT_USER, body)) }),
    "/channels/app": (body) => ({ channel: control.addApp(checkControl(APP_PLACE, body).channel) }),
    "/reactions": (body) => ({ message: control.react(checkControl(REACT, body)) }),
    "/commands": (body) => control.runCommand(checkControl(RUN_COMMAND, body)),
    "/agent-exchanges": (body) => control.showExchange(checkControl(AGENT_EXCHANGE, body)),
    "/stop": (body) => control.stop(checkControl(STOP_RUN, body)),
    "/act": (body) => control.act(checkControl(ACT, body)),
    "/shortcuts": (body) => control.runShortcut(checkControl(RUN_SHORTCUT, body)),
    "/views/submit": (body) => control.submitView(checkControl(VIEW_PLACE, body)),
    "/home": (body) => control.openHome(checkControl(PERSON, body)),
    "/outage": (body) => control.setOutage(checkControl(OUTAGE, body)),
    "/views/close": (body) => control.closeView(checkControl(VIEW_PLACE, body)),
    "/faults": (body) => control.setFault(checkControl(FAULT, body)),
    "/file-faults": (body) => control.setFileFault(checkControl(FILE_FAULT, body)),
    "/socket-mode": (body) => control.setSocketMode(checkControl(SOCKET_MODE, body)),
    "/sockets/disconnect": (body) => control.disconnectSockets(checkControl(DISCONNECT, body).reason),
    "/sockets/frame": (body) => control.sendFrame(checkControl(FRAME, body).frame),
    "/app": (body) => control.setUnlisted(checkControl(APP, body).unlisted),
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

/** `POST /control/home`, `GET /control/views` */
const PERSON = z.strictObject({ user: z.string().min(1) });

/** `POST /control/outage` */
const OUTAGE: z.ZodType<Outage> = z.strictObject({ kind: z.enum(["none", "late_events", "lost_events", "away"]) });

const count = z.number().int().min(1);

/** `POST /control/faults` */
const FAULT: z.ZodType<Fault> = z.strictObject({
  method: z.string().min(1),
  kind: z.enum(["rate_limited", "server_error", "error", "hang", "drop", "late"]),
  times: count.exactOptional(),
  after_ms: z.number().min(0).exactOptional(),
  retry_after: z.number().min(0).exactOptional(),
  error: z.string().exactOptional(),
  takes_effect: z.boolean().exactOptional(),
});

/** `POST /control/file-faults` */
const FILE_FAULT: z.ZodType<FileFault> = z.strictObject({
  kind: z.enum(["redirect", "sign_in_page", "disguised_page", "other_type", "long_length", "drip", "huge", "endless"]),
  times: count.exactOptional(),
});

/** `POST /control/socket-mode` */
const SOCKET_MODE: z.ZodType<Partial<SocketMode>> = z.strictObject({
  enabled: z.boolean().exactOptional(),
  hello: z.boolean().exactOptional(),
  most: count.exactOptional(),
  half_open: z.boolean().exactOptional(),
});

/** `POST /control/sockets/disconnect` */
const DISCONNECT: z.ZodType<{ reason: DisconnectReason }> = z.strictObject({
  reason: z.enum(["warning", "refresh_requested", "too_many_websockets", "link_disabled"]),
});

/** `POST /control/sockets/frame` */
const FRAME = z.strictObject({ frame: z.string() });

/** `POST /control/app` */
const APP = z.strictObject({ unlisted: z.boolean() });

/** `POST /control/channels/app` */
const APP_PLACE = z.strictObject({ channel: z.string().min(1) });

/** `POST /control/people` */
const PUT_USER = z.strictObject({ id: z.string().min(1), deleted: z.boolean() });

/** Returns the validated value. Throws a `ControlError` that lists every problem. */
function checkControl<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  throw new ControlError(problems.join("; "));
}
