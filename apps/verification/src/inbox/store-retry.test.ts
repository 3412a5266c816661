import { TimeLimitError } from "@crosszone/service-kit";
import { expect, test, vi } from "vitest";
import { InboxFullError } from "./endings.ts";
import { createStoreRetry } from "./store-retry.ts";

const failing = (error: unknown, times: number): (() => Promise<string>) => {
  const ask = vi.fn<() => Promise<string>>(async () => "stored");
  for (let time = 0; time < times; time += 1) ask.mockRejectedValueOnce(error);
  return ask;
};

test("S5: after a short database failure the statement is retried, and its result is returned", async () => {
  const ask = failing(new Error("connection lost"), 3);
  expect(await createStoreRetry(2_000)(ask)).toBe("stored");
  expect(ask).toHaveBeenCalledTimes(4);
});

test("S5: after the deadline a call rejects with its last error, and later calls fail too", async () => {
  const retryStore = createStoreRetry(300);
  await expect(retryStore(failing(new Error("gone"), 1_000))).rejects.toThrow("gone");
  await expect(retryStore(failing(new Error("still gone"), 1_000))).rejects.toThrow(/still gone|not done within/);
});

test("S5: a call to a database that does not respond times out", async () => {
  await expect(createStoreRetry(50)(() => new Promise(() => undefined))).rejects.toThrow(TimeLimitError);
});

test("a full inbox is not retried", async () => {
  const ask = failing(new InboxFullError("full"), 1);
  await expect(createStoreRetry(2_000)(ask)).rejects.toThrow(InboxFullError);
  expect(ask).toHaveBeenCalledOnce();
});
