import { expect, test } from "vitest";
import { SlackCallError, type SlackCallFailure } from "../../slack/slack-call-error.ts";
import { createStreamRefusals } from "./start-streams.ts";

test.each<[string, SlackCallFailure, { readonly here: boolean; readonly elsewhere: boolean; readonly ms: number }]>([
  ["missing_recipient_user_id", "refused", { here: true, elsewhere: true, ms: 600_000 }],
  ["feature_disabled", "refused", { here: true, elsewhere: true, ms: 600_000 }],
  ["channel_type_not_supported", "refused", { here: true, elsewhere: false, ms: 600_000 }],
  ["restricted_action", "refused", { here: true, elsewhere: false, ms: 600_000 }],
  ["ratelimited", "rate_limited", { here: true, elsewhere: true, ms: 7_000 }],
  ["http_500", "unavailable", { here: false, elsewhere: false, ms: 0 }],
])(
  "after %s (%s), no stream is started for a while where it would fail again",
  (code, failure, { here, elsewhere, ms }) => {
    let now = 1_000;
    const refusals = createStreamRefusals({ now: () => now });
    const limit = failure === "rate_limited" && { retryAfterMs: 7_000 };
    refusals.add("C1", new SlackCallError("chat.startStream", { failure, code, ...limit }));
    expect([refusals.has("C1"), refusals.has("C2")]).toEqual([here, elsewhere]);
    now += ms - 1;
    expect([refusals.has("C1"), refusals.has("C2")]).toEqual([here, elsewhere]);
    now += 1;
    expect([refusals.has("C1"), refusals.has("C2")]).toEqual([false, false]);
  },
);
