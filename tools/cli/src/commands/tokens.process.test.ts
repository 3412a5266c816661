// suite: rest
import type { ApiToken } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { answerWith, runCli, startFakeZone } from "../testing/fake-zone.ts";

const api_token: ApiToken = {
  name: "ci",
  scopes: ["ask", "runs:read"],
  created_by: "bootstrap",
  created_at: "2026-11-25T08:00:00.000Z",
  expires_at: "2026-12-25T08:00:00.000Z",
};
const create = ["tokens", "create", "--name", "ci", "--scope", "ask,runs:read", "--expires", "30d"];

test("a created token is alone on the standard output; what it can do is on the standard error", async () => {
  const zone = await startFakeZone({
    "POST /tokens": (response) => answerWith(response, 201, { token: "xz_1", api_token }),
  });
  const { code, out, err } = await runCli(zone.url, create).done;
  expect([code, out]).toEqual([0, "xz_1\n"]);
  expect(err).toMatch(/^ci: ask, runs:read, until 2026-12-25\S+ Store the token now; it is not shown again\.\n$/);
  const body = { name: "ci", scopes: ["ask", "runs:read"], expires_in: 2_592_000 };
  expect(zone.requests).toMatchObject([{ line: "POST /tokens", body }]);
  const twice = [...create.slice(0, 4), "--scope", "ask", "--scope", "runs:read", "--expires", "12h", "--json"];
  expect(JSON.parse((await runCli(zone.url, twice).done).out)).toEqual({ token: "xz_1", api_token });
  expect(zone.requests.at(-1)?.body).toEqual({ ...body, expires_in: 43_200 });
});

test("a wrong scope, lifetime or missing name is a usage error, and nothing is sent", async () => {
  const zone = await startFakeZone({});
  const wrong = [
    [...create.slice(0, 5), "runs:raed", "--expires", "1d"],
    [...create.slice(0, 7), "1w"],
    ["tokens", "create"],
  ];
  const ends = await Promise.all(wrong.map((line) => runCli(zone.url, line).done));
  expect(ends.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(ends.map(({ err }) => err).join("")).toMatch(/did you mean runs:read[^]*such as 30d or 12h[^]*are required/i);
  expect(zone.requests).toEqual([]);
});

test("tokens are listed with their holders, and revoked by name", async () => {
  const zone = await startFakeZone({
    "GET /tokens": { tokens: [api_token] },
    "DELETE /tokens/ci": (response) => void response.writeHead(204).end(),
  });
  expect((await runCli(zone.url, ["tokens"]).done).out).toMatch(
    /^ci +ask,runs:read +bootstrap +2026-12-25\S+ +never$/m,
  );
  expect(await runCli(zone.url, ["tokens", "revoke", "ci"]).done).toMatchObject({ code: 0, out: "Revoked: ci.\n" });
});

test("O3: the uses of a token are shown by day and place, also of other credentials", async () => {
  const use = {
    actor: "token:ci",
    day: "2026-11-26",
    address: "203.0.113.7",
    client: "curl\u001b[2J",
    uses: 41,
    first_at: "2026-11-26T08:00:00.000Z",
    last_at: "2026-11-26T09:00:00.000Z",
  };
  const subject = "subject:https://login.example.com robot";
  const zone = await startFakeZone({
    "GET /token-uses?actor=token%3Aci&limit=20": { uses: [use] },
    [`GET /token-uses?actor=${encodeURIComponent(subject).replace("%20", "+")}&limit=20`]: { uses: [] },
  });
  const { out, code } = await runCli(zone.url, ["tokens", "show", "ci"]).done;
  expect([code, out.split("\n")[1]]).toEqual([
    0,
    expect.stringMatching(/^2026-11-26 +203\.0\.113\.7 +41 .*curl\\u001b/),
  ]);
  expect((await runCli(zone.url, ["tokens", "show", subject]).done).out).toBe("No uses.\n");
});
