// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { type JWTPayload, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { type StartedSignIn, startSignIn } from "../../testing/start-sign-in.ts";

const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
const seconds = (): number => Math.floor(Date.now() / 1_000);
let tokens = 0;

const claimsOf = ({ provider }: StartedSignIn, change: JWTPayload = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: "console",
  sub: "olga",
  iat: seconds(),
  exp: seconds() + 60,
  jti: `jti-${(tokens += 1)}`,
  events,
  ...change,
});

const post = (zone: StartedSignIn, body: string, type = "application/x-www-form-urlencoded") =>
  zone.send(`${zone.url}/auth/backchannel-logout`, { method: "POST", headers: { "content-type": type }, body });

const sending = async (zone: StartedSignIn, token: string) =>
  post(zone, new URLSearchParams({ logout_token: token }).toString());

type Attack = (zone: StartedSignIn) => Promise<{ readonly status: number }>;

const withClaims =
  (change: JWTPayload, header: { typ?: string } = {}): Attack =>
  async (zone) =>
    sending(zone, await zone.provider.sign(claimsOf(zone, change), header));

const attacks: Readonly<Record<string, Attack>> = {
  "of another issuer": withClaims({ iss: "https://evil.example" }),
  "for another audience": withClaims({ aud: "other" }),
  "without a signature": (zone) => sending(zone, new UnsecuredJWT(claimsOf(zone)).encode()),
  "of a foreign key": async (zone) => sending(zone, await zone.provider.sign(claimsOf(zone), {}, true)),
  "with a nonce": withClaims({ nonce: "n" }),
  "without events": withClaims({ events: undefined }),
  "with another event": withClaims({ events: { "https://example.com/event": {} } }),
  "with a text as its event": withClaims({ events: { [Object.keys(events)[0] ?? ""]: "yes" } }),
  "without a jti": withClaims({ jti: undefined }),
  "without an iat": withClaims({ iat: undefined }),
  "that is old": withClaims({ iat: seconds() - 3_600 }),
  "from the future": withClaims({ iat: seconds() + 3_600, exp: seconds() + 7_200 }),
  "that has expired": withClaims({ exp: seconds() - 60 }),
  "that names no one": withClaims({ sub: undefined }),
  "of another type": withClaims({}, { typ: "at+jwt" }),
  "that is an ID token": async (zone) => {
    let idToken = "";
    zone.provider.tamper = (token) => (idToken = token);
    await zone.as("olga");
    zone.provider.tamper = undefined;
    return sending(zone, idToken);
  },
  "sent twice in one form": async (zone) => {
    const token = await zone.provider.sign(claimsOf(zone));
    return post(zone, `logout_token=${token}&logout_token=${token}`);
  },
  "that is no token": (zone) => sending(zone, "x.y.z"),
  "that is missing": (zone) => post(zone, "other=1"),
};

onBothEngines("logout tokens", (newDatabase) => {
  test("W16: a wrong logout token ends nothing, with an event; a right one ends the person's sessions once", async () => {
    const zone = await startSignIn(await newDatabase());
    const [olga, adam] = [await zone.as("olga"), await zone.as("adam")];
    const status = async (browser: typeof olga) => (await browser.ask("/api/v1/session")).status;
    const got: Record<string, unknown> = {};
    for (const [name, attack] of Object.entries(attacks)) {
      const before = (await zone.rejections()).length;
      const answer = await attack(zone);
      const event = (await zone.rejections())[before];
      if (answer.status !== 400 || event?.action !== "session.end") got[name] = [answer.status, event?.action];
    }
    expect([got, await status(olga), await status(adam)]).toEqual([{}, 200, 200]);

    const token = await zone.provider.sign(claimsOf(zone), { typ: "logout+jwt" });
    const right = await sending(zone, token);
    expect([right.status, right.body, right.headers["cache-control"]]).toEqual([200, "", "no-store"]);
    expect([await status(olga), await status(adam)]).toEqual([401, 200]);
    expect(
      (await zone.zone.acts()).findLast(({ action, outcome }) => action === "session.end" && outcome === "done"),
    ).toMatchObject({
      actor: { type: "subject", id: zone.provider.issuer },
      details: { because: "back_channel", person: `person:${zone.provider.issuer} olga` },
    });
    const again = await zone.as("olga");
    expect([(await sending(zone, token)).status, await status(again)]).toEqual([400, 200]);
  });

  test("the provider ends the session of a person who signs out there, and no other session of the person", async () => {
    const zone = await startSignIn(await newDatabase());
    const [olga, elsewhere] = [await zone.as("olga"), await zone.as("olga")];
    const form = await olga.ask(`${zone.provider.issuer}/session/end?client_id=console`);
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(form.body) ?? [];
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await olga.ask(`${zone.provider.issuer}/session/end/confirm`, {
      method: "POST",
      headers,
      body: `xsrf=${xsrf}&logout=yes`,
    });
    const kept = { headers: { cookie: elsewhere.cookie() } };
    const statuses = [await olga.ask("/api/v1/session"), await zone.send(`${zone.url}/api/v1/session`, kept)];
    expect(statuses.map(({ status }) => status)).toEqual([401, 200]);
  });
});
