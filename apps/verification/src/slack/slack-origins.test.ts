import { expect, test } from "vitest";
import { filesOriginFor, isFilesOrigin } from "./slack-origins.ts";

test("the file host depends on the Web API: each cloud has its own, and so has a local Slack", () => {
  expect(filesOriginFor("https://slack.com/api/")).toBe("https://files.slack.com");
  expect(filesOriginFor("https://slack-gov.com/api/")).toBe("https://files.slack-gov.com");
  expect(filesOriginFor("http://127.0.0.1:3100/api/")).toBe("http://127.0.0.1:3100");
});

test("the bot token is sent only to Slack's own hosts and to this machine, not to similar names", () => {
  for (const url of ["https://files.slack.com", "https://files.slack-gov.com/", "http://localhost:3100"])
    expect(isFilesOrigin(url)).toBe(true);
  for (const url of [
    "http://files.slack.com",
    "https://files.slack.com:8443",
    "https://files.slack.com/path",
    "https://files.slack.com.example.com",
    "https://u@files.slack.com",
    "https://example.com",
    "http://10.0.0.1",
  ])
    expect(isFilesOrigin(url)).toBe(false);
});
