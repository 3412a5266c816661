// suite: both
import { randomBytes } from "node:crypto";
import { adminToken } from "@crosszone/admin-api/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { decodeJwt } from "jose";
import { expect, test, vi } from "vitest";
import { sessionOf, startSignIn, type TestBrowser } from "../../testing/start-sign-in.ts";
import { openTestZone } from "../../testing/start-zone.ts";

/** Starts a run that waits for a decision. */
async function startWaitingRun(url: string): Promise<string> {
  const step = { id: "ok", type: "human", input: "approve", prompt: "Now?", decide: { people: ["token:ci"] } };
  const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const response = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, unknown>;
  };
  await post("/workflows", { workflow_id: "wait", name: "Wait", version: "1", start_step: "ok", steps: { ok: step } });
  return String((await post("/runs", { workflow_id: "wait", input: {} }))["run_id"]);
}

const roleOf = async (browser: TestBrowser) => (await sessionOf(browser))["roles"];

onBothEngines("the end of a session", (newDatabase) => {
  test("W16: a group that loses its role takes it from sessions that are open, in every process", async () => {
    const database = await newDatabase();
    const { as, edit, zone, send, variables } = await startSignIn(database);
    const second = await openTestZone(undefined, { database, env: variables });
    const [olga, adam] = [await as("olga"), await as("adam")];
    const there = async () => {
      const headers = { cookie: olga.cookie(), host: new URL(variables.CONSOLE_URL).host };
      return (await send(`${second.url.replace("127.0.0.1", "localhost")}/api/v1/tasks`, { headers })).status;
    };
    expect([await there(), await roleOf(adam)]).toEqual([200, ["admin"]]);
    edit({ roles: { viewer: ["viewers"] }, content: [] });
    await vi.waitFor(async () => expect([await there(), await roleOf(adam)]).toEqual([401, ["viewer"]]));
    expect(await sessionOf(olga)).toMatchObject({ status: 401, detail: "The session has ended. Sign in again." });
    expect((await adam.act("/api/v1/tokens", { name: "t", scopes: ["runs:read"], expires_in: 60 })).status).toBe(403);
    const refused = (await zone.acts()).findLast(
      ({ outcome, actor }) => outcome === "rejected" && actor.id.endsWith("olga"),
    );
    expect(refused).toMatchObject({ details: { token: "without a role" } });
    edit({ issuer: "https://other.example" });
    await vi.waitFor(async () => expect((await sessionOf(adam))["status"]).toBe(401));
    await second.stop();
  });

  test("W16: a sign-out ends the session in every process, cuts its streams, and leads to the provider's", async () => {
    const database = await newDatabase();
    const keys = { DATA_KEYS: `k1:${randomBytes(32).toString("base64")}` };
    const { as, zone, variables, provider, send, url } = await startSignIn(database, {}, keys);
    const second = await openTestZone(undefined, { database, env: variables });
    const [olga, adam, run] = [await as("olga"), await as("adam"), await startWaitingRun(url)];
    const ended: string[] = [];
    const opened: string[] = [];
    const watch = async (browser: TestBrowser, name: string): Promise<void> => {
      const headers = { cookie: browser.cookie(), host: new URL(url).host };
      const { body } = await send(`${second.url}/api/v1/runs/${run}/events`, {
        headers,
        onOpen: () => opened.push(name),
      });
      ended.push(`${name}: ${/^event: \w+/m.exec(body)?.[0]}`);
    };
    const streams = [watch(olga, "olga"), watch(adam, "adam")];
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    const { redirect_to: next } = JSON.parse((await olga.act("/auth/logout")).body) as { redirect_to: string };
    expect(next).toMatch(new RegExp(`^${provider.issuer}/session/end\\?.*client_id=console`));
    const { iss, sub } = decodeJwt(new URL(next).searchParams.get("id_token_hint") ?? "");
    expect([iss, sub]).toEqual([provider.issuer, "olga"]);
    expect((await olga.ask(next)).body).toContain('name="xsrf"');
    const end = (await zone.acts()).findLast(({ action }) => action === "session.end");
    expect(end).toMatchObject({ outcome: "done", details: { because: "sign_out" } });
    expect((await sessionOf(olga)).status).toBe(401);
    await vi.waitFor(() => expect(ended).toEqual(["olga: event: run"]));
    await second.stop();
    await Promise.all(streams);
  });
});
