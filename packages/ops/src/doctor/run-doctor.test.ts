import { describe, expect, test } from "vitest";
import { runDoctor } from "./run-doctor.ts";
import { failed, failedBy, passed, type Row, skipped, warned } from "./table.ts";

const row = (name: string, probe: Row["probe"], more: Partial<Row> = {}): Row => ({ name, probe, ...more });

async function doctor(
  rows: Row[],
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

  test("S14: that quotes a token shows a single line without it", async () => {
    const { out } = await doctor([row("one", () => failed("got xoxb-1-abc\nand Bearer abc", "See ?token=abc"))]);
    expect(out).toContain("got [redacted] and Bearer [redacted]");
    expect(out).toContain("→ See ?token=[redacted]");
  });
});
