// suite: rest
import { setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { agentThat, startZone, task, type TestZone } from "../testing/start-zone.ts";
import { hostProfiles, type PingAnswer } from "./host-profile.ts";

const profile = hostProfiles.agentcore;
const ping = async ({ url }: TestZone): Promise<PingAnswer> =>
  (await (await fetch(`${url}/ping`)).json()) as PingAnswer;

test("Z11: /ping is busy while any task runs, and returns the time of the last change in Unix seconds", async () => {
  const started = Math.floor(Date.now() / 1000);
  const open: (() => void)[] = [];
  const agent = agentThat(async () => {
    await new Promise<void>((resolve) => open.push(resolve));
    return { response_text: "done" };
  });
  const zone = await startZone([agent], { profile, syncWindowMs: 10 });
  const idle = await ping(zone);
  expect(idle).toEqual({ status: "Healthy", time_of_last_update: expect.toSatisfy(Number.isInteger) });
  expect(idle.time_of_last_update - started).toBeLessThanOrEqual(5);
  await setTimeout(1_050);
  expect(await ping(zone)).toEqual(idle);

  await zone.call("execute_task", task(), "1");
  const busy = await ping(zone);
  expect(busy.status).toBe("HealthyBusy");
  expect(busy.time_of_last_update).toBeGreaterThan(idle.time_of_last_update);
  await setTimeout(1_050);
  await zone.call("execute_task", task(), "2");
  expect(await ping(zone)).toEqual(busy);

  open[0]?.();
  await setTimeout(20);
  expect(await ping(zone)).toEqual(busy);
  open[1]?.();
  await vi.waitFor(async () => expect((await ping(zone)).status).toBe("Healthy"));
  expect((await ping(zone)).time_of_last_update).toBeGreaterThan(busy.time_of_last_update);
});
