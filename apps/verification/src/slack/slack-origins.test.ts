import { expect, test } from "vitest";
import { filesOriginFor, isSlackApi } from "./slack-origins.ts";

test("the file host depends on the Web API: each cloud has its own, and so has a local Slack", () => {
  expect(filesOriginFor("https://slack.com/api/")).toBe("https://files.slack.com");
  expect(filesOriginFor("https://slack-gov.com/api/")).toBe("https://files.slack-gov.com");
  expect(filesOriginFor("http://127.0.0.1:3100/api/")).toBe("http://127.0.0.1:3100");
});

test("the bot token is sent only to Slack's own hosts and to this machine, not to similar names", () => {
  for (const url of ["https://slack.com/api/", "https://slack-gov.com/api/", "http://localhost:3100/api/"])
    expect(isSlackApi(url)).toBe(true);
  for (const url of [
    "http://slack.com/api/",
    "https://slack.com:8443/api/",
    "https://slack.com.example.com/api/",
    "https://slack.com@example.com/api/",
    "https://example.com",
    "http://10.0.0.1",
  ])
    expect(isSlackApi(url)).toBe(false);
});
