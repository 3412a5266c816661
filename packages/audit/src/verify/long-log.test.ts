import { expect, inject, test } from "vitest";
import { keyOf } from "../testing/open-audit.ts";
import { memoryOf } from "../testing/synthetic-export.ts";
import { publicKeyText, readPublicKey } from "../tree/checkpoint.ts";
import { verifyAudit } from "./verify-audit.ts";

const events = inject("engines") === "both" ? 1_000_000 : 50_000;

test("V2: a million events are verified in one pass, with the memory of a few", async () => {
  const keys = [readPublicKey(publicKeyText(keyOf(1)))];
  const most = await memoryOf(events, async (lines) => {
    const verdict = await verifyAudit(lines, { keys });
    expect(verdict).toMatchObject({ events, checkpoints: events / 1_000 });
    expect(verdict.finding).toBeUndefined();
  });
  expect(most).toBeLessThan(150_000_000);
}, 300_000);
