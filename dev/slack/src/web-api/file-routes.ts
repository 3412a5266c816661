import express, { type Request, type Response, Router } from "express";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WebApiParts } from "./answer-call.ts";
import { mayRead } from "./file-methods.ts";
import type { FileFault } from "../protocol/faults.ts";

/** The routes for uploading and downloading files, outside the Web API. */
export function fileRoutes(parts: WebApiParts & { fileFaults: FileFaults; traffic: TrafficLog }): Router {
  const { state, botTokens, scopes, fileFaults, traffic } = parts;
  const router = Router();
  const record = (name: string, status: number, what: { verdict: string; request: unknown }): void => {
    traffic.record({ at: Date.now(), kind: "web_api", name, status, ms: 0, ...what, response: null });
  };

  /** Accepts the bytes of an announced upload, raw or as a file of a form. The ticket in the URL grants the permission. */
  router.post("/upload/v1/:ticket", express.raw({ type: () => true, limit: "100mb" }), async (request, response) => {
    const bytes = await uploadedBytes(request);
    const result = state.files.receive(request.params["ticket"] ?? "", bytes);
    const status = { ok: 200, unknown: 404, wrong_size: 400 }[result];
    const verdict = { ok: `OK - ${bytes.length}`, unknown: "not found", wrong_size: "length does not match" }[result];
    record("upload", status, { verdict, request: { bytes: bytes.length } });
    response.status(status).type("text/plain").send(verdict);
  });

  /** Serves a private file to the bot token. Other clients get Slack's sign-in page, with status 200. */
  router.get("/files-pri/:key{/download}/:name", (request, response) => {
    const [team, id = ""] = request.params.key.split("-");
    const file = team === state.directory.workspace.team.id ? state.files.find(id) : undefined;
    const [, token = ""] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
    const isBot = botTokens.stateOf(token) === "good" && scopes.includes("files:read");
    if (!isBot || (file && !mayRead({ state }, file))) {
      record("download", 200, { verdict: "sign-in page", request: { file: id } });
      sendLoginPage(response);
      return;
    }
    const fault = fileFaults.next();
    if (fault && file?.bytes) {
      record("download", 200, { verdict: `fault: ${fault.kind}`, request: { file: id } });
      fault.answer(response, { ...file, bytes: file.bytes });
      return;
    }
    const verdict = file?.bytes ? "ok" : "not found";
    record("download", file?.bytes ? 200 : 404, { verdict, request: { file: id } });
    if (file?.bytes) sendFile(response, { ...file, bytes: file.bytes });
    else response.status(404).type("text/plain").send(verdict);
  });
  return router;
}

/** Sends a file so that a browser never runs it: as a download, unless it is a picture. */
export function sendFile(response: Response, file: { name: string; mimetype: string; bytes: Buffer }): void {
  const isPicture = /^image\/(png|jpeg|gif|webp)$/.test(file.mimetype);
  const name = encodeURIComponent(file.name);
  response.set({
    "content-type": file.mimetype,
    "content-disposition": `${isPicture ? "inline" : "attachment"}; filename*=UTF-8''${name}`,
    "content-security-policy": "sandbox; default-src 'none'",
  });
  response.send(file.bytes);
}

async function uploadedBytes(request: Request): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const contentType = request.headers["content-type"] ?? "";
  if (!contentType.startsWith("multipart/form-data")) return body;
  const headers = { "content-type": contentType };
  const form = await new globalThis.Response(new Uint8Array(body), { headers }).formData().catch(() => new FormData());
  for (const value of form.values()) if (typeof value !== "string") return Buffer.from(await value.arrayBuffer());
  return Buffer.alloc(0);
}

/** The page that Slack shows, with status 200, to clients that cannot read a file. */
const LOGIN_PAGE: string =
  "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to your workspace</body></html>";

function sendLoginPage(response: Response): void {
  response.type("text/html").set("content-security-policy", "sandbox").send(LOGIN_PAGE);
}

interface File {
  mimetype: string;
  bytes: Buffer;
}
type Answer = (response: Response, file: File) => void;

const HUGE = 10_000_000_000;
const PNG = Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001", "hex");

const ANSWERS: Record<FileFault["kind"], Answer> = {
  redirect: (response) => response.redirect(302, "https://files.example.com/elsewhere"),
  sign_in_page: (response) => sendLoginPage(response),
  disguised_page: (response, { mimetype }) => void response.type(mimetype).send(LOGIN_PAGE),
  other_type: (response, { mimetype }) => {
    const isPicture = mimetype.startsWith("image/");
    response.type(mimetype).send(isPicture ? Buffer.from("this is not a picture") : PNG);
  },
  long_length: (response, { mimetype, bytes }) => {
    response.writeHead(200, { "content-type": mimetype, "content-length": bytes.length + 1_000 });
    response.write(bytes, () => response.destroy());
  },
  drip: (response, { mimetype }) => {
    response.writeHead(200, { "content-type": mimetype });
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  },
  huge: (response, { mimetype }) => {
    response.writeHead(200, { "content-type": mimetype, "content-length": HUGE });
    pour(response);
  },
  endless: (response, { mimetype }) => {
    response.writeHead(200, { "content-type": mimetype });
    pour(response);
  },
};

/** Stores faults for future downloads. */
export interface FileFaults {
  add(fault: FileFault): void;
  /** Returns the fault of this download, if any; each download uses up one of its `times`. */
  next(): { kind: FileFault["kind"]; answer: Answer } | undefined;
}

export function createFileFaults(): FileFaults {
  const waiting: FileFault["kind"][] = [];
  return {
    add: ({ kind, times = 1 }) => void waiting.push(...Array.from({ length: times }, () => kind)),
    next: () => {
      const kind = waiting.shift();
      return kind && { kind, answer: ANSWERS[kind] };
    },
  };
}

/** Writes as fast as the reader reads, up to ten gigabytes. */
function pour(response: Response): void {
  const chunk = Buffer.alloc(65_536, "x");
  let left = HUGE;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) {
        response.once("drain", more);
        return;
      }
    }
  };
  more();
}
