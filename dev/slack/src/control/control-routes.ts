import express, { Router } from "express";
import type { Response } from "express";
import { sendFile } from "../web-api/file-routes.ts";
import type { Control } from "./control.ts";
import {
  AGENT_EXCHANGE,
  checkControl,
  DELETE_MESSAGE,
  DELIVERY,
  EDIT_MESSAGE,
  FAULT,
  FILE_FAULT,
  FORGERY,
  MESSAGE_QUERY,
  NOTHING,
  OPEN_HOME,
  POST_MESSAGE,
  PUT_CHANNEL,
  PUT_USER,
  RUN_COMMAND,
  STOP_RUN,
} from "./control-schemas.ts";

const HEARTBEAT_MS = 15_000;

/** Every `POST` of the control API: takes the JSON body, returns the response. */
type Posts = Record<string, (body: unknown) => object | Promise<object>>;

/** Makes the routes of the control API, as `protocol/control-api.ts` describes it. The server handles errors. */
export function controlRoutes(control: Control): Router {
  const router = Router();
  const done = {};
  const posts: Posts = {
    "/messages": (body) => {
      const post = checkControl(POST_MESSAGE, body);
      return { message: control.postMessage(post) };
    },
    "/commands": (body) => control.runCommand(checkControl(RUN_COMMAND, body)),
    "/messages/edit": (body) => ({ message: control.editMessage(checkControl(EDIT_MESSAGE, body)) }),
    "/messages/delete": (body) => {
      control.deleteMessage(checkControl(DELETE_MESSAGE, body));
      return done;
    },
    "/users": (body) => ({ user: control.putUser(checkControl(PUT_USER, body)) }),
    "/channels": (body) => ({ channel: control.putChannel(checkControl(PUT_CHANNEL, body)) }),
    "/agent-exchanges": (body) => {
      control.showExchange(checkControl(AGENT_EXCHANGE, body));
      return done;
    },
    "/stop": (body) => {
      control.stop(checkControl(STOP_RUN, body));
      return done;
    },
    "/home": (body) => {
      control.openHome(checkControl(OPEN_HOME, body));
      return done;
    },
    "/forge": (body) => control.forge(checkControl(FORGERY, body)),
    "/replay": (body) => {
      checkControl(NOTHING, body);
      return control.replay();
    },
    "/verify": (body) => {
      checkControl(NOTHING, body);
      return control.verifyUrl();
    },
    "/faults": (body) => ({ fault: control.setFault(checkControl(FAULT, body)) }),
    "/file-faults": (body) => ({ fault: control.setFileFault(checkControl(FILE_FAULT, body)) }),
    "/delivery": (body) => ({ delivery: control.setDelivery(checkControl(DELIVERY, body)) }),
  };
  for (const [path, answer] of Object.entries(posts)) {
    router.post(path, express.json({ limit: "40mb" }), async (request, response) => {
      response.json(await answer(request.body ?? {}));
    });
  }

  router.get("/workspace", (_request, response) => void response.json(control.workspace()));
  router.get("/agent", (_request, response) => void response.json(control.agentView()));
  router.get("/traffic", (_request, response) => void response.json({ traffic: control.traffic() }));
  router.get("/messages", (request, response) => {
    response.json({ messages: control.messages(checkControl(MESSAGE_QUERY, { ...request.query })) });
  });
  router.get("/files/:id", (request, response) => sendFile(response, control.file(request.params.id)));
  router.get("/stream", (_request, response) => stream(control, response));
  return router;
}

/** Sends server-sent events until the browser disconnects. See https://html.spec.whatwg.org/multipage/server-sent-events.html */
function stream(control: Control, response: Response): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(": connected\n\n");
  const stop = control.subscribe((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  response.on("close", () => {
    stop();
    clearInterval(heartbeat);
  });
}
