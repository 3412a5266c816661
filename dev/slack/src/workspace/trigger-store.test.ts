import { expect, test } from "vitest";
import { createTriggerStore } from "./trigger-store.ts";

test("a trigger is valid for three seconds, and for one exchange", () => {
  let now = 0;
  const triggers = createTriggerStore(() => now);
  const [one, two] = [triggers.issue("U1"), triggers.issue("U2")];
  now = 2_999;
  expect([triggers.find(one), triggers.find(two)]).toEqual([{ user: "U1" }, { user: "U2" }]);
  triggers.exchange(one);
  expect(triggers.find(one)).toBe("exchanged_trigger_id");
  now = 3_000;
  expect(triggers.find(two)).toBe("expired_trigger_id");
  expect(triggers.find("1.2.3")).toBe("invalid_trigger_id");
});
