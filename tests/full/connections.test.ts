// suite: load
// @module-tag judge
import { setTimeout as delay } from "node:timers/promises";
import { openFilesLimit } from "@crosszone/service-kit";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, test } from "vitest";
import {
  goodRequest,
  isWell,
  rawConnect,
  startZone,
  statusesIn,
  type RawConnection,
  type ZoneName,
} from "../hostile/zones.ts";
import { shareOf } from "../harness/random.ts";

const zones: ZoneName[] = ["execution", "verification"];

/** The default of MAX_CONNECTIONS, a share of it on a change, or half of this machine's limit for a process. */
const most = Math.min(shareOf(10_000, 2_000), Math.floor((openFilesLimit() ?? Infinity) / 2) - 100);

const slow: Record<string, { start: string; drip: string }> = {
  headers: { start: "POST /rpc HTTP/1.1\r\nHost: a\r\nX: ", drip: "x" },
  bodies: {
    start: "POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
    drip: "[",
  },
  chunks: {
    start: "POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    drip: "1\r\n[\r\n",
  },
  nothing: { start: "", drip: "" },
};

describe.each(zones)("%s", (name) => {
  test("H2: 200 clients that drip headers, bodies, chunks or nothing are disconnected, and every valid request is answered meanwhile", async () => {
    const zone = await startZone(name);
    const clients = Object.values(slow).flatMap(({ start, drip }) =>
      Array.from({ length: 200 }, () => ({ drip, connection: rawConnect(zone.url, start) })),
    );
    const ticking = setInterval(() => {
      for (const { drip, connection } of clients) if (connection.socket.writable && drip) connection.socket.write(drip);
    }, 200);
    const slowOnes = clients.map(({ connection }) => connection);
    let good = 0;
    let bad = 0;
    while (stillOpen(slowOnes) > 0) {
      if (await isWell(zone)) good += 1;
      else bad += 1;
    }
    clearInterval(ticking);
    expect(bad).toBe(0);
    expect(good).toBeGreaterThan(10);
  });

  test("H2: the allowed number of idle connections is kept; beyond it the oldest are closed, and valid requests are answered", async () => {
    const zone = await startZone(name, tune({ MAX_CONNECTIONS: most }));
    const idle: RawConnection[] = [];
    for (let left = most - 10; left > 0; left -= 500)
      idle.push(...(await openIdle(zone.url, name, Math.min(500, left))));
    expect(stillOpen(idle)).toBe(idle.length);
    for (let round = 0; round < 100; round += 1) expect(await isWell(zone)).toBe(true);
    expect(stillOpen(idle)).toBe(idle.length);

    const more = await openIdle(zone.url, name, 500);
    for (let round = 0; round < 100; round += 1) expect(await isWell(zone)).toBe(true);
    await expect.poll(() => stillOpen(idle.slice(0, 400))).toBe(0);
    const open = stillOpen([...idle, ...more]);
    expect(open).toBeGreaterThan(most - 20);
    expect(open).toBeLessThanOrEqual(most);
    for (const { socket } of [...idle, ...more]) socket.destroy();
  });

  test("H1, H2: a client that never reads its answers is disconnected, and they don't stay in memory", async () => {
    const zone = await startZone(name, tune({ READ_TIMEOUT_MS: 500 }));
    const before = await zone.memory();
    // More than the buffers of both ends hold.
    const asked = 100_000;
    const deaf = Array.from({ length: 2 }, () => rawConnect(zone.url));
    for (const { socket } of deaf) {
      socket.pause();
      socket.write(goodRequest(name, "keep-alive").repeat(asked));
    }
    await delay(10_000);
    expect(await isWell(zone)).toBe(true);
    for (const { socket } of deaf) socket.resume();
    const heard = await Promise.all(deaf.map(async ({ closed }) => statusesIn(await closed).length));
    for (const answers of heard) expect(answers).toBeLessThan(asked);
    const after = await zone.memory();
    expect(after.heapUsed).toBeLessThan(before.heapUsed * 1.5);
  });
});

/** Opens connections that get one answer and then stay idle. */
async function openIdle(url: string, name: ZoneName, count: number): Promise<RawConnection[]> {
  const opened = Array.from({ length: count }, () => rawConnect(url, goodRequest(name, "keep-alive")));
  for (const connection of opened) {
    while (statusesIn(connection.text()).length === 0) await delay(5);
    expect(statusesIn(connection.text())).toEqual([200]);
  }
  return opened;
}

const stillOpen = (connections: readonly RawConnection[]): number =>
  connections.filter(({ socket }) => !socket.destroyed && !socket.readableEnded).length;
