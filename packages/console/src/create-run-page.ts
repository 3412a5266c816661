import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { isRunId, ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";
import { answer } from "@crosszone/service-kit";
import express, { type RequestHandler } from "express";
import { readPageAssets, readShell, type Asset } from "./page-assets.ts";

/** Everything on the page comes from the page's own origin. The browser runs only the page's own files. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Page {
  readonly shell: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/**
 * Serves the runs page for `/runs`: a static shell without data, and its assets. The page reads its data from the API
 * with the user's token. The files are read on the first request.
 */
export function createRunPage(): RequestHandler {
  let reading: Promise<Page> | undefined;
  const page = (): Promise<Page> => {
    reading ??= readPage().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };

  const router = express.Router({ caseSensitive: true });
  router.use((request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") next();
    else refuseMethod(response);
  });
  router.get(/^\/assets\/(.+)$/, async (request, response, next) => {
    const asset = (await page()).assets.get(request.params[0] ?? "");
    if (asset === undefined) next();
    else send(response, asset);
  });
  router.get(["/", "/:run_id"], async (request, response, next) => {
    const { run_id: runId } = request.params;
    if (runId !== undefined && !isRunId(runId)) next();
    else send(response, { contentType: "text/html; charset=utf-8", body: (await page()).shell });
  });
  return router;
}

async function readPage(): Promise<Page> {
  const [shell, assets] = await Promise.all([readShell(), readPageAssets()]);
  return { shell, assets };
}

function send(response: ServerResponse, { contentType, body }: Asset): void {
  answer(response, 200, { contentType, body, policy, headers: ["referrer-policy", "no-referrer"] });
}

function refuseMethod(response: ServerResponse): void {
  const message = "open this page with GET; to change runs, use the API at /api/v1/runs";
  const error = new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
  const body = JSON.stringify({ jsonrpc: "2.0", error: errorToJson(error, randomUUID()), id: null });
  answer(response, 405, { contentType: "application/json", body, headers: ["allow", "GET, HEAD"] });
}
