import { createSecretKey, randomBytes } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { systemClock } from "@crosszone/service-kit/timing";
import { expect, test, vi } from "vitest";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { openTestAudit, openTestDatabase } from "../testing/test-inbox.ts";
import { type Grant, createInstallationStore } from "./installation-store.ts";
import { createInstallationToken, type InstallationTokenOptions, tokenTimes } from "./installation-token.ts";

const installation = { id: "T1", install: "install-1" };
const hour = 3_600_000;

/** A fake Slack that accepts each refresh token once and records its calls. */
function rotatingSlack(clock: { at: number }) {
  const spent: string[] = [];
  let count = 1;
  const first: Grant = { token: "t1", refresh_token: "r1", ...tokenTimes(clock.at, 12 * hour) };
  let valid = "r1";
  const refresh = async (refreshToken: string): Promise<Grant> => {
    spent.push(refreshToken);
    await Promise.resolve();
    if (refreshToken !== valid)
      throw new SlackCallError("oauth.v2.access", { failure: "refused", code: "invalid_refresh_token" });
    count += 1;
    valid = `r${count}`;
    return { token: `t${count}`, refresh_token: valid, ...tokenTimes(clock.at, 12 * hour) };
  };
  return { spent, first, refresh };
}

async function start(options: Partial<InstallationTokenOptions> = {}) {
  const clock = { at: Date.now() };
  const vault = createVault([{ id: "k1", key: createSecretKey(randomBytes(32)) }]);
  const database = await openTestDatabase();
  const { append } = await openTestAudit(database);
  /** Makes a store, as each process has one. */
  const newStore = () => createInstallationStore(database, vault, append);
  const installations = newStore();
  const slack = rotatingSlack(clock);
  const record = { bot_user_id: "U1", bot_id: "B1", scopes: [], installed_by: "U2", installed_at: 1 };
  await installations.put({ ...installation, ...record }, slack.first);
  const failures: unknown[] = [];
  const make = (more: Partial<InstallationTokenOptions> = {}) =>
    createInstallationToken({
      installations,
      installation,
      refresh: slack.refresh,
      clock: { ...systemClock, now: () => clock.at },
      onRenewed: () => undefined,
      onNotRenewed: (error) => failures.push(error),
      ...options,
      ...more,
    });
  return { clock, installations, newStore, slack, failures, make };
}

test("Y6: a token is used until two hours before it expires, then renewed once, even under concurrent requests", async () => {
  const { clock, slack, make, installations } = await start();
  const token = make();
  clock.at += 10 * hour - 1;
  expect(await token.current()).toBe("t1");
  clock.at += 1;
  expect(await Promise.all(Array.from({ length: 20 }, async () => token.current()))).toEqual(Array(20).fill("t2"));
  expect(slack.spent).toEqual(["r1"]);
  expect(await installations.grantOf(installation)).toMatchObject({ token: "t2", refresh_token: "r2" });
});

test("Y6: of two processes one spends the refresh token; the other uses the previous token, then the new one", async () => {
  const { clock, slack, make } = await start();
  const [one, two] = [make(), make()];
  clock.at += 11 * hour;
  const both = (): Promise<string[]> => Promise.all([one, two].map(async (token) => token.current()));
  expect((await both()).toSorted().at(-1)).toBe("t2");
  expect(await both()).toEqual(["t2", "t2"]);
  expect(slack.spent).toEqual(["r1"]);
});

test("Y6: a process that gets the lease after a renewal spends nothing", async () => {
  const { clock, slack, make, installations, newStore } = await start();
  const other = make();
  const store = newStore();
  vi.spyOn(store, "leaseRefresh").mockImplementation(async (...given) => {
    await other.current();
    return installations.leaseRefresh(...given);
  });
  const late = make({ installations: store });
  clock.at += 11 * hour;
  expect(await late.current()).toBe("t2");
  expect(slack.spent).toEqual(["r1"]);
  // The lease was released, so the next renewal finds none.
  expect(await installations.leaseRefresh(installation, 1)).toBeDefined();
});

test("Y6: after the previous token expired, other processes wait for the renewal", async () => {
  const gate = Promise.withResolvers<void>();
  const { clock, slack, make } = await start();
  const one = make({ refresh: async (text) => gate.promise.then(() => slack.refresh(text)) });
  const two = make();
  clock.at += 13 * hour;
  const asked = [one, two].map(async (token) => token.current());
  gate.resolve();
  expect(await Promise.all(asked)).toEqual(["t2", "t2"]);
  expect(slack.spent).toEqual(["r1"]);
});

test("Y6: a renewed token is stored before it is used, however often storing fails", async () => {
  const steps: string[] = [];
  const { clock, make, installations, newStore } = await start();
  let failing = 2;
  const store = newStore();
  vi.spyOn(store, "refreshed").mockImplementation(async (...given) => {
    failing -= 1;
    if (failing >= 0) throw new Error("the database is away");
    steps.push("stored");
    return installations.refreshed(...given);
  });
  clock.at += 11 * hour;
  const token = make({ installations: store }).current();
  steps.push(`used ${await token}`);
  expect(steps).toEqual(["stored", "used t2"]);
});

test("Y6, Z8: a token renewed during a database outage is not lost, whichever process has the lease afterwards", async () => {
  const { clock, slack, make, installations, newStore, failures } = await start();
  const away = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  let failing = 2;
  const store = newStore();
  vi.spyOn(store, "leaseRefresh").mockImplementation((which) => installations.leaseRefresh(which, -1));
  vi.spyOn(store, "refreshed").mockImplementation(async (...given) => {
    if (failing === 0) return installations.refreshed(...given);
    failing -= 1;
    clock.at += 600_000;
    away.resolve();
    await back.promise;
    throw new Error("the database is away");
  });
  const one = make({ installations: store });
  const briefly = newStore();
  vi.spyOn(briefly, "leaseRefresh").mockImplementation((which) => installations.leaseRefresh(which, 300));
  const two = make({ installations: briefly });
  clock.at += 11 * hour;
  const renewed = one.current();
  await away.promise;
  expect(await two.current()).toBe("t1");
  expect(failures).toMatchObject([{ code: "invalid_refresh_token" }]);
  back.resolve();
  expect(await renewed).toBe("t2");
  expect(slack.spent).toEqual(["r1", "r1"]);
  expect(await two.current()).toBe("t2");
});

test("Y6: while Slack can't renew it, the previous token is used until it expires; then the call fails", async () => {
  const away = new SlackCallError("oauth.v2.access", { failure: "unavailable", code: "timeout" });
  const { clock, make, failures } = await start();
  const token = make({ refresh: async () => Promise.reject(away) });
  clock.at += 11 * hour;
  expect(await token.current()).toBe("t1");
  expect(failures).toEqual([away]);
  // The lease ends by the database's clock only; the test does not wait for another store.
  expect(await token.current()).toBe("t1");
  expect(failures).toHaveLength(1);
});

test("Y3: an ended installation has no token, and a new installation has another one", async () => {
  const { make, installations } = await start();
  const token = make();
  expect(await token.current()).toBe("t1");
  await installations.remove("T1", 1);
  expect(await Promise.resolve(token.renew("t1")).catch((error: unknown) => error)).toMatchObject({
    failure: "refused",
    code: "not_installed",
  });
  await expect(token.current()).rejects.toMatchObject({ code: "not_installed" });
});
