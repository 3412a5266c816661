import type { Response } from "express";

/** The page that Slack shows, with status 200, to clients that cannot read a file. */
export const LOGIN_PAGE: string =
  "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to your workspace</body></html>";

export function sendLoginPage(response: Response): void {
  response.type("text/html").set("content-security-policy", "sandbox").send(LOGIN_PAGE);
}
