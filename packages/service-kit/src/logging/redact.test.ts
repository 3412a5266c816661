import { cpuMsOf } from "@crosszone/testkit/cpu";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

const secrets = [
  "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx",
  "xoxe.xoxp-1-Mi0yLTEyMzQ1Njc4OTAxMi0xMjM0",
  "xapp-1-A0123456789-1234567890123-0123456789abcdef",
  "czh_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
];

const text = (value: unknown): string => JSON.stringify(redact(value)) ?? "";

describe("redact hides members by name", () => {
  test.each([
    "token",
    "bot_token",
    "botToken",
    "accesstoken",
    "client_secret",
    "clientSecret",
    "password",
    "Authorization",
    "X-Slack-Signature",
    "Set-Cookie",
    "api_key",
    "X-Api-Key",
    "APIKEY",
    "AWS_SECRET_ACCESS_KEY",
    "private_key",
    "credentials",
    "db_pwd",
    "jwt",
    "EXECUTION_HMAC_KEY",
    "tlsKey",
  ])("%s", (name) => {
    expect(redact({ [name]: "hunter2", safe: 1 })).toEqual({ [name]: "[redacted]", safe: 1 });
    expect(redact([{ deep: { [name]: { inner: ["hunter2"] } } }])).toEqual([{ deep: { [name]: "[redacted]" } }]);
    expect(redact(new Map([[name, "hunter2"]]))).toEqual({ [name]: "[redacted]" });
  });

  test("except values that cannot be secrets", () => {
    const counts = { input_tokens: 12, maxTokens: 4096, has_token: false, password: null };
    expect(redact(counts)).toEqual(counts);
    expect(redact({ pass_token: 1234, password: 1234, tokens: ["abc"] })).toEqual({
      pass_token: "[redacted]",
      password: "[redacted]",
      tokens: "[redacted]",
    });
  });
});

describe("redact hides secrets inside text", () => {
  test.each([
    ["Bearer abc.def-ghi", "Bearer [redacted]"],
    ["bearer Bearer abc.def-ghi", "bearer Bearer [redacted]"],
    ["basic Basic bWU6c2VjcmV0", "basic Basic [redacted]"],
    ["bearer Basic bWU6c2VjcmV0", "bearer Basic [redacted]"],
    ["bearer Cookie: session=abc", "bearer Cookie: [redacted]"],
    ["bearer X-Slack-Signature: v0=abc", "bearer X-Slack-Signature: [redacted]"],
    ["authorization: bearer abc", "authorization: [redacted]"],
    ["Authorization: Basic dXNlcjpwYXNz\r\nHost: a", "Authorization: [redacted]\r\nHost: a"],
    ["Cookie: a=b; c=d", "Cookie: [redacted]"],
    ["x-api-key: abc def", "x-api-key: [redacted]"],
    ['{"bot_token":"a \\" b","text":"hi"}', '{"bot_token":"[redacted]","text":"hi"}'],
    ['{\\"client_secret\\":\\"abc\\",\\"n\\":1}', '{\\"client_secret\\":\\"[redacted]\\",\\"n\\":1}'],
    ["{ password: 'a b' }", "{ password: '[redacted]' }"],
    ["https://a.test/?token=abc&n=1", "https://a.test/?token=[redacted]&n=1"],
    ["max_tokens=4096 exceeds it, tokens=a1", "max_tokens=4096 exceeds it, tokens=[redacted]"],
    ["postgres://me:pass@db.test/x", "postgres://[redacted]@db.test/x"],
    ["eyJhbGciOiJIUzI1NiJ9 and eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "[redacted] and [redacted]"],
    ["X-Slack-Signature: v0=abc", "X-Slack-Signature: [redacted]"],
    ["invalid signature: the timestamp is too old", "invalid signature: the timestamp is too old"],
    ["the token is missing", "the token is missing"],
    ["/bot_token: must be string", "/bot_token: must be string"],
    ["handle czh_abc-DEF_1 of a task", "handle [redacted] of a task"],
    ["a file at https://a.example.com/files/czf_abc-DEF_1", "a file at https://a.example.com/files/[redacted]"],
    ["key AKIAIOSFODNN7EXAMPLE, model sk-ant-api03-abcdefghij", "key [redacted], model [redacted]"],
    ["POST https://hooks.slack.com/services/T0/B0/abc now", "POST https://hooks.slack.com/[redacted] now"],
    ["-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY----- end", "[redacted] end"],
    ["got -----BEGIN PRIVATE KEY-----\nabc", "got [redacted]"],
    ["Basic bWU6cGFzc3dvcmQ= was sent", "Basic [redacted] was sent"],
    ["Basic understanding of task-sk-1 in Asia", "Basic understanding of task-sk-1 in Asia"],
    ["next=%2F%3Ftoken%3Dabc%26n%3D1", "next=/?token=[redacted]&n=1"],
    ["%2578%256f%2578b-1-abc", "[redacted]"],
    ["100% of %7Bname%7D, %zz", "100% of %7Bname%7D, %zz"],
    ["mail a@b.test, see https://b.test/@me", "mail a@b.test, see https://b.test/@me"],
  ])("%s", (dirty, clean) => {
    expect(redact(dirty)).toBe(clean);
  });

  test("a token is hidden in any string of any structure, and in the names of members", () => {
    const place = fc.constantFrom<(leaf: string) => unknown>(
      (leaf) => leaf,
      (leaf) => [[leaf]],
      (leaf) => ({ a: { b: leaf } }),
      (leaf) => ({ [leaf]: 1 }),
      (leaf) => new Map([[leaf, new Set([leaf])]]),
      (leaf) => new Error(leaf, { cause: new TypeError("x", { cause: leaf }) }),
      (leaf) => new AggregateError([new Error(leaf)], leaf),
      (leaf) => Symbol(leaf),
      (leaf) => new URL(`https://a.test/${leaf}`),
      (leaf) => [
        ["host", "a.test"],
        ["X-Api-Key", leaf],
      ],
      (leaf) => `?q=${encodeURIComponent(leaf)}`,
    );
    fc.assert(
      fc.property(
        place,
        fc.constantFrom(...secrets),
        fc.array(fc.string(), { maxLength: 3 }),
        (put, secret, around) => {
          // Spaces, because a letter right after a token could be part of it.
          expect(text(put(around.join(` ${secret} `) + ` ${secret} `))).not.toContain(secret.slice(6));
        },
      ),
    );
  });

  test("a secret header's value in a list of headers", () => {
    expect(redact(["host", "a.test", "x-api-key", "abc", "Cookie", "a=b"])).toEqual([
      "host",
      "a.test",
      "x-api-key",
      "[redacted]",
      "Cookie",
      "[redacted]",
    ]);
    expect(redact(["/bot_token", "/channel", "token"])).toEqual(["/bot_token", "/channel", "token"]);
  });

  test("a token at the cut of a long string is not shown in part", () => {
    fc.assert(
      fc.property(fc.constantFrom(...secrets), fc.integer({ min: 3_900, max: 8_200 }), (secret, at) => {
        const shown = text(`${".".repeat(at)} ${secret} ${"z".repeat(9_000)}`);
        expect(shown).not.toContain(secret.slice(0, 10));
        expect(shown.length).toBeLessThan(4_100);
      }),
    );
  });

  test("a password in a URL at the cut is not shown in part", () => {
    expect(text(`${".".repeat(3_980)} postgres://me:${"p".repeat(100)}@db.test`)).not.toContain("me:p");
  });

  test("the time grows linearly with the length of hostile text", async () => {
    const hostile = [
      "token",
      "a://",
      "eyJ",
      "xox",
      "Bearer ",
      "token=",
      '"token":"',
      "\\",
      "key'",
      "%25",
      "%78%6f%78",
      "Basic ",
      "sk-",
      "AKIA",
      "-----BEGIN PRIVATE KEY-----",
      "hooks.slack.com/",
      "passwd ".repeat(3),
    ];
    const redactAll = (): void =>
      hostile.forEach((piece) => redact(piece.repeat(20_000), { text: 100_000, total: 200_000 }));
    expect(await cpuMsOf(redactAll)).toBeLessThan(2_000);
  });
});

describe("redact shows errors", () => {
  test("with name, message, stack, kind, code and the chain of causes", () => {
    const cause = Object.assign(new TypeError("socket closed"), { code: "ECONNRESET" });
    const error = Object.assign(new Error("agent failed", { cause }), { kind: "agent_unavailable" });
    expect(redact(error)).toEqual({
      name: "Error",
      message: "agent failed",
      stack: expect.stringContaining("redact.test.ts"),
      kind: "agent_unavailable",
      cause: {
        name: "TypeError",
        message: "socket closed",
        stack: expect.stringContaining("TypeError: socket closed"),
        code: "ECONNRESET",
      },
    });
  });

  test("with circular causes", () => {
    const error: Error = new Error("a");
    error.cause = error;
    expect(redact(error)).toMatchObject({ message: "a", cause: "[circular]" });
  });
});

describe("redact limits its output", () => {
  test("in depth, width, text and total, each with a note", () => {
    expect(redact({ a: { b: { c: 1 } } }, { depth: 2 })).toEqual({ a: { b: "[object]" } });
    expect(redact([1, 2, 3], { width: 2 })).toEqual([1, 2, "[1 more left out]"]);
    expect(redact({ a: 1, b: 2, c: 3 }, { width: 1 })).toEqual({ a: 1, "…": "[2 more left out]" });
    expect(redact("x".repeat(9), { text: 4 })).toBe("xxxx… [cut, 9 characters in all]");
    expect(redact("ab😀c", { text: 3 })).toBe("ab… [cut, 5 characters in all]");
    expect(text({ ["n".repeat(9_000)]: 1 }).length).toBeLessThan(300);
    expect(text(Array.from({ length: 90 }, () => "x".repeat(4_000))).length).toBeLessThan(40_000);
  });

  test("for an object that is referenced many times, without exponential work", () => {
    let value: unknown = "leaf";
    for (let level = 0; level < 7; level += 1) value = Array.from({ length: 50 }, () => value);
    expect(text(value).length).toBeLessThan(200_000);
  });

  test("unusual values have a short form", () => {
    const loop: Record<string, unknown> = { n: 10n, nan: Number.NaN, when: new Date(0), bytes: new Uint8Array(3) };
    loop["self"] = loop;
    loop["run"] = () => 1;
    loop["never"] = new Date(Number.NaN);
    expect(redact(loop)).toEqual({
      n: "10",
      nan: "NaN",
      when: "1970-01-01T00:00:00.000Z",
      bytes: "[3 bytes]",
      self: "[circular]",
      run: "[function]",
      never: "[invalid date]",
    });
  });
});

test("a long encoded text shows no secret that its cut broke in two", () => {
  const core = "pa55-w0rd-of-the-database";
  const items = Array.from({ length: 300 }, () => `a postgres://crosszone:${core}@db.example.com/x`);
  for (let shift = 0; shift < 120; shift += 1) {
    const long = "b".repeat(shift) + encodeURIComponent(JSON.stringify(items));
    const shown = text({ url: long });
    expect(shown).toContain("[redacted]");
    expect([shift, shown.includes(core.slice(0, 8))]).toEqual([shift, false]);
  }
});
