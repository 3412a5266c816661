import { afterEach, expect, test, vi } from "vitest";
import { createRunApi } from "./browser/api/run-api.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a rate-limited page sends nothing before the time that the zone names, and then continues", async () => {
  vi.useFakeTimers();
  const tooMany = new Response("{}", { status: 429, headers: { "retry-after": "2" } });
  const answers = [tooMany, ...Array.from({ length: 2 }, () => Response.json({ runs: [] }))];
  const fetched = vi.fn<() => Promise<Response>>(async () => answers.shift() as Response);
  vi.stubGlobal("fetch", fetched);
  const api = createRunApi("token");
  await expect(api.list({})).rejects.toMatchObject({ status: 429 });
  const later = Promise.all([api.list({}), api.list({})]);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await later).toEqual([{ runs: [] }, { runs: [] }]);
});
