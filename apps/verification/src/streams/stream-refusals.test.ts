import { expect, test } from "vitest";
import { SlackCallError, type SlackCallFailure } from "../slack/slack-call-error.ts";
import { createStreamRefusals } from "./stream-refusals.ts";

test.each<[string, SlackCallFailure, readonly [here: boolean, elsewhere: boolean], number]>([
  ["missing_recipient_user_id", "refused", [true, true], 600_000],
  ["feature_disabled", "refused", [true, true], 600_000],
  ["channel_type_not_supported", "refused", [true, false], 600_000],
  ["restricted_action", "refused", [true, false], 600_000],
  ["ratelimited", "rate_limited", [true, true], 7_000],
  ["http_500", "unavailable", [false, false], 0],
])("after %s (%s), no stream is tried for a while where that is of no use", (code, failure, [here, elsewhere], ms) => {
  let now = 1_000;
  const refusals = createStreamRefusals({ now: () => now });
  const limit = failure === "rate_limited" && { retryAfterMs: 7_000 };
  refusals.add("C1", new SlackCallError("chat.startStream", { failure, code, ...limit }));
  expect([refusals.has("C1"), refusals.has("C2")]).toEqual([here, elsewhere]);
  now += ms - 1;
  expect([refusals.has("C1"), refusals.has("C2")]).toEqual([here, elsewhere]);
  now += 1;
  expect([refusals.has("C1"), refusals.has("C2")]).toEqual([false, false]);
});
