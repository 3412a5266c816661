import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { describe, expect, test } from "vitest";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { slackRetryAfter } from "../posting/slack-failures.ts";
import { zoneRetryAfter } from "./zone-retry.ts";

describe("E4: only requests marked as retryable are sent again", () => {
  test.each([
    [new LinkError("unreachable", ""), 0],
    [new LinkError("timeout", ""), 0],
    [new LinkError("invalid_response", ""), undefined],
    [new LinkError("aborted", ""), undefined],
    [new LinkError("server_error", "", { retryable: true }), 0],
    [new ZoneError("rate_limited", { retry_after_ms: 700 }), 700],
    [new ZoneError("shutting_down"), 0],
    [new ZoneError("shutting_down", { task_id: "task-1" }), 0],
    [new ZoneError("agent_unavailable"), 0],
    [new ZoneError("agent_unavailable", { task_id: "task-1" }), undefined],
    [new ZoneError("internal"), undefined],
    [new ZoneError("timeout"), undefined],
    [new Error("bug"), undefined],
  ])("%s", (error, wait) => {
    expect(zoneRetryAfter(error)).toBe(wait);
  });

  test.each([
    ["refused", undefined],
    ["rate_limited", 2_000],
    ["unavailable", 0],
  ] as const)("a Slack call that was %s", (failure, wait) => {
    const detail = failure === "rate_limited" ? { retryAfterMs: 2_000 } : {};
    expect(slackRetryAfter(new SlackCallError("chat.update", { failure, code: "x", ...detail }))).toBe(wait);
  });
});
