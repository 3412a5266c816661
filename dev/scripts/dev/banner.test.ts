import { expect, test } from "vitest";
import { banner } from "./banner.ts";
import { devEnvironment } from "./environment.ts";
import { guide } from "./guide.ts";
import { zoneAccess } from "./zone-file.ts";

const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^ {2}(\w+) {2,}(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]);

test("Q8: the banner is four lines: the local Slack, the console, a first question and the help", () => {
  const dev = devEnvironment({});
  const text = banner(dev, zoneAccess(dev, {}));
  expect(rowsOf(text)).toEqual([
    ["Slack", "http://127.0.0.1:3100"],
    ["Console", `http://127.0.0.1:4000/console#token=${dev.env["ADMIN_TOKENS"] ?? ""}`],
    ["Chat", './crosszone chat "2+2 in words?"'],
    ["Help", "./crosszone --help"],
  ]);
  expect(text.trim().split("\n")).toHaveLength(6);
  expect(text).toContain("Crosszone is up. Ctrl-C stops everything.");
});

test("Q8: with other ports the commands of the banner are for this start", () => {
  const dev = devEnvironment({ VERIFICATION_PORT: "3001", DEV_SLACK_PORT: "3101" });
  const rows = new Map(rowsOf(banner(dev)).map(([name = "", value = ""]) => [name, value]));
  expect(rows.get("Chat")).toBe('./crosszone chat --url http://127.0.0.1:3101 "2+2 in words?"');
  const [, port = ""] = /^VERIFICATION_PORT=(\d+) /.exec(rows.get("Help") ?? "") ?? [];
  expect(devEnvironment({ VERIFICATION_PORT: port }).env["DATA_DIR"]).toBe(dev.env["DATA_DIR"]);
});

test("with real Slack the banner says where to write, and has no line for the local Slack", () => {
  const dev = devEnvironment({ SLACK_BOT_TOKEN: "xoxb-real", SLACK_SIGNING_SECRET: "real" });
  expect(rowsOf(banner(dev)).map(([name]) => name)).toEqual(["Slack", "Help"]);
  expect(banner(dev)).toContain("your workspace");
  expect(banner(dev)).not.toContain("127.0.0.1:3100");
});

test("the page Connect has what to try next, with the token of programs and the ports of this start", () => {
  const dev = devEnvironment({ VERIFICATION_PORT: "3001" });
  const access = zoneAccess(dev, {});
  const all = (sections = guide(dev, access, { url: "http://127.0.0.1:4100", token: "xz_1" })) =>
    sections.flatMap(({ title, lines }) => [title, ...lines]);
  for (const line of [
    "ask proofreader: This is is a test .",
    'VERIFICATION_PORT=3001 ./crosszone run publish-text --input text="This is is a text."',
    "VERIFICATION_PORT=3001 ./crosszone agents add my-agent http://127.0.0.1:8090",
    'claude mcp add --transport http crosszone http://127.0.0.1:4100/mcp --header "Authorization: Bearer xz_1"',
    "http://127.0.0.1:4100/a2a/builtin/",
  ])
    expect(all()).toContain(line);
  expect(all().join("\n")).not.toContain(access?.token);
  expect(all(guide(dev)).join("\n")).not.toMatch(/agents add|\brun publish|claude mcp/);
});
