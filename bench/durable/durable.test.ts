import { expect, test } from "vitest";
import { readOptions } from "../kit/benchmark.ts";
import { durable } from "./benchmark.ts";
import { judgeDurable, summarizeDurable } from "./figures.ts";
import type { DurableSample } from "./measure-peer.ts";
import { fullPlan, quickPlan, type PeerName } from "./plan.ts";
import { renderDurableReport } from "./report.ts";

const sample = (peer: PeerName, requestsPerSecond: number, members: Partial<DurableSample> = {}): DurableSample => ({
  peer,
  requestsPerSecond,
  mode: "accepted",
  size: "300 B",
  connections: 100,
  round: 0,
  cpuUs: 50,
  p50Us: 3_000,
  p99Us: 9_000,
  ...members,
});

test("the cost of durability is judged at 100 connections, 300 B, accepted, and by nothing else", () => {
  const samples = [
    sample("no-store", 20_000),
    sample("sqlite", 8_000),
    sample("sqlite-single", 2_001),
    sample("postgres", 9_000, { p50Us: 4_100 }),
    sample("postgres-single", 4_000),
    sample("a2a-sdk", 9_001),
    sample("sqlite", 1, { connections: 10 }),
    sample("sqlite", 1, { size: "16 KB" }),
    sample("sqlite", 1, { mode: "answered" }),
  ];
  const goals = judgeDurable({ samples, kills: [] });
  expect(goals.map(({ goal, met }) => `${met ? "✓" : "✗"} ${goal}`)).toEqual([
    "✓ SQLite ≥ 0.40 of no store",
    "✓ PostgreSQL ≥ 0.40 of no store",
    "✗ SQLite ≥ 4 × a commit a write",
    "✓ PostgreSQL ≥ 2 × a commit a write",
    "✗ PostgreSQL ahead of @a2a-js/sdk",
    "✓ SQLite p50 ≤ 4 ms",
    "✗ PostgreSQL p50 ≤ 4 ms",
  ]);
});

test("two servers are compared within a round; one round in which the machine was slow does not decide", () => {
  const samples = [0, 1, 2].flatMap((round) => {
    const speed = round === 1 ? 0.01 : 1;
    return [
      sample("no-store", 10_000 * speed, { round }),
      sample("sqlite", (round === 2 ? 1_000 : 5_000) * speed, { round }),
    ];
  });
  const at100 = summarizeDurable(samples).find(({ rows }) => rows.length > 0);
  expect(at100?.rows.map(({ peer, toNoStore, toSingle }) => [peer, toNoStore, toSingle])).toEqual([
    ["no-store", 1, undefined],
    ["sqlite", 0.5, undefined],
  ]);
});

test("one lost task misses the goal", () => {
  const kill = { peer: "sqlite", mode: "accepted", acknowledged: 1_000 } as const;
  const judge = (lost: number) =>
    judgeDurable({
      samples: [],
      kills: [
        { ...kill, lost: 0 },
        { ...kill, lost },
      ],
    });
  expect(judge(0)).toMatchObject([{ value: 0, met: true }]);
  expect(judge(1)).toMatchObject([{ value: 1, met: false }]);
});

test("a run of one server has no ratios, and no goals that need a second server", () => {
  const samples = [sample("sqlite", 8_000)];
  const figures = { samples, flushes: [], kills: [], soak: [] };
  const machine = { node: "v26", cpu: "cpu", cores: 2, pinned: true, loadBefore: 0 };
  const page = renderDurableReport({ machine, plan: fullPlan, figures, goals: judgeDurable(figures) });
  expect(page).toContain("| **crosszone, SQLite, group commit** |  8000 |             |");
  expect(page).not.toMatch(/NaN|undefined/);
});

test("the command line of bench:durable", () => {
  expect(readOptions(durable, ["--help"])).toBeUndefined();
  expect(readOptions(durable, [])).toMatchObject({ plan: fullPlan, soak: 0, write: false, json: false });
  expect(readOptions(durable, [])?.peers).toHaveLength(6);
  const chosen = ["--quick", "--only", "sqlite", "--only", "no-store", "--soak", "60", "--write"];
  expect(readOptions(durable, chosen)).toMatchObject({
    plan: quickPlan,
    peers: ["no-store", "sqlite"],
    soak: 60,
    write: true,
  });
  expect(() => readOptions(durable, ["--only", "mysql"])).toThrow("--only mysql: there is only no-store, sqlite");
  expect(() => readOptions(durable, ["--soak", "long"])).toThrow('Expected a whole number for --soak, got "long".');
  expect(() => readOptions(durable, ["--fast"])).toThrow(TypeError);
});
