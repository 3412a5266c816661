import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { createHealth, createMetrics, createOperationalRoutes } from "@crosszone/service-kit";
import type { Inspection } from "@crosszone/sql";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { describeUnreached } from "./peers.ts";
import {
  failed,
  failedBy,
  passed,
  type DoctorRow,
  type RowResult,
  runDoctor,
  runRows,
  skipped,
  warned,
} from "./run-doctor.ts";
import { databaseRows, judgeDataKeys, judgeSpace, zoneRows } from "./zone-rows.ts";

const healthy: Inspection = {
  version: "PostgreSQL 18.1",
  tooOld: false,
  tls: true,
  done: 4,
  pending: [],
  added: [],
  unknown: [],
  changed: [],
  missing: [],
};

async function look(
  inspect: () => Promise<Inspection | undefined>,
  url = "postgres://me:secret@db.example.com:5433/x",
): Promise<Record<string, RowResult>> {
  const results = await runRows(
    databaseRows(() => url, inspect),
    { timeoutMs: 1_000 },
  );
  expect(JSON.stringify(results)).not.toContain("secret@");
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

const random = (): string => randomBytes(32).toString("base64");

const [one, two] = [random(), random()];

const row = (name: string, probe: DoctorRow["probe"], more: Partial<DoctorRow> = {}): DoctorRow => ({
  name,
  probe,
  ...more,
});

async function doctor(
  rows: DoctorRow[],
  { args = [], isTTY = false, env = {} }: { args?: string[]; isTTY?: boolean; env?: Record<string, string> } = {},
): Promise<{ code: number | undefined; out: string; err: string }> {
  const said = { out: "", err: "" };
  const on = {
    stdout: { write: (text: string) => (said.out += text), isTTY },
    stderr: { write: (text: string) => (said.err += text) },
    env,
    exitCode: undefined as number | undefined,
  };
  const tables = () => [{ title: "Zone", rows }];
  await runDoctor({ args, help: "Usage: doctor\n", tables, timeoutMs: 50, on });
  return { code: on.exitCode, ...said };
}

describe("zone rows", () => {
  test("a healthy database is one line, without user and password", async () => {
    expect(await look(async () => healthy)).toMatchObject({
      "database reachable": { status: "passed", says: "PostgreSQL 18.1 at db.example.com:5433/x, over TLS" },
      "database tables": { status: "passed", says: "up to date, 4 steps" },
      "database disk": { status: "skipped" },
    });
  });

  test("an unreachable database fails, and rows that depend on it are skipped", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED for user me"), { code: "ECONNREFUSED" });
    expect(await look(async () => Promise.reject(refused))).toMatchObject({
      "database reachable": { status: "failed", says: expect.stringContaining("(ECONNREFUSED)") },
      "database tables": { status: "skipped" },
    });
    const wrong = await look(async () => Promise.reject(Object.assign(new Error("no"), { code: "28P01" })));
    expect(wrong["database reachable"]?.says).toContain("the database refuses the zone's password (28P01)");
    expect(wrong["database reachable"]?.todo).toEqual(["Check the user and the password in its URL."]);
  });

  test.each([
    ["a server that is too old", { tooOld: true }, { "database reachable": "failed: .* too old" }],
    ["a clock that differs", { clockAheadMs: -90_000 }, { "database reachable": "warned: .* 90 s apart" }],
    ["additions of a newer version", { added: ["0005_add_x"] }, { "database tables": "passed: .* also works with" }],
    ["tables of a newer version", { unknown: ["0009_later"] }, { "database tables": "failed: .* 0009_later" }],
    [
      "O13: tables that an edited step made",
      { changed: ["0001_tables"] },
      { "database tables": "failed: the database was made by another form of 0001_tables" },
    ],
    [
      "O13: a database without a column",
      { missing: ["job.people", "job.bytes", "outbox"] },
      { "database tables": "failed: the database lacks job.people, job.bytes and 1 more" },
    ],
    ["tables of an older version", { pending: ["0004_tasks"] }, { "database tables": "passed: .*next start migrates" }],
  ])("%s", async (_name, seen, found) => {
    const results = await look(async () => ({ ...healthy, ...seen }));
    for (const [name, pattern] of Object.entries(found))
      expect(`${results[name]?.status}: ${results[name]?.says}`).toMatch(new RegExp(`^${pattern}`));
  });

  test("O22: what the running process knows is in the doctor: a file that is not its own, tables that changed", async () => {
    const health = createHealth();
    let reason: string | undefined = "the database's file was moved, replaced or deleted";
    health.addCheck("database", () => reason);
    const routes = createOperationalRoutes({ health, metrics: createMetrics() });
    const origin = await serve((request, response) => void routes.get(request.url ?? "")?.(request, response));
    const port = Number(new URL(origin).port);
    const seen = async (at: number): Promise<RowResult | undefined> => {
      const listensAt = () => ({ host: "127.0.0.1", port: at, usesTls: false });
      const rows = zoneRows(
        { DATABASE_URL: undefined, DATA_DIR: tempFolder() },
        { zone: "execution", migrations: {}, tables: [], listensAt },
      );
      return (
        await runRows(
          rows.filter(({ name }) => name === "running zone"),
          { timeoutMs: 10_000 },
        )
      )[0];
    };
    expect(await seen(port)).toMatchObject({ status: "failed", says: `its process is not ready: database: ${reason}` });
    reason = undefined;
    expect(await seen(port)).toMatchObject({ status: "passed" });
    expect(await seen(1)).toMatchObject({ status: "skipped" });
  });

  test("a missing file is not a problem, and none is created", async () => {
    const folder = tempFolder();
    expect(await look(async () => undefined, `sqlite:${folder}/deep/zone.sqlite`)).toMatchObject({
      "database reachable": { status: "passed", says: expect.stringContaining("does not exist yet") },
      "database tables": { status: "passed" },
      "database disk": { says: expect.stringMatching(new RegExp(`MB are free in ${folder}$`)) },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    [2 ** 40, "passed"],
    [500 * 2 ** 20, "warned"],
    [50 * 2 ** 20, "failed"],
  ])("a disk with %d free bytes: %s", (bytes, status) => {
    expect(judgeSpace("/data", bytes)).toMatchObject({ status });
  });

  test.each([
    ["no keys", undefined, "warned"],
    ["one random key", [`k1:${one}`], "passed"],
    ["an old key that is still there", [`k2:${two}`, `k1:${one}`], "warned"],
    ["a key of zeros", [`k1:${Buffer.alloc(32).toString("base64")}`], "failed"],
    ["a password for a key", [`k1:${Buffer.from("correct horse battery staple, 32").toString("base64")}`], "failed"],
  ] as const)("%s", (_, keys, status) => {
    const finding = judgeDataKeys(keys);
    expect(finding.status).toBe(status);
    for (const key of keys ?? []) expect(JSON.stringify(finding)).not.toContain(key.split(":")[1]);
  });

  test.each([
    ["EHOSTUNREACH", /no connection.*firewalls/],
    ["ECONNRESET", /does not respond \(ECONNRESET\).*port/],
    ["TIMEOUT", /no connection .*\(TIMEOUT\)/],
    ["CERT_NOT_YET_VALID", /not valid yet.*clock/],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /authority is unknown here .*Set PEER_CA_FILE/],
  ])("a server that fails with %s: %s", (code, words) => {
    const peer = { url: "https://peer.example.com/rpc", variable: "PEER_URL", whenDown: "Start the peer" };
    const { status, says, todo } = describeUnreached(code, { ...peer, authorityVariable: "PEER_CA_FILE" });
    expect(status).toBe("failed");
    expect([says, ...todo].join(" ")).toMatch(words);
  });
});

describe("run doctor", () => {
  test("each row is a line as it ends, with advice below it, and a last line sums up", async () => {
    const { code, out } = await doctor([
      row("one", () => passed("is right"), { advice: "Nothing is wrong." }),
      row("two", () => warned("is odd"), { advice: "Look at it." }),
      row("three", () => failed("is wrong", "Do this.", "Do that."), { advice: "Not this." }),
      row("four", () => passed("never"), { needs: ["three"] }),
      row("five", () => skipped("is not set")),
      row("six", () => failedBy("seven", "is known"), { advice: { seven: "Cure it.", other: "Ask." } }),
      row("seven", () => failedBy("eight", "is not known"), { advice: { seven: "Cure it.", other: "Ask." } }),
    ]);
    expect(out).toBe(
      [
        "Zone",
        "  ✓ one                    is right",
        "  ! two                    is odd",
        "                           → Look at it.",
        "  ✗ three                  is wrong",
        "                           → Do this.",
        "                           → Do that.",
        '  – four                   requires "three"',
        "  – five                   is not set",
        "  ✗ six                    is known",
        "                           → Cure it.",
        "  ✗ seven                  is not known",
        "                           → Ask.",
        "",
        "Problems found: 1 passed, 1 warnings, 3 failed, 2 skipped.",
        "",
      ].join("\n"),
    );
    expect(code).toBe(1);
  });

  describe("the exit code", () => {
    test("is 0 without problems, with or without warnings", async () => {
      expect((await doctor([row("one", () => warned("hm"))])).code).toBe(0);
      expect((await doctor([])).code).toBe(0);
    });

    test("is 2 for invalid arguments, which are named on standard error; nothing runs", async () => {
      const { code, out, err } = await doctor([row("one", () => expect.unreachable())], { args: ["--jsn"] });
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/Invalid arguments: --jsn[^]*Usage: doctor[^]*Exit code: 0/);
    });

    test("is 0 for --help, and nothing runs", async () => {
      const { code, out } = await doctor([row("one", () => expect.unreachable())], { args: ["--help"] });
      expect(code).toBe(0);
      expect(out).toMatch(/^Usage: doctor[^]*--json[^]*Exit code/);
    });
  });

  test("X32: what a peer says moves no cursor and turns no text around", async () => {
    const hostile = "\u001b[2J\u202Eabc\u2066\u2028\u0085\u061C";
    const { out } = await doctor([row("peer", () => warned(hostile, hostile))]);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(out).toContain("\\u202eabc");
  });

  test("--json prints one document and nothing else, on a terminal too", async () => {
    const { code, out } = await doctor([row("two", () => failed("is wrong"), { advice: "Do this." })], {
      args: ["--json"],
      isTTY: true,
    });
    const checks = [{ name: "two", status: "failed", says: "is wrong", todo: ["Do this."], ms: expect.any(Number) }];
    expect(JSON.parse(out)).toEqual({ ok: false, sections: [{ title: "Zone", checks }] });
    expect(code).toBe(1);
  });

  test("on a terminal, the running row is shown and replaced; colors only there, and not with NO_COLOR", async () => {
    const rows = [row("one", () => passed("ok"))];
    const { out } = await doctor(rows, { isTTY: true });
    expect(out).toContain("  … one\r\u001B[2K");
    expect(out).toContain("\u001B[32m✓");
    expect((await doctor(rows, { isTTY: true, env: { NO_COLOR: "1" } })).out).not.toContain("\u001B[32m");
    expect((await doctor(rows)).out).not.toContain("\u001B");
  });

  describe("a probe", () => {
    test("that throws has failed, and its text is not shown", async () => {
      const { code, out } = await doctor([row("one", () => Promise.reject(new TypeError("hunter2")))]);
      expect(out).toContain("✗ one                    the probe failed with TypeError");
      expect(out).not.toContain("hunter2");
      expect(code).toBe(1);
    });

    test("O35: that finds the database down is no fault of the doctor", async () => {
      const down = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
      const { code, out } = await doctor([
        row("one", () => Promise.reject(new Error("cannot be used", { cause: down }))),
      ]);
      expect(out).toContain('– one                    the database can\'t be used: see "database reachable"');
      expect(code).toBe(0);
    });

    test("that never ends is cut off, and its signal aborts", async () => {
      let aborted = false;
      const { out } = await doctor([
        row("one", async (signal) => {
          signal.addEventListener("abort", () => (aborted = true));
          return new Promise(() => undefined);
        }),
        row("two", () => passed("all the same")),
      ]);
      expect(out).toMatch(/✗ one +not done within 50 ms/);
      expect(out).toContain("✓ two");
      expect(aborted).toBe(true);
    });

    test("that quotes a token shows a single line without it", async () => {
      const { out } = await doctor([row("one", () => failed("got xoxb-1-abc\nand Bearer abc", "See ?token=abc"))]);
      expect(out).toContain("got [redacted] and Bearer [redacted]");
      expect(out).toContain("→ See ?token=[redacted]");
    });
  });
});
