import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { createRandom, share } from "../harness/random.ts";
import { send } from "../hostile/doors/cpu-meter.ts";
import { doorsOf } from "../hostile/doors/doors.ts";
import { plantedWord } from "../hostile/doors/growths.ts";
import { openDoors } from "../hostile/doors/open-doors.ts";

const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1_000_000);

/** Members of log lines that name something, as whoever made it called it. */
const names: ReadonlySet<string> = new Set([
  "api_app_id",
  "channel",
  "client",
  "correlation_id",
  "http_request_id",
  "task_id",
  "teams",
  "thread_ts",
  "user_id",
]);

/** Returns the members of a log line, at any depth, in which the planted word stands. */
function leaksOf(value: unknown, place = ""): string[] {
  if (typeof value === "string") return value.includes(plantedWord) ? [place] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = Array.isArray(value) ? place : `${place}.${name}`;
    const ofName = name.includes(plantedWord) ? [`${at} (name)`] : [];
    return [...ofName, ...(names.has(name) ? [] : leaksOf(member, at))];
  });
}

onBothEngines("what is sent to zones with DATA_KEYS", (newDatabase) => {
  test(
    "O32: stands in no log line, whatever member of whatever door it came through, at info and above",
    { timeout: 1_800_000 },
    async () => {
      const databases = [await newDatabase(), await newDatabase()] as const;
      const dataKeys = `k1:${randomBytes(32).toString("base64")}`;
      const constants = { SYNC_WINDOW_MS: 0, MAX_WAIT_MS: 100, MAX_REQUEST_BURST: 1_000_000 };
      const { log, zones } = await openDoors({ databases, tokens: 20, constants, dataKeys });
      const random = createRandom(seed);
      const leaks = new Set<string>();
      let [sent, read] = [0, 0];
      for (const door of doorsOf(zones)) {
        for (const { name, most, at } of door.growths(16_384)) {
          if (!name.endsWith(`full of "${plantedWord}"`) || !random.chance(share)) continue;
          await send(at(Math.min(most, 60)));
          sent += 1;
          for (; read < log.length; read += 1)
            for (const member of leaksOf(log[read]))
              leaks.add(`${String(log[read]?.event)}${member} after ${door.name}, ${name}`);
        }
      }
      await delay(2_000);
      for (; read < log.length; read += 1)
        for (const member of leaksOf(log[read])) leaks.add(`${String(log[read]?.event)}${member}`);
      console.log({ seed, sent, lines: log.length });
      expect({ seed, leaks: [...leaks] }).toEqual({ seed, leaks: [] });
    },
  );
});
