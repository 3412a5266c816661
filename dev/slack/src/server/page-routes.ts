import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { Router } from "express";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** The page is served from its sources, even when this file runs from `dist`. */
const PAGE_FOLDER = new URL("../../src/page/", import.meta.url);
/** The page reads mrkdwn with the server's own reader, and offers the conversations that the server accepts. */
const SHARED = ["/workspace/slack-text.ts", "/workspace/conversation-filter.ts"];
const MARKDOWN_IT = fileURLToPath(import.meta.resolve("markdown-it/browser"));

/**
 * A path below the page's folder: names of letters, digits and `-`, and one extension. Other dots are not allowed, which excludes parent
 * folders and tests.
 */
const ASSET = /^\/((?:[a-z0-9-]+\/)*[a-z0-9-]+)\.(html|css|svg|js|ts)$/;

/**
 * Serves the browser page: `/`, its assets, and markdown-it. A TypeScript file is served as JavaScript, under its own name and as `*.js`,
 * with its types stripped at request time; no bundler is involved. See
 * https://nodejs.org/api/module.html#modulestriptypescripttypescode-options
 */
export function pageRoutes(state: WorkspaceState): Router {
  const router = Router();

  router.get("/assets/markdown-it.js", async (_request, response) => {
    response.type("text/javascript").send(await readFile(MARKDOWN_IT, "utf8"));
  });

  /** A permalink opens the page at its thread. */
  router.get("/archives/:channel/:message", (request, response, next) => {
    const { channel, message } = request.params;
    const [, seconds, rest] = /^p(\d{10})(\d{6})$/.exec(message) ?? [];
    const found = state.messages.find(channel, `${seconds}.${rest}`);
    if (found) response.redirect(`/#/${channel}/${found.thread_ts ?? found.ts}`);
    else next();
  });

  router.get(/.*/, async (request, response, next) => {
    const [, name, extension] = ASSET.exec(request.path === "/" ? "/index.html" : request.path) ?? [];
    const isScript = extension === "js" || extension === "ts";
    const folder = SHARED.includes(request.path) ? new URL("../", PAGE_FOLDER) : PAGE_FOLDER;
    const source = name && (await readPage(new URL(`${name}.${isScript ? "ts" : extension}`, folder)));
    if (source === undefined || extension === undefined) return next();
    response.set("cache-control", "no-store").type(isScript ? "text/javascript" : extension);
    response.send(isScript ? stripTypeScriptTypes(source) : source);
  });
  return router;
}

async function readPage(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
