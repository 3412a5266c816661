import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../testkit/src/servers/temporary.ts";
import { devEnvironment } from "./environment.ts";
import { createLineFormatter } from "./turbo.ts";
import { readZoneFile, writeZoneFile, zoneAccess } from "./zone-file.ts";

const format = createLineFormatter({ quiet: false, color: false });

const logged = (fields: object): string | undefined =>
  format(`@crosszone/execution:dev: ${JSON.stringify({ level: "info", time: 1_700_000_000_000, ...fields })}`);

describe("turbo", () => {
  test("Q8: until everything is up only warnings and errors are shown, and no line that the banner or the audit log has", () => {
    const upAt = 1_700_000_000_000;
    const starting = createLineFormatter({ quiet: false, color: false, upAt: () => upAt });
    const zone = (fields: object) =>
      starting(`@crosszone/execution:dev: ${JSON.stringify({ level: "info", time: upAt - 1, ...fields })}`);
    expect(zone({ event: "settings_applied", says: { created: ["echo"] } })).toBeUndefined();
    expect(zone({ event: "settings_applied", says: { created: ["echo"] }, time: upAt })).toContain("echo");
    for (const event of ["audit_opened", "audit_checkpoint", "token_created", "token_used", "listening"])
      expect([event, zone({ event, time: upAt + 1 })]).toEqual([event, undefined]);
    for (const level of ["warn", "error"]) expect(zone({ event: "audit_opened", level })).toContain("audit_opened");
    for (const line of [
      "dev-slack:dev: The local Slack is at http://127.0.0.1:3100",
      "dev-agents:dev: The sample agents are at http://127.0.0.1:3200",
      "contracts:generate: generated 12 files from 179 types",
      "execution:dev: (node:9) ExperimentalWarning: stripTypeScriptTypes is an experimental feature",
      "execution:dev: (Use `node --trace-warnings ...` to show where the warning was created)",
      "execution:dev: $ node ../../dev/scripts/watch.ts src/main.ts",
    ])
      expect([line, starting(`@crosszone/${line}`)]).toEqual([line, undefined]);
    for (const line of ["Port 3100 is in use.", "(node:9) DeprecationWarning: x"])
      expect(starting(`@crosszone/dev-slack:dev: ${line}`)).toContain(line);
  });

  test("Q8: after the banner an event is one readable line, and one that says that nothing changed is none", () => {
    const text = logged({
      event: "run_ended",
      level: "warn",
      time: 1_700_000_000_000,
      zone: "execution",
      state: "failed",
    });
    expect(text).toMatch(/^execution {4}\d\d:\d\d:\d\d WARN run_ended state=failed$/);
    const cause = { name: "ZoneError", message: "Agent unavailable", stack: "at x" };
    expect(logged({ event: "task_failed", level: "error", cause })).toMatch(/task_failed cause="Agent unavailable"$/);
    expect(logged({ event: "history_swept", since: "2026", asked: 0, missed: 0, refused: 0 })).toBeUndefined();
    expect(logged({ event: "x", text: "a\u001b\u202eb" })).toMatch(/ text="a\\u001b\\u\{202e\}b"$/);
    expect(logged({ event: "history_swept", since: "2026", asked: 1, missed: 0, refused: 0 })).toMatch(/asked=1/);
    expect(logged({ event: "workflows_applied", created: [], kept: 7 })).toBeUndefined();
    expect(logged({ event: "workflows_applied", created: ["pay"], kept: 7 })).toMatch(/created=\["pay"\] kept=7$/);
    expect(format("@crosszone/execution:dev: Change detected in '/a/b.ts'")).toBeUndefined();
    const quiet = createLineFormatter({ quiet: true, color: false });
    const line = (level: string): string =>
      `@crosszone/execution:dev: ${JSON.stringify({ event: "x", level, time: 1 })}`;
    expect([quiet(line("info")), quiet(line("warn"))]).toEqual([
      undefined,
      expect.stringContaining("WARN x") as string,
    ]);
  });

  test("a mistake in the settings is shown in its own words, one line each", () => {
    const because =
      "/a/agents.yaml:3:5: /agents/0/url is missing\n/a/agents.yaml:4:5: /agents/0/x is not a known member";
    expect(logged({ level: "error", event: "settings_not_usable", section: "agents", because })?.split("\n")).toEqual([
      "execution    /a/agents.yaml:3:5: /agents/0/url is missing",
      "execution    /a/agents.yaml:4:5: /agents/0/x is not a known member",
      "execution    The settings of agents stay as they were until it is correct.",
    ]);
  });
});

describe("zone file", () => {
  test("the file has the API's address and its token, generated or configured; tokens from files are not copied", () => {
    const minted = devEnvironment({ EXECUTION_PORT: "4001" });
    const token = minted.env["ADMIN_TOKENS"];
    expect(zoneAccess(minted, {})).toEqual({
      url: "http://127.0.0.1:4001",
      token,
      linkToken: minted.env["EXECUTION_TOKEN"],
      verificationUrl: "http://127.0.0.1:3010",
    });
    const own = { ADMIN_TOKENS: "mine, other" };
    expect(zoneAccess(devEnvironment(own), own)).toMatchObject({ token: "mine" });
    const file = { ADMIN_TOKENS_FILE: "/run/admins" };
    expect(zoneAccess(devEnvironment(file), file)).toBeUndefined();
  });

  test("a running zone has a file that only its owner can read, until it stops", () => {
    const folder = tempFolder();
    expect(readZoneFile(folder)).toBeUndefined();
    const path = join(folder, "cli.json");
    writeFileSync(path, "{", { mode: 0o644 });
    expect(readZoneFile(folder)).toBeUndefined();
    const access = { url: "http://127.0.0.1:4000", token: "t" };
    const remove = writeZoneFile(folder, access);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readZoneFile(folder)).toEqual(access);
    remove();
    remove();
    expect(existsSync(path)).toBe(false);
  });
});
