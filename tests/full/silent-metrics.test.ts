import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { newKafkaStore } from "@crosszone/kafka-gateway/testing";
import { metrics } from "@crosszone/telemetry";
import { kafkaIsHere, startKafka } from "@crosszone/testkit/kafka";
import { newPostgresDatabase, newSqliteDatabase } from "@crosszone/testkit/postgres";
import { startOnDatabase } from "@crosszone/testkit/process";
import { expect, onTestFinished, test } from "vitest";
import { readExposition } from "../harness/read-metrics.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

/** Forwards connections to a PostgreSQL until it is silenced: then it swallows what both sides send. */
async function startSilenceable(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const port = Number(url.port);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((from) => {
    const to = connect(port, url.hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on("data", (bytes) => void (isSilent || other.write(bytes)));
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, silence: () => void (isSilent = true), cut };
}

/** Scrapes a zone. Returns how long it took, its series, and the ages of its gauges. */
async function scrape(url: string) {
  const startedAt = performance.now();
  const exposed = readExposition(await (await fetch(`${url}/metrics`)).text());
  const tookMs = performance.now() - startedAt;
  const seriesOf = (name: string) => exposed.find((one) => one.name === name)?.samples ?? [];
  const ages: Record<string, number> = Object.fromEntries(
    seriesOf("gauge_age_seconds").map(({ labels, value }) => [labels["gauge"], value]),
  );
  return { tookMs, seriesOf, ages };
}

/** Of Prometheus, by default. What is promised is 1 s, on a machine with nothing else to do. */
const scrapeTimeoutMs = 10_000;

/** Scrapes until the values of all these gauges are old: in time, with the series of before. */
async function expectLastValues(url: string, before: Awaited<ReturnType<typeof scrape>>, gauges: readonly string[]) {
  await expect
    .poll(
      async () => {
        const now = await scrape(url);
        expect(now.tookMs).toBeLessThan(scrapeTimeoutMs / 2);
        for (const gauge of gauges)
          expect(now.seriesOf(gauge).map(({ labels }) => labels)).toEqual(
            before.seriesOf(gauge).map(({ labels }) => labels),
          );
        return gauges.filter((gauge) => (now.ages[gauge] ?? 0) < 2);
      },
      { timeout: 30_000 },
    )
    .toEqual([]);
}

test("O15: each gauge that asks PostgreSQL has its last value, and an age, while it is silent", async () => {
  const [one, other] = [
    await startSilenceable(await newPostgresDatabase()),
    await startSilenceable(await newPostgresDatabase()),
  ];
  const zones = await startCrosszone({ database: one.url, verificationEnv: { DATABASE_URL: other.url } });
  const befores = new Map<string, Awaited<ReturnType<typeof scrape>>>();
  for (const { url } of [zones.execution, zones.verification]) befores.set(url, await scrape(url));
  one.silence();
  other.silence();
  for (const [url, before] of befores) {
    const remote = Object.keys(before.ages);
    expect(remote.length).toBeGreaterThan(2);
    for (const gauge of remote) expect(metrics).toHaveProperty(gauge, expect.objectContaining({ type: "gauge" }));
    expect(Math.max(...Object.values(before.ages))).toBe(0);
    await expectLastValues(url, before, remote);
  }
  for (const { cut } of [one, other]) cut();
}, 120_000);

test.skipIf(!(await kafkaIsHere()))(
  "O15: the metrics of Kafka keep their values while its broker is stopped",
  async () => {
    const kafka = await startKafka();
    onTestFinished(() => kafka.stop());
    const { settings } = await newKafkaStore(kafka.brokers);
    const env = { KAFKA_BROKERS: kafka.brokers.join(","), KAFKA_TOPIC_PREFIX: settings.topicPrefix };
    const zone = await startOnDatabase(await newSqliteDatabase(), env);
    const gauges = ["bus_queue_messages", "bus_queue_oldest_age_seconds"];
    const before = await scrape(zone.url);
    expect(before.ages).toMatchObject({ bus_queue_messages: 0, bus_queue_oldest_age_seconds: 0, fires_waiting: 0 });
    expect(before.seriesOf("bus_queue_messages")).toHaveLength(4);
    kafka.halt();
    await expectLastValues(zone.url, before, gauges);
    expect((await scrape(zone.url)).ages).toMatchObject({ fires_waiting: 0 });
    const ready = (await (await fetch(`${zone.url}/readyz`)).json()) as { readonly checks: object };
    expect(ready.checks).toMatchObject({ kafka: { ok: false, reason: "no answer within 2 s" } });
  },
  120_000,
);
