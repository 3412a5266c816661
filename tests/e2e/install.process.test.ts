// suite: rest
import { writeFileSync } from "node:fs";
import { tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, test, vi } from "vitest";
import { linkOf, startBrowser } from "../harness/browser.ts";
import { withPolicy } from "../harness/temp-file.ts";
import { beginInstall, startSeveralWorkspaces, type SeveralWorkspaces } from "../harness/start-several-workspaces.ts";

const north = "T0NORTH0001";
const south = "T0SOUTH0001";
const allow = { team: north, decision: "allow" };
const cookieName = "__Host-crosszone-install";

const refusals = ({ log }: SeveralWorkspaces): unknown[] =>
  log.filter(({ event }) => event === "install_refused").map(({ reason }) => reason);
const installed = ({ log }: SeveralWorkspaces): unknown[] =>
  log.filter(({ event }) => event === "app_installed").map(({ installation }) => installation);

/** Returns a state that this zone has issued. */
async function newState({ url }: SeveralWorkspaces): Promise<string> {
  const page = await startBrowser().open(`${url}/slack/install`);
  return new URL(linkOf(page)).searchParams.get("state") ?? "";
}

/** Requests the redirect with a handwritten URL and cookie. */
async function comeBack(
  { url }: { readonly url: string },
  { code = "a-code", state, cookie = state }: { code?: string; state: string; cookie?: string },
): Promise<{ status: number; html: string }> {
  const query = new URLSearchParams({ code, state });
  const headers = { cookie: `${cookieName}=${cookie}` };
  const response = await fetch(`${url}/slack/oauth_redirect?${query.toString()}`, { headers });
  return { status: response.status, html: await response.text() };
}

describe("the install page", () => {
  test("Y7: leads to Slack with the scopes of the manifest, and binds the redirect to this browser", async () => {
    const zones = await startSeveralWorkspaces();
    const page = await startBrowser().open(`${zones.url}/slack/install`);
    const link = new URL(linkOf(page));
    expect(link.origin + link.pathname).toBe(`${zones.slack.url}/oauth/v2/authorize`);
    expect(link.searchParams.get("scope")?.split(",")).toContain("chat:write");
    expect(link.searchParams.get("redirect_uri")).toBe(`${zones.url}/slack/oauth_redirect`);
    const state = link.searchParams.get("state");
    expect(page.headers.getSetCookie()).toEqual([
      `${cookieName}=${state}; Secure; HttpOnly; SameSite=Lax; Path=/; Max-Age=600`,
    ]);
    expect(state).not.toBe(await newState(zones));
  });

  test("Y7: loads and runs nothing, cannot be framed, and is not cached", async () => {
    const zones = await startSeveralWorkspaces();
    const pages = await Promise.all(
      ["/slack/install", "/slack/oauth_redirect?error=access_denied"].map((path) =>
        startBrowser().open(zones.url + path),
      ),
    );
    for (const { headers, html } of pages) {
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(html).toContain("<main>\n<h1>");
      expect(html).not.toMatch(/<script|<form|<iframe|src=/);
    }
  });

  test("H1: accepts GET and HEAD; the redirect accepts GET only, because a HEAD would use the code up", async () => {
    const { url } = await startSeveralWorkspaces();
    const ask = async (method: string, path: string): Promise<unknown[]> => {
      const { status, headers } = await fetch(url + path, { method });
      return [status, headers.get("allow")];
    };
    expect(await ask("HEAD", "/slack/install")).toEqual([200, null]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect(await ask(method, "/slack/install")).toEqual([405, "GET, HEAD"]);
      expect(await ask(method, "/slack/oauth_redirect")).toEqual([405, "GET"]);
    }
    expect(await ask("HEAD", "/slack/oauth_redirect")).toEqual([405, "GET"]);
  });
});

describe("a failed install explains itself and installs nothing", () => {
  test("Y7: when the person does not allow it", async () => {
    const zones = await startSeveralWorkspaces();
    const browser = startBrowser();
    const page = await browser.submit(await beginInstall(zones, browser), { team: north, decision: "cancel" });
    expect([page.status, page.html]).toEqual([403, expect.stringContaining("You did not allow it in Slack.")]);
    expect(linkOf(page)).toBe("/slack/install");
    expect([refusals(zones), installed(zones)]).toEqual([["canceled"], []]);
  });

  test("Y7: when another browser returns than the one that began", async () => {
    const zones = await startSeveralWorkspaces();
    const [mine, theirs] = [startBrowser(), startBrowser()];
    const back = await mine.submitAndStop(await beginInstall(zones, mine), allow);
    expect((await theirs.open(back)).html).toContain("Started in another browser");
    await beginInstall(zones, theirs);
    expect(await theirs.open(back)).toMatchObject({ status: 400 });
    // The code was not used, so the right browser still can.
    expect((await mine.open(back)).html).toContain("Crosszone is installed");
    expect([refusals(zones), installed(zones)]).toEqual([["other_browser", "other_browser"], [north]]);
  });

  test("Y7: when Slack's code is expired, unknown or absent", async () => {
    const zones = await startSeveralWorkspaces({ slack: { codeLifetimeMs: 0 } });
    const page = await zones.install(north);
    expect([page.status, page.html]).toEqual([400, expect.stringContaining("This code has expired")]);
    await comeBack(zones, { code: "0.unknown", state: await newState(zones) });
    await comeBack(zones, { code: "", state: await newState(zones) });
    expect([refusals(zones), installed(zones)]).toEqual([["code_refused", "code_refused", "no_code"], []]);
  });

  test("Y7: in a workspace that is not allowed; its token is revoked", async () => {
    const zones = await startSeveralWorkspaces({ env: withPolicy({ allowed_teams: [north] }) });
    const page = await zones.install(south);
    expect([page.status, page.html]).toEqual([403, expect.stringContaining("This workspace is not on the list")]);
    expect(refusals(zones)).toEqual(["team_not_listed"]);
    const [, denied] = zones.slack.slacks;
    expect(denied?.control.traffic().map(({ name, verdict }) => [name, verdict])).toContainEqual(["auth.revoke", "ok"]);
    const auth = await fetch(`${zones.slack.apiUrl}auth.test`, {
      headers: { authorization: `Bearer ${denied?.botToken}` },
    });
    expect(await auth.json()).toMatchObject({ ok: false, error: "token_revoked" });
    expect((await zones.install(north)).status).toBe(200);
    expect(installed(zones)).toEqual([north]);
  });

  test("S10, Y7: anywhere, when no workspace is allowed", async () => {
    const zones = await startSeveralWorkspaces({ env: withPolicy({}) });
    expect((await zones.install(north)).status).toBe(403);
    expect(installed(zones)).toEqual([]);
  });

  test("Y7: when Slack does not know the app or is unreachable", async () => {
    const zones = await startSeveralWorkspaces({ env: { SLACK_CLIENT_SECRET: "f".repeat(32) } });
    expect(await zones.install(north)).toMatchObject({ status: 502 });
    expect(zones.log.find(({ event }) => event === "install_refused")).toMatchObject({ code: "bad_client_secret" });
    await zones.restart({ SLACK_API_URL: "http://127.0.0.1:9/api/" });
    expect(await comeBack(zones, { state: await newState(zones) })).toMatchObject({ status: 502 });
    expect(refusals(zones)).toEqual(["slack_refused", "slack_unavailable"]);
  });

  test("H2: when more codes arrive from an address in a minute than the zone sends to Slack", async () => {
    const zones = await startSeveralWorkspaces();
    const states = await Promise.all(Array.from({ length: 40 }, () => newState(zones)));
    const began = performance.now();
    const answers = await Promise.all(states.map((state) => comeBack(zones, { state })));
    // Every six seconds one more is allowed, and a busy machine may take that long.
    const more = Math.floor((performance.now() - began) / 6_000);
    const brought = answers.filter(({ status }) => status === 400).length;
    expect(brought).toBeGreaterThanOrEqual(10);
    expect(brought).toBeLessThanOrEqual(10 + more);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - brought);
    expect(brought).toBeLessThan(40);
  });
});

test("Y7: a workspace that is removed from the list gets no answers, even if it has installed the app", async () => {
  const zones = await startSeveralWorkspaces();
  const file = tempFile("verification.yaml", JSON.stringify({ policy: { allowed_teams: [north, south] } }));
  await zones.restart({ VERIFICATION_FILE: file });
  await zones.install(north);
  const [slack] = zones.slack.slacks;
  const policies = () => zones.log.filter(({ section }) => section === "policy").length;
  const before = policies();
  writeFileSync(file, JSON.stringify({ policy: { allowed_teams: [south] } }));
  await vi.waitUntil(() => policies() > before);
  slack?.control.postMessage({ channel: "dm", text: "1+1" });
  await slack?.control.idle();
  expect(zones.log.findLast(({ event_type }) => event_type === "message")).toMatchObject({ verdict: "foreign_team" });
});

test("a name from Slack is text on the page, whatever it contains", async () => {
  const names = { team_id: north, name: `<b onclick="x">&'`, bot_user_id: "U0NORTHBOT1", bot_id: "B0NORTH0001" };
  const zones = await startSeveralWorkspaces({ slack: { workspaces: [names] } });
  const page = await zones.install(north);
  expect(page.html).toContain("It is ready in &lt;b onclick=&quot;x&quot;&gt;&amp;&#39;.");
  expect(page.html).not.toContain("<b onclick");
});
