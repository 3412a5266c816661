import { setImmediate as turn } from "node:timers/promises";
import { readCases } from "@crosszone/contracts/corpus";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { BusMessage, ChannelName } from "./kafka-bus.ts";
import { clientOptions, type KafkaSettings } from "./create-kafka-bus.ts";
import { createFetchRoom, createKeyLanes } from "./message-flow.ts";
import { createOutageReport, DeadLetterError } from "./kafka-errors.ts";
import { checkMessage, keyOf, parseMessage } from "./deliver-message.ts";
import { createOffsetCommits, createPartitionProgress } from "./offset-commits.ts";

const settings: KafkaSettings = { brokers: ["kafka.example.com:9093"], clientId: "zone" };

const plain = { mechanism: "PLAIN", username: "bus", password: "secret" } as const;

async function hasRoom(fetched: { readonly room: () => Promise<void> }): Promise<boolean> {
  return Promise.race([fetched.room().then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

interface Item {
  readonly key: string;
  readonly number: number;
  /** Number of runs until it is done. */
  readonly runs: number;
}

const items = fc.array(fc.record({ key: fc.constantFrom("a", "b", "c", "d"), runs: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 40,
});

const schemas: Readonly<Record<ChannelName, string>> = {
  agent_tasks: "agent-task",
  agent_results: "agent-result",
  agent_cancellations: "agent-cancellation",
};

const messages = (channel: ChannelName, valid: boolean): Uint8Array[] =>
  readCases(`bus/${schemas[channel]}`)
    .filter((one) => one.valid === valid)
    .map(({ value }) => new TextEncoder().encode(JSON.stringify(value)));

const names = Object.keys(schemas) as ChannelName[];

/** One partition whose commits are recorded. */
function open() {
  const progress = createPartitionProgress(0);
  const committed: { readonly offset: bigint | undefined; readonly at: number }[] = [];
  const failures: unknown[] = [];
  const member = {
    commit: async (offsets: ReadonlyMap<number, bigint>) =>
      void committed.push({ offset: offsets.get(0), at: performance.now() }),
    ended: new Promise<undefined>(() => undefined),
    stopFetching: () => undefined,
    leave: async () => undefined,
  };
  const outage = createOutageReport((error) => void failures.push(error));
  const commits = createOffsetCommits({ progress: () => [progress], member: () => member, outage });
  const handle = (offset: bigint): void => {
    progress.accept(offset, 0);
    progress.end(offset);
    commits.request();
  };
  const offsets = () => committed.map(({ offset }) => offset);
  return { commits, committed, offsets, failures, handle, member };
}

describe("create kafka bus", () => {
  test("a password is not sent unencrypted to another machine", () => {
    expect(() => clientOptions({ ...settings, sasl: plain })).toThrow(/TLS/);
    expect(() => clientOptions({ ...settings, brokers: ["127.0.0.1.example.com:9092"], sasl: plain })).toThrow(/TLS/);
    expect(clientOptions({ ...settings, sasl: plain, tls: true })).toMatchObject({ sasl: plain, tls: {} });
    expect(clientOptions({ ...settings, brokers: ["127.0.0.1:9092"], sasl: plain })).not.toHaveProperty("tls");
    expect(clientOptions({ ...settings, sasl: { ...plain, mechanism: "SCRAM-SHA-512" } })).toHaveProperty("sasl");
  });

  test("certificates are always checked", () => {
    const { tls } = clientOptions({ ...settings, tls: { ca: "a CA" } });
    expect(tls).toEqual({ ca: "a CA", minVersion: "TLSv1.2" });
  });
});

test("messages are fetched up to the limits of count and bytes; a single message may be larger", async () => {
  const fetched = createFetchRoom({ count: 2, bytes: 100 });
  expect(await hasRoom(fetched)).toBe(true);
  fetched.add(1_000);
  expect(await hasRoom(fetched)).toBe(false);
  const waiting = fetched.room();
  fetched.remove(1_000);
  await waiting;
  fetched.add(10);
  expect(await hasRoom(fetched)).toBe(true);
  fetched.add(10);
  expect(await hasRoom(fetched)).toBe(false);
  fetched.release();
  fetched.remove(10);
  expect(await hasRoom(fetched)).toBe(true);
});

describe("key lanes", () => {
  test("items of a key run in order and one at a time, even when repeated; concurrency stays within the limit", async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (given, concurrency) => {
        const all = given.map((item, number): Item => ({ ...item, number }));
        const left = new Map(all.map(({ number, runs }) => [number, runs]));
        const done: Item[] = [];
        const underWay = new Set<string>();
        const lanes = createKeyLanes<Item>({
          concurrency,
          keyOf: ({ key }) => key,
          run: async (item) => {
            expect(underWay.has(item.key)).toBe(false);
            underWay.add(item.key);
            expect(underWay.size).toBeLessThanOrEqual(concurrency);
            await turn();
            underWay.delete(item.key);
            const runs = (left.get(item.number) ?? 0) - 1;
            left.set(item.number, runs);
            if (runs > 0) return 0;
            done.push(item);
            return undefined;
          },
        });
        for (const item of all) lanes.add(item);
        await lanes.idle();
        expect(done).toHaveLength(all.length);
        const order = ({ key }: Item): number[] => done.filter((item) => item.key === key).map(({ number }) => number);
        for (const item of all) expect(order(item)).toEqual(order(item).toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });
});

describe("message codec", () => {
  test.each(names)("%s: every valid case can be published and read, and no invalid one", (channel) => {
    for (const bytes of messages(channel, true)) {
      const value = checkMessage(channel, parseMessage(bytes));
      expect(keyOf({ channel, value })).toBe(value.task_id);
    }
    for (const bytes of messages(channel, false)) {
      const json = parseMessage(bytes);
      expect(() => checkMessage(channel, json)).toThrow(DeadLetterError);
      expect(() => keyOf({ channel, value: json } as BusMessage)).toThrow(TypeError);
    }
  });

  test("B8: any bytes are a message or a dead letter that does not quote them", () => {
    const read = (bytes: Uint8Array): string => {
      try {
        checkMessage("agent_tasks", parseMessage(bytes));
        return "";
      } catch (error) {
        if (!(error instanceof DeadLetterError)) throw error;
        return error.message;
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(bytes)));
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        read(new TextEncoder().encode(JSON.stringify(json)));
      }),
    );
    expect(read(new TextEncoder().encode('{"secret": xoxb-1}'))).toBe("the message is not JSON");
    expect(read(new Uint8Array([0x22, 0xff, 0x22]))).toBe("the message is not UTF-8");
  });

  test.each([
    ['{"input_data":{"id":12345678901234567890}}', "/input_data/id is 12345678901234567890, which would become"],
    ['{"task_id":"a","task_id":"b"}', "/task_id is there twice"],
  ])("O1: a value of a message was changed: %s", (text, words) => {
    expect(() => parseMessage(Buffer.from(text))).toThrow(DeadLetterError);
    expect(() => parseMessage(Buffer.from(text))).toThrow(words);
  });
});

describe("offset commits", () => {
  test("offsets that arrive after a commit are committed together, a tenth of a second later", async () => {
    const { committed, offsets, handle } = open();
    handle(0n);
    await vi.waitFor(() => expect(offsets()).toEqual([1n]), { interval: 1 });
    for (const offset of [1n, 2n, 3n]) handle(offset);
    await vi.waitFor(() => expect(offsets()).toEqual([1n, 4n]));
    const [first, second] = committed.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(90);
  });

  test("a consumer that leaves the group commits without a pause", async () => {
    const { commits, offsets, handle } = open();
    handle(0n);
    await vi.waitFor(() => expect(offsets()).toEqual([1n]), { interval: 1 });
    handle(1n);
    await commits.finished();
    expect(offsets()).toEqual([1n, 2n]);
  });

  test("a failed commit is reported and retried", async () => {
    const { offsets, failures, handle, member } = open();
    const { commit } = member;
    member.commit = () => Promise.reject(new Error("no coordinator"));
    handle(0n);
    await vi.waitFor(() => expect(failures).toEqual([new Error("no coordinator")]));
    member.commit = commit;
    await vi.waitFor(() => expect(offsets()).toEqual([1n]));
  });
});
