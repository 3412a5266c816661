// suite: both
import { hash } from "node:crypto";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { type StartedSignIn, startSignIn, type Sub, type TestBrowser } from "../../testing/start-sign-in.ts";

type Answer = Awaited<ReturnType<TestBrowser["ask"]>>;
type Attack = (zone: StartedSignIn) => Promise<Answer>;

/** Signs in with an ID token whose claims are changed and signed again. */
const withClaims =
  (change: JWTPayload): Attack =>
  (zone) =>
    withToken(({ provider }, claims) => provider.sign({ ...claims, ...change }))(zone);

const withToken =
  (make: (zone: StartedSignIn, claims: JWTPayload) => string | Promise<string>): Attack =>
  async (zone) => {
    zone.provider.tamper = (token) => make(zone, decodeJwt(token));
    const browser = zone.browser();
    const answer = await browser.ask(await browser.begin());
    zone.provider.tamper = undefined;
    return answer;
  };

/** Changes the response of the provider on its way. */
const withResponse =
  (change: (parameters: URLSearchParams) => void): Attack =>
  async ({ browser }) => {
    const own = browser();
    const callback = new URL(await own.begin());
    change(callback.searchParams);
    return own.ask(callback.href);
  };

const asPerson =
  (sub: Sub): Attack =>
  async ({ provider, browser }) => {
    const own = browser();
    provider.sub = sub;
    return own.ask(await own.begin());
  };

const returningTo =
  (path: string): Attack =>
  ({ browser }) =>
    browser().ask(`/auth/login?return_to=${encodeURIComponent(path)}`);

/** Signs in with a cookie that the attacker made, as the zone makes them, with this end. */
const withOwnCookie =
  (end: () => number, change = (cookie: string) => cookie): Attack =>
  async ({ browser, url, provider }) => {
    const own = browser();
    const cookie = ["x".repeat(43), end(), Buffer.from("/console").toString("base64url")].join(".");
    const derive = (what: string): string => hash("sha256", `${what} ${cookie}`, "base64url");
    const parameters = {
      client_id: "console",
      response_type: "code",
      scope: "openid",
      redirect_uri: `${url}/auth/callback`,
      state: derive("state"),
      nonce: derive("nonce"),
      code_challenge: hash("sha256", derive("verifier"), "base64url"),
      code_challenge_method: "S256",
    };
    const callback = await own.through(`${provider.issuer}/auth?${new URLSearchParams(parameters).toString()}`);
    own.jar.set(`__Host-crosszone-${derive("state").slice(0, 16)}`, change(cookie));
    return own.ask(callback);
  };

/** Signs in with two browsers, the second with the code of the first, which may be used already. */
const withCodeOf =
  (isUsed: boolean): Attack =>
  async ({ browser }) => {
    const [one, other] = [browser(), browser()];
    const [stolen, callback] = [new URL(await one.begin()), new URL(await other.begin())];
    if (isUsed) await one.ask(stolen.href);
    callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    return other.ask(callback.href);
  };

const twice: Attack = async ({ browser }) => {
  const own = browser();
  const callback = await own.begin();
  const kept = [...own.jar];
  await own.ask(callback);
  for (const [name, value] of kept) own.jar.set(name, value);
  return own.ask(callback);
};

const withError = (error: string): Attack =>
  withResponse((to) => {
    to.delete("code");
    to.set("error", error);
  });

const changed: Attack = withToken(async ({ provider }, claims) => {
  const [header, , signature] = (await provider.sign(claims)).split(".");
  const body = Buffer.from(JSON.stringify({ ...claims, groups: ["admins"] })).toString("base64url");
  return [header, body, signature].join(".");
});

const signedWithSecret: Attack = withToken(({ provider }, claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(provider.clientSecret)),
);

const soon = (): number => Date.now() + 60_000;
const atEvil = (cookie: string): string =>
  cookie.replace(/[^.]+$/, Buffer.from("//evil.example").toString("base64url"));
const seconds = Math.floor(Date.now() / 1_000);

/** Attacks on the way to a session, by the status and the reason in the audit log. */
const attacks: Readonly<Record<string, Readonly<Record<string, Attack>>>> = {
  '403 .*"iss"': {
    "the response of another issuer (mix-up)": withResponse((to) => to.set("iss", "https://evil.example")),
    "a response without an issuer": withResponse((to) => to.delete("iss")),
    "an ID token of another issuer": withClaims({ iss: "https://evil.example" }),
  },
  "400 the state was used": { "a response that was sent before": twice },
  "403 invalid_grant": { "a code that was used": withCodeOf(true), "the code of another browser": withCodeOf(false) },
  "400 this browser started no such sign-in": {
    "the whole response in another browser (login CSRF)": async ({ browser }) => browser().ask(await browser().begin()),
    "another state": withResponse((to) => to.set("state", "A".repeat(43))),
    "a state that begins like its own": withResponse((to) => to.set("state", `${to.get("state")?.slice(0, 40)}AAA`)),
    "no state": withResponse((to) => to.delete("state")),
    "a sign-in that began too long ago": withOwnCookie(() => Date.now() - 1_000),
    "a sign-in that would last for days": withOwnCookie(() => Date.now() + 86_400_000),
    "a changed page to return to": withOwnCookie(soon, atEvil),
  },
  '403 .*"state"': { "two states": withResponse((to) => to.append("state", "x")) },
  "403 access_denied": { "an error in place of a code": withError("access_denied") },
  "403 the provider reports an error": { "markup as the error": withError("<script>alert(1)</script>") },
  "403 .*nonce": {
    "no nonce": withToken(({ provider }, { nonce: _nonce, ...claims }) => provider.sign(claims)),
    "another nonce": withClaims({ nonce: "other" }),
  },
  "403 .*(aud|azp)": {
    "an ID token for another audience": withClaims({ aud: "other" }),
    "an ID token for a second audience too": withClaims({ aud: ["console", "other"] }),
  },
  "403 .*exp": { "an ID token that has expired": withClaims({ exp: seconds - 60 }) },
  "403 .*nbf": { "an ID token from the future": withClaims({ nbf: seconds + 600 }) },
  "403 .*alg": {
    "an ID token without a signature": withToken((_zone, claims) => new UnsecuredJWT(claims).encode()),
    "an ID token signed with the client secret": signedWithSecret,
  },
  "403 signature_wrong": {
    "an ID token of a foreign key with the same name": withToken(({ provider }, it) => provider.sign(it, {}, true)),
    "a changed ID token": changed,
  },
  '403 .*"sub"': { "another person at UserInfo": withClaims({ sub: "adam" }) },
  "403 no_groups": {
    "no groups claim": asPerson("gill"),
    "groups that are no list": withClaims({ groups: { admins: true, 0: "admins", length: 1 } }),
  },
  "403 overage": { "groups that the provider left out": asPerson("otto") },
  "403 no_role": { "groups without a role": asPerson("noah") },
  "400 return_to is no page of the console": Object.fromEntries(
    [
      "//evil.example/console",
      "/\\evil.example",
      "https://evil.example/console",
      "https:evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "/console/..//evil.example",
      "/console/../api/v1/tokens",
      "/consoles",
      "/console@evil.example",
      "\\\\evil.example/console",
      "console",
      "",
    ].map((path) => [JSON.stringify(path), returningTo(path)]),
  ),
  "403 the request is for another host": {
    "another host": ({ browser }) => browser().ask("/auth/login", { headers: { host: "evil.example" } }),
    "another port": ({ browser }) => browser().ask("/auth/login", { headers: { host: "localhost:1" } }),
  },
};

onBothEngines("sign-in", (newDatabase) => {
  test("W16: each attack on the way to a session is rejected, with an event", async () => {
    const zone = await startSignIn(await newDatabase());
    const got: Record<string, unknown> = {};
    for (const [expected, some] of Object.entries(attacks))
      for (const [name, attack] of Object.entries(some)) {
        const before = (await zone.rejections()).length;
        zone.provider.sub = "olga";
        const { status, body, cookies, location } = await attack(zone);
        const events = (await zone.rejections()).slice(before);
        const is = `${status} ${events.map(({ details }) => details?.["because"]).join(" and ")}`;
        const isIn =
          cookies.some((line) => /^__Host-crosszone=[^;]/.test(line)) || /<script|evil/.test(body + location);
        if (isIn || !new RegExp(`^${expected}`).test(is)) got[name] = is;
      }
    expect(got).toEqual({});
    const named = (await zone.rejections()).filter(({ details }) => String(details?.["because"]).startsWith("no_"));
    expect(named[0]).toMatchObject({
      action: "session.start",
      actor: { type: "person", id: `${zone.provider.issuer} gill` },
    });
    expect((await zone.rejections())[0]).toMatchObject({ actor: { type: "token", id: "?" } });
    // The same way works when nothing is wrong, so the attacks fail for their own reasons.
    expect(await withOwnCookie(soon)(zone)).toMatchObject({ status: 302, location: "/console" });
  });
});

test("X31: an ID token for another party, from the future or of long ago started a session", async () => {
  const zone = await startSignIn();
  const now = Math.floor(Date.now() / 1_000);
  const because = async (change: JWTPayload): Promise<string> => {
    const before = (await zone.rejections()).length;
    zone.provider.sub = "olga";
    const { status } = await withClaims(change)(zone);
    const [rejection] = (await zone.rejections()).slice(before);
    return `${status} ${String(rejection?.details?.["because"] ?? "")}`;
  };
  expect(await because({ azp: "other" })).toBe("403 token_wrong_party");
  expect(await because({ azp: "" })).toBe("403 token_wrong_party");
  expect(await because({ aud: ["console"], azp: "other" })).toBe("403 token_wrong_party");
  expect(await because({ aud: ["console", "other"], azp: "other" })).toMatch(/^403 .*azp/);
  expect(await because({ aud: ["console", "other"] })).toMatch(/^403 .*aud/);
  expect(await because({ iat: now + 600, exp: now + 1_200 })).toBe("403 token_not_yet_valid");
  expect(await because({ iat: now + 100, exp: now + 1_200 })).toBe("403 token_not_yet_valid");
  expect(await because({ iat: now - 3_600 })).toBe("403 token_expired");
  // What providers send: our own party, a clock that is a little ahead, and Microsoft Entra's five minutes.
  for (const change of [{ azp: "console" }, { iat: now + 10 }, { iat: now - 300 }, { aud: ["console"] }])
    expect([change, await because(change)]).toEqual([change, "302 "]);
  expect(await because({ aud: ["console", "other"], azp: "console" })).toBe("302 ");
});

test("W16: a session's cookie is always new, and the one before ends", async () => {
  const { browser, as, url, send } = await startSignIn();
  const planted = browser();
  planted.jar.set("__Host-crosszone", "planted-by-an-attacker-0000000000000000000");
  await as("olga", planted);
  const first = planted.jar.get("__Host-crosszone") ?? "";
  expect(first).toMatch(/^[\w-]{43}$/);
  const session = async (cookie: string) =>
    (await send(`${url}/api/v1/session`, { headers: { cookie: `__Host-crosszone=${cookie}` } })).status;
  expect([await session("planted-by-an-attacker-0000000000000000000"), await session(first)]).toEqual([401, 200]);
  await as("olga", planted);
  expect([await session(first), await session(planted.jar.get("__Host-crosszone") ?? "")]).toEqual([401, 200]);
});
