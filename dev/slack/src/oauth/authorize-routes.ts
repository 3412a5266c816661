import express, { Router } from "express";
import type { Request, Response } from "express";
import { z } from "zod";
import type { DevSlack } from "../server/dev-slack.ts";
import type { Grants } from "./grants.ts";

export interface AuthorizeOptions {
  clientId: string;
  /** Allowed redirect URLs. */
  redirectUrls: readonly string[];
  slacks: readonly DevSlack[];
  /** Scopes that the app can request. */
  scopes: readonly string[];
  grants: Grants;
}

const ASKED = z.object({
  client_id: z.string(),
  scope: z.string(),
  state: z.string().default(""),
  redirect_uri: z.string().optional(),
  team: z.string().optional(),
});

const DECISION = z.object({ decision: z.enum(["allow", "cancel"]), team: z.string().optional() });

/** The user who clicks. */
const ADMIN = "U0ALICE0001";

/**
 * Serves `/oauth/v2/authorize`: the page where a person selects a workspace and allows or cancels the installation. Either way, the browser
 * is redirected to the app's redirect URL. See https://docs.slack.dev/authentication/installing-with-oauth
 */
export function authorizeRoutes(options: AuthorizeOptions): Router {
  const { slacks, grants } = options;
  const router = Router();

  router.get("/oauth/v2/authorize", (request, response) => {
    const asked = readAsked(request, response, options);
    if (asked === undefined) return;
    // Chromium also checks the redirect after a form against this policy.
    const policy = `default-src 'none'; form-action 'self' ${new URL(asked.back).origin}; frame-ancestors 'none'`;
    response.set("content-security-policy", policy).type("html").send(page(slacks, asked));
  });

  router.post("/oauth/v2/authorize", express.urlencoded({ extended: false }), (request, response) => {
    const asked = readAsked(request, response, options);
    const { data: decided } = DECISION.safeParse(request.body);
    const slack = slacks.find(({ workspace }) => workspace.team.id === decided?.team);
    if (asked === undefined) return;
    const { scopes, redirectUri, back, state } = asked;
    if (decided?.decision !== "allow") return sendBack(response, back, { error: "access_denied", state });
    if (slack === undefined) return refuse(response, "invalid_team");
    sendBack(response, back, { code: grants.issueCode({ slack, scopes, redirectUri, user: ADMIN }), state });
  });
  return router;
}

interface Asked {
  scopes: readonly string[];
  state: string;
  /** The app's own redirect URL. */
  redirectUri: string | undefined;
  /** The redirect target. */
  back: string;
}

/** Returns the app's request; answers and returns undefined if it is invalid. */
function readAsked(request: Request, response: Response, options: AuthorizeOptions): Asked | undefined {
  const { data } = ASKED.safeParse(request.query);
  const scopes = data?.scope.split(",") ?? [];
  const back = data?.redirect_uri ?? options.redirectUrls[0] ?? "";
  if (data?.client_id !== options.clientId) refuse(response, "invalid_client_id");
  else if (!options.redirectUrls.includes(back)) refuse(response, "bad_redirect_uri");
  else if (scopes.some((scope) => !options.scopes.includes(scope))) refuse(response, "invalid_scope");
  else return { scopes, state: data.state, redirectUri: data.redirect_uri, back };
  return undefined;
}

function refuse(response: Response, error: string): void {
  response.status(400).type("text/plain").send(error);
}

function sendBack(response: Response, back: string, members: Record<string, string>): void {
  const url = new URL(back);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  response.redirect(302, url.href);
}

/** The form posts to its own URL. */
function page(slacks: readonly DevSlack[], { scopes }: Asked): string {
  const choices = slacks.map(
    ({ workspace: { team } }, at) =>
      `<p><label><input type="radio" name="team" value="${team.id}"${at === 0 ? " checked" : ""}> ${team.name}</label></p>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Install Crosszone</title></head>
<body>
<h1>Crosszone asks to be installed</h1>
<p>This is the local Slack. The app asks for: ${scopes.join(", ")}.</p>
<form method="post">
${choices.join("\n")}
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="cancel">Cancel</button></p>
</form>
</body>
</html>
`;
}
