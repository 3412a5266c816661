import { adminToken } from "@crosszone/admin-api/testing";
import { expect, test } from "vitest";
import { type Sent, startSignIn } from "../../testing/start-sign-in.ts";

/** The doors that browsers and tokens share, and more requests than anybody may send there in a minute. */
const doors = [
  { path: "/api/v1/session", most: 1_500, takesTokens: true },
  { path: "/auth/login", most: 100, takesTokens: false },
  { path: "/auth/callback?state=x&code=y", most: 100, takesTokens: false },
];

test.each(doors)("X30: at $path, a stranger, a token and a person each take from what is their own", async (door) => {
  const { url, send, as } = await startSignIn();
  const [olga, adam] = [await as("olga"), await as("adam")];
  const at = async (localAddress: string, headers: Sent["headers"] = {}): Promise<number> =>
    (await send(url + door.path, { localAddress, headers })).status;
  const [here, elsewhere] = ["127.0.2.1", "127.0.2.2"];
  // Where people sign in, a token is a stranger.
  const tokenSends = (): Promise<number> =>
    at(door.takesTokens ? here : elsewhere, { authorization: `Bearer ${adminToken}` });
  const own = { olga: { cookie: olga.cookie() }, adam: { cookie: adam.cookie() } };
  /** Sends until one has to wait. On a slow machine, a sender may send more in the meantime. */
  const flood = async (sending: () => Promise<number>): Promise<boolean> => {
    for (let sent = 0; sent < 4 * door.most; sent += 50)
      if ((await Promise.all(Array.from({ length: 50 }, sending))).includes(429)) return true;
    return false;
  };
  for (const headers of Object.values(own)) expect(await at(here, headers)).not.toBe(429);
  expect(await tokenSends()).not.toBe(429);

  expect(await flood(() => at(here))).toBe(true);
  expect(await at(elsewhere)).not.toBe(429);
  expect(await at(here, own.olga)).not.toBe(429);
  expect(await tokenSends()).not.toBe(429);

  // Many tabs of one person.
  expect(await flood(() => at(here, own.olga))).toBe(true);
  expect(await at(here, own.adam)).not.toBe(429);
  expect(await tokenSends()).not.toBe(429);
});

test("X30: a browser that begins many sign-ins keeps the newest three, whose cookies fit into a request", async () => {
  const { browser, provider } = await startSignIn();
  provider.sub = "olga";
  const own = browser();
  const begun: string[] = [];
  for (let tab = 0; tab < 12; tab += 1) begun.push(await own.begin());
  expect([...own.jar.keys()].filter((name) => name.startsWith("__Host-crosszone-"))).toHaveLength(3);
  const statuses: number[] = [];
  for (const callback of [begun.at(-1), begun.at(-3), begun[0]]) statuses.push((await own.ask(callback ?? "")).status);
  expect(statuses).toEqual([302, 302, 400]);
});
