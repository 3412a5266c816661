import {
  array,
  assert,
  constant,
  constantFrom,
  dictionary,
  double,
  letrec,
  oneof,
  property,
  string,
  tuple,
} from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "./traffic-log.ts";

const redact = createRedactor(["0123456789abcdef"]);

test("tokens, known secrets and members named like a secret are taken out, wherever they are", () => {
  expect(
    redact({
      token: "anything",
      params: { bot_token: "h-1", text: "use xoxb-1-2-abc, xoxe.xoxp-1-abc or xapp-1-A0-2-abc", max: 3 },
      headers: { Authorization: "Bearer abc", "x-slack-signature": "v0=ab" },
      list: ["the secret is 0123456789abcdef!", null, true],
      clientSecret: { nested: "abc" },
      url: "ws://127.0.0.1:1/link/?ticket=abc-def&app_id=A0",
      authorizations: [{ team_id: "T0" }],
    }),
  ).toEqual({
    token: "[redacted]",
    params: { bot_token: "[redacted]", text: "use [redacted], [redacted] or [redacted]", max: 3 },
    headers: { Authorization: "[redacted]", "x-slack-signature": "v0=ab" },
    list: ["the secret is [redacted]!", null, true],
    clientSecret: "[redacted]",
    url: "ws://127.0.0.1:1/link/?ticket=[redacted]&app_id=A0",
    authorizations: [{ team_id: "T0" }],
  });
});

test("a very long text is cut, after its secrets are out", () => {
  const cut = redact(`${"x".repeat(19_995)}xoxb-1-2-abc${"x".repeat(100)}`);
  expect(cut).toMatch(/… \(\d+ characters\)$/);
  expect(cut).not.toContain("xoxb");
});

test("no JSON value keeps a known secret or a token, and none crashes the redactor", () => {
  const secret = constantFrom("0123456789abcdef", "xoxb-12-34-abcDEF", "xapp-1-A0X-2-abc");
  const value = letrec((tie) => ({
    leaf: oneof(
      string(),
      double(),
      constant(null),
      tuple(string(), secret, string()).map((all) => all.join(" ")),
    ),
    node: oneof(
      { depthSize: "small" },
      tie("leaf"),
      array(tie("node")),
      dictionary(oneof(string(), secret), tie("node")),
    ),
  })).node;
  assert(
    property(value, (any) => {
      expect(JSON.stringify(redact(any)) ?? "").not.toMatch(/0123456789abcdef|xoxb-12|xapp-1-A0X/);
    }),
  );
});
