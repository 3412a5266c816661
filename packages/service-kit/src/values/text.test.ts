import { expect, test } from "vitest";
import { isNearName } from "./text.ts";

test.each([
  ["SLACK_SIGNIN_SECRET", "SLACK_SIGNING_SECRET", true],
  ["SLACK_SINGING_SECERT", "SLACK_SIGNING_SECRET", true],
  ["KAFKA_BROKER", "KAFKA_BROKERS", true],
  ["EXECUTION_PROT", "EXECUTION_PORT", true],
  ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", false],
  ["DB_HOST", "DB_PORT", false],
  ["DB_POTR", "DB_PORT", true],
  ["A_B", "A_B_C_D", false],
])("%s for %s: %s", (name, known, near) => {
  expect(isNearName(name, known)).toBe(near);
  expect(isNearName(known, name)).toBe(near);
});
