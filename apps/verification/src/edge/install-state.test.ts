import { anyText } from "@crosszone/contracts/any-text";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openTestDatabase } from "../testing/test-inbox.ts";
import { createInstallStates, stateMs } from "./installer.ts";

const start = async (clientSecret = "a-client-secret") => {
  const database = await openTestDatabase();
  const clock = { at: 1_700_000_000_000 };
  const states = createInstallStates(database, { clientSecret, now: () => clock.at });
  return { ...states, clock, spent: () => database.db.selectFrom("spent_state").selectAll().execute() };
};
const refusalOf = (spending: Promise<void>): Promise<unknown> =>
  spending.then(
    () => undefined,
    (error: { refusal?: unknown }) => error.refusal,
  );

test("Y7: a state is valid once, and only until it expires", async () => {
  const { issue, spend, clock } = await start();
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

test("Y7: a state of another app or another secret is refused", async () => {
  const { spend } = await start();
  expect(await refusalOf(spend((await start("another-client-secret")).issue()))).toBe("state_invalid");
  await spend((await start()).issue());
});

test("Y7: only issued states are accepted, and refused texts are not stored", async () => {
  const { issue, spend, spent } = await start();
  const state = issue();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        anyText,
        fc.nat(state.length - 1).map((at) => state.slice(0, at)),
      ),
      async (text) => {
        expect(await refusalOf(spend(text))).toBe("state_invalid");
      },
    ),
  );
  expect(await spent()).toEqual([]);
});

test("a state is safe in a cookie and in a URL, and reveals nothing about the app", async () => {
  expect((await start()).issue()).toMatch(/^\d+\.[\w-]{22}\.[\w-]{43}$/);
});
