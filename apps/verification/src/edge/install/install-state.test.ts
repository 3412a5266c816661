import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createInstallStates, stateMs, type InstallStates } from "./install-state.ts";

const start = (clientSecret = "a-client-secret"): InstallStates & { clock: { at: number }; spent: Set<string> } => {
  const clock = { at: 1_700_000_000_000 };
  const spent = new Set<string>();
  const states = createInstallStates({
    clientSecret,
    now: () => clock.at,
    spent: { spend: async (digest) => !spent.has(digest) && Boolean(spent.add(digest)) },
  });
  return { ...states, clock, spent };
};
const refusalOf = (spending: Promise<void>): Promise<unknown> =>
  spending.then(
    () => undefined,
    (error: { refusal?: unknown }) => error.refusal,
  );

test("W7: a state is valid once, and only until it expires", async () => {
  const { issue, spend, clock } = start();
  const [one, two] = [issue(), issue()];
  expect(one).not.toBe(two);
  await spend(one);
  expect(await refusalOf(spend(one))).toBe("state_spent");
  clock.at += stateMs - 1;
  await spend(two);
  const three = issue();
  clock.at += stateMs;
  expect(await refusalOf(spend(three))).toBe("state_expired");
});

test("W7: a state of another app or another secret is refused", async () => {
  const { spend } = start();
  expect(await refusalOf(spend(start("another-client-secret").issue()))).toBe("state_invalid");
  await spend(start().issue());
});

test("W7: only issued states are accepted, and refused texts are not stored", async () => {
  const { issue, spend, spent } = start();
  const state = issue();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.nat(state.length - 1).map((at) => state.slice(0, at)),
      ),
      async (text) => {
        expect(await refusalOf(spend(text))).toBe("state_invalid");
      },
    ),
  );
  expect(spent.size).toBe(0);
});

test("a state is safe in a cookie and in a URL, and reveals nothing about the app", () => {
  expect(start().issue()).toMatch(/^\d+\.[\w-]{22}\.[\w-]{43}$/);
});
