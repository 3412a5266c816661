import * as fc from "fast-check";
import { expect, test } from "vitest";
import { questionRecord } from "../testing/test-inbox.ts";
import { createFakeSlack, identity, member } from "../testing/fake-slack.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import { createPolicies } from "./policies.ts";
import { createSlackDirectory } from "./slack-directory.ts";
import { policyOf } from "./policy-section.ts";

/** A list that is missing, empty or filled, but never names the foreign team. */
const list = (...items: string[]): fc.Arbitrary<string[] | undefined> =>
  fc.option(fc.subarray(items), { nil: undefined });
const choice = fc.option(fc.boolean(), { nil: undefined });
const lists = fc.record({
  teams: list("T2", "T3"),
  channels: list("C1", "D1", "dm"),
  users: list("U1", "UFOREIGN"),
  guests: choice,
  shared: choice,
});
/** The origin of the event. At least one of the envelope, the author and Slack's data names the foreign team. */
const origin = fc
  .record({
    envelope: fc.subarray(["T1", "T2", "TFOREIGN"]),
    author: fc.subarray(["T1", "T2", "TFOREIGN"]),
    home: fc.constantFrom("T1", "T2", "TFOREIGN"),
  })
  .filter(({ envelope, author, home }) => [...envelope, ...author, home].includes("TFOREIGN"));

const definedOf = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

test("S10: no combination of missing, empty and filled lists allows a foreign team", async () => {
  let denied = 0;
  await fc.assert(
    fc.asyncProperty(lists, origin, async ({ teams, channels, users, guests, shared }, { envelope, author, home }) => {
      const slack = createFakeSlack();
      slack.directory.users["UFOREIGN"] = { ...member, team_id: home };
      for (const team of ["T2", "T3", "TFOREIGN"]) slack.directory.teams[team] = { id: team };
      const named = definedOf({ allowed_teams: teams, allowed_channels: channels, allowed_users: users });
      const switched = definedOf({ ...named, allow_guests: guests, allow_shared_channels: shared });
      for (const policy of [named, switched].map((file) => policyOf(file))) {
        const { inFlow } = createPolicies({
          limits: wideLimits,
          identity,
          directory: createSlackDirectory({ slack, identity, now: Date.now, timeoutMs: 1_000 }),
          emit: () => undefined,
          recordAct: async () => undefined,
          policy: { current: () => policy },
        });
        const { denial } = await inFlow(questionRecord({ user_id: "UFOREIGN", teams: envelope, author_teams: author }));
        expect(denial).toBeDefined();
        denied += 1;
      }
    }),
    { numRuns: 500 },
  );
  expect(denied).toBe(1_000);
});
