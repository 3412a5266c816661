import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";
import { answer, answerHeaders, answerJson } from "@crosszone/service-kit";
import express, { type RequestHandler } from "express";
import { type Asset, readPageAssets, readShell } from "./page-assets.ts";

/** Everything on the page comes from the page's own origin. The browser runs only the page's own files. */
const pagePolicy: string =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Page {
  readonly shell: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/**
 * Serves the console for `/console`: a static shell without data at every path, and its assets. The page reads its data from the API
 * with the user's token or session. The files are read on the first request. `signIn`: where people sign in, when the zone has that.
 */
export function createConsole(signIn = ""): RequestHandler {
  let reading: Promise<Page> | undefined;
  const page = (): Promise<Page> => {
    reading ??= readPage(signIn).catch((error: unknown) => {
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
  router.get(/^\/(?!assets\/)/, async (_request, response) => {
    send(response, { contentType: "text/html; charset=utf-8", body: (await page()).shell });
  });
  return router;
}

/** Redirects `/runs` and `/runs/{run_id}` to the console. Browsers keep the fragment. */
export const redirectRuns: RequestHandler = ({ url }, response) => {
  response.writeHead(302, [...answerHeaders(response), "location", `/console${url}`, "content-length", "0"]).end();
};

async function readPage(signIn: string): Promise<Page> {
  const [shell, assets] = await Promise.all([readShell(), readPageAssets()]);
  return { shell: shell.replace('name="sign-in" content=""', `name="sign-in" content="${signIn}"`), assets };
}

function send(response: ServerResponse, { contentType, body }: Asset): void {
  answer(response, 200, { contentType, body, policy: pagePolicy, headers: ["referrer-policy", "no-referrer"] });
}

function refuseMethod(response: ServerResponse): void {
  const message = "open this page with GET; to change something, use the API at /api/v1";
  const error = new ZoneError("invalid_request", { problems: [{ pointer: "", message }] });
  const body = JSON.stringify({ jsonrpc: "2.0", error: errorToJson(error, randomUUID()), id: null });
  answer(response, 405, { contentType: "application/json", body, headers: ["allow", "GET, HEAD"] });
}

const places = [
  ["Console", "/console", "Runs, approvals and the audit log. Needs an API token or a sign-in."],
  ["API", "/api/v1/openapi.json", "Everything that the API serves, as OpenAPI. Its requests need an API token."],
  ["Health", "/healthz", "Whether this process runs."],
  ["Readiness", "/readyz", "Whether it can work, and what is missing."],
  ["Metrics", "/metrics", "For Prometheus."],
] as const;

const json = JSON.stringify({
  name: "Crosszone execution zone",
  links: Object.fromEntries(places.map(([name, path]) => [name.toLowerCase(), path])),
});

/** Answers `/` with where things are: a page for a browser, JSON for a program. It has no data of the zone. */
export function homePage({ headers }: IncomingMessage, response: ServerResponse): void {
  const types = headers.accept?.split(",").map((type) => type.split(";", 1)[0]?.trim()) ?? [];
  if (!types.includes("text/html")) answerJson(response, 200, json);
  else send(response, { contentType: "text/html; charset=utf-8", body: home });
}

/** Returns a page without scripts that looks like the console. `content`: HTML below its heading. */
export const plainPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Crosszone</title>
<link rel="icon" href="/console/assets/crosszone.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/assets/styles/theme.css">
<link rel="stylesheet" href="/console/assets/styles/frame.css">
</head>
<body>
<header class="top"><span class="brand"><span class="brand-mark" aria-hidden="true"></span>Crosszone</span></header>
<main>
<section class="surface places">
<h1>${title}</h1>
${content}
</section>
</main>
</body>
</html>
`;

const rows = places.map(
  ([name, path, text]) => `<li><a href="${path}">${name}</a> <span class="muted">${text}</span></li>`,
);

const home = plainPage(
  "Execution zone",
  `<p>This zone runs agents and workflows. People ask in Slack; programs ask over A2A and MCP, at an address of their own.</p>
<ul>
${rows.join("\n")}
</ul>
<p class="muted">How to connect agents, models and programs: the folder <code>docs</code> of the repository.</p>`,
);
