import { describe, expect, test } from "vitest";
import { failed, passed, skipped, warned, type Check } from "./checks.ts";
import { processOutput, type DoctorOutput } from "./report.ts";
import { runDoctor } from "./run-doctor.ts";

const check = (name: string, run: Check["run"], more: Partial<Check> = {}): Check => ({ name, run, ...more });

async function doctor(
  checks: Check[],
  { args = [], ...output }: { args?: string[] } & Partial<DoctorOutput> = {},
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const code = await runDoctor({
    args,
    help: "Usage: doctor\n",
    plan: () => [{ title: "Zone", checks }],
    timeoutMs: 50,
    output: {
      write: (text) => (said.out += text),
      complain: (text) => (said.err += text),
      isTerminal: false,
      colors: false,
      ...output,
    },
  });
  return { code, ...said };
}

test("each check is a line as it ends, with advice below it, and a last line sums up", async () => {
  const { code, out } = await doctor([
    check("one", () => passed("is right")),
    check("two", () => warned("is odd", "Look at it.")),
    check("three", () => failed("is wrong", "Do this.", "Do that.")),
    check("four", () => passed("never"), { needs: ["three"] }),
    check("five", () => skipped("is not set")),
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
      "",
      "Problems found: 1 passed, 1 warnings, 1 failed, 2 skipped.",
      "",
    ].join("\n"),
  );
  expect(code).toBe(1);
});

describe("the exit code", () => {
  test("is 0 without problems, with or without warnings", async () => {
    expect((await doctor([check("one", () => warned("hm"))])).code).toBe(0);
    expect((await doctor([])).code).toBe(0);
  });

  test("is 2 for invalid arguments, which are named on standard error; nothing runs", async () => {
    const never = check("one", () => expect.unreachable("it ran"));
    const { code, out, err } = await doctor([never], { args: ["--jsn"] });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/Invalid arguments: --jsn[^]*Usage: doctor[^]*Exit code: 0/);
  });

  test("is 0 for --help, and nothing runs", async () => {
    const { code, out } = await doctor([check("one", () => expect.unreachable("it ran"))], { args: ["--help"] });
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: doctor[^]*--json[^]*Exit code/);
  });
});

test("--json prints one document and nothing else", async () => {
  const checks = [check("one", () => passed("is right")), check("two", () => failed("is wrong", "Do this."))];
  const { code, out } = await doctor(checks, { args: ["--json"], isTerminal: true, colors: true });
  expect(JSON.parse(out)).toEqual({
    ok: false,
    sections: [
      {
        title: "Zone",
        checks: [
          { name: "one", status: "passed", says: "is right", todo: [], ms: expect.any(Number) },
          { name: "two", status: "failed", says: "is wrong", todo: ["Do this."], ms: expect.any(Number) },
        ],
      },
    ],
  });
  expect(code).toBe(1);
});

test("on a terminal, the running check is shown and replaced; colors only there, and not with NO_COLOR", async () => {
  const lively = await doctor([check("one", () => passed("ok"))], { isTerminal: true, colors: true });
  expect(lively.out).toContain("  … one\r\u001B[2K");
  expect(lively.out).toContain("\u001B[32m✓");
  const stream = { write: () => true, isTTY: true };
  expect(processOutput({ stdout: stream, stderr: stream }, {})).toMatchObject({ isTerminal: true, colors: true });
  expect(processOutput({ stdout: stream, stderr: stream }, { NO_COLOR: "1" })).toMatchObject({ colors: false });
  const pipe = { write: () => true };
  expect(processOutput({ stdout: pipe, stderr: pipe }, {})).toMatchObject({ isTerminal: false, colors: false });
});

describe("a check", () => {
  test("that throws has failed, and its text is not shown", async () => {
    const { code, out } = await doctor([check("one", () => Promise.reject(new TypeError("hunter2")))]);
    expect(out).toContain("✗ one                    the check failed with TypeError");
    expect(out).not.toContain("hunter2");
    expect(code).toBe(1);
  });

  test("that never ends is cut off, and its signal aborts", async () => {
    let aborted = false;
    const { out } = await doctor([
      check("one", async (signal) => {
        signal.addEventListener("abort", () => (aborted = true));
        return new Promise(() => undefined);
      }),
      check("two", () => passed("all the same")),
    ]);
    expect(out).toMatch(/✗ one +not done within 50 ms/);
    expect(out).toContain("✓ two");
    expect(aborted).toBe(true);
  });

  test("S14: that quotes a token shows a single line without it", async () => {
    const { out } = await doctor([check("one", () => failed("got xoxb-1-abc\nand Bearer abc", "See ?token=abc"))]);
    expect(out).toContain("got [redacted] and Bearer [redacted]");
    expect(out).toContain("→ See ?token=[redacted]");
  });
});
