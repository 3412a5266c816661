import { expect, test } from "vitest";
import type { ControlEvent } from "../protocol/control-api.ts";
import { createChangeFeed } from "../workspace/change-feed.ts";
import { createTrafficLog } from "./traffic-log.ts";

test("the log keeps the newest entries, numbers them and publishes each, redacted", () => {
  const feed = createChangeFeed();
  const published: ControlEvent[] = [];
  feed.subscribe((event) => published.push(event));
  const log = createTrafficLog(feed, () => "redacted", 2);
  const entry = {
    at: 1,
    kind: "rpc",
    name: "a",
    status: 200,
    ms: 1,
    verdict: "ok",
    request: "secret",
    response: "secret",
  } as const;
  for (const name of ["a", "b", "c"]) log.record({ ...entry, name });
  expect(log.entries()).toMatchObject([
    { id: 2, name: "b" },
    { id: 3, name: "c", request: "redacted", response: "redacted" },
  ]);
  expect(published).toHaveLength(3);
  expect(JSON.stringify(published)).not.toContain("secret");
});
