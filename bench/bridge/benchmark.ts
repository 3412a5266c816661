import { withServices, type Times } from "../agents/services.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds } from "../kit/rounds.ts";
import { mediansOf, pairedRatio } from "../kit/statistics.ts";
import { measurePeer, type LoadName, type Sample, type Subject } from "./measure.ts";
import { buses, busNames, concurrency, peerNames, peers, type BusName } from "./peers.ts";

/** The samples of a peer on a bus under a load, and their medians. */
const samplesOf = (all: readonly Sample[], { bus, peer }: Subject, load: LoadName): Sample[] =>
  all.filter((one) => one.bus === bus && one.peer === peer && one.load === load);
const mediansIn = (samples: readonly Sample[]) => mediansOf(samples, ["tasksPerSecond", "cpuUs", "p50Ms", "p99Ms"]);

export const bridge = defineBenchmark({
  title: "A task's way to an agent and back",

  measure: ({ rounds, isQuick }, progress) => {
    const needs = busNames.map((name) => ({ name, engine: buses[name].engine, onKafka: name === "kafka" }));
    const times: Times = isQuick
      ? { warmUpMs: 300, windows: 1, windowMs: 300 }
      : { warmUpMs: 2_000, windows: 3, windowMs: 700 };
    return withServices(needs, progress, (services, names) => {
      const of = names.flatMap((bus) => peerNames.map((peer): Subject => ({ peer, bus })));
      return inRounds({ rounds, of, progress }, (one, round) => measurePeer(one, round, { ...services, ...times }));
    });
  },

  render: renderBridge,
});

const about = `A task is stored, an agent in another process is called over HTTP, and its result is stored. On Kafka, another program publishes the task and
receives the result. Texts of 230 B each way.

- **The bridge** is whole: a durable job for each task, leases, limits for each agent, deadlines, retries, circuits, logs and metrics.
- **The loop** is by hand: a row before each call, changed afterwards; on Kafka it keeps nothing. Both run ${concurrency} tasks at once.`;

export function renderBridge(samples: readonly Sample[]): string {
  const measured = busNames.filter((name) => samples.some(({ bus }) => bus === name));
  const each = measured.flatMap((bus) => peerNames.map((peer) => ({ bus, peer })));
  const loadSection = (load: LoadName, title: string): string =>
    tableSection({
      title,
      rows: each.map(({ bus, peer }) => {
        const own = samplesOf(samples, { bus, peer }, load);
        const toLoop = pairedRatio(
          [own, samplesOf(samples, { bus, peer: "loop" }, load)],
          ({ tasksPerSecond }) => tasksPerSecond,
        );
        return { bus, peer, toLoop, ...mediansIn(own) };
      }),
      columns: [
        ["peer", ({ bus, peer }) => `${buses[bus].title}: ${peers[peer]}`],
        ["tasks/s", ({ tasksPerSecond }) => fixed(tasksPerSecond, 0)],
        ["of the loop", ({ toLoop }) => fixed(toLoop, 2)],
        ["CPU µs a task", ({ cpuUs }) => fixed(cpuUs, 0)],
        ["p50 ms", ({ p50Ms }) => fixed(p50Ms, 1)],
        ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 1)],
      ],
    });
  return paragraphs(
    about,
    loadSection("at once", "Agents that answer at once, 200 tasks in flight"),
    loadSection("in 20 ms", "Agents that answer in 20 ms, 200 tasks in flight"),
    fairSection(samples, each),
    protocolSection(samples, measured),
  );
}

/** How many times as many tasks go over JSON-RPC as over simple-a2a: the median of the ratios within each round. */
const protocolRatio = (samples: readonly Sample[], bus: BusName): number | undefined =>
  pairedRatio(
    [samplesOf(samples, { bus, peer: "bridge" }, "at once"), samplesOf(samples, { bus, peer: "bridge" }, "simple")],
    ({ tasksPerSecond }) => tasksPerSecond,
  );

const fairSection = (samples: readonly Sample[], each: readonly Subject[]): string =>
  tableSection({
    title: "Slow agents beside fast ones",
    text: "45 agents that answer in 100 ms, without and with five more that answer in 1 s and have 30 tasks waiting each. Figures of the fast ones: slow agents\nshould raise their p99 by a quarter at most.",
    rows: each,
    columns: [
      ["peer", ({ bus, peer }) => `${buses[bus].title}: ${peers[peer]}`],
      ...(["fast", "fast and slow"] as const).flatMap((load) => {
        const medians = ({ bus, peer }: Subject) => mediansIn(samplesOf(samples, { bus, peer }, load));
        const which = load === "fast" ? "without" : "with";
        return [
          [`tasks/s ${which}`, (row: Subject) => fixed(medians(row).tasksPerSecond, 0)],
          [`p99 ms ${which}`, (row: Subject) => fixed(medians(row).p99Ms, 1)],
        ] as const;
      }),
    ],
  });

const protocolSection = (samples: readonly Sample[], measured: readonly BusName[]): string =>
  tableSection({
    title: "Both protocols",
    text: "The bridge, agents that answer at once, 200 tasks in flight. The ratio should be at least 0.95.",
    rows: measured,
    columns: [
      ["bus", (bus) => buses[bus].title],
      [
        "`jsonrpc-2.0` tasks/s",
        (bus) => fixed(mediansIn(samplesOf(samples, { bus, peer: "bridge" }, "at once")).tasksPerSecond, 0),
      ],
      [
        "`simple-a2a` tasks/s",
        (bus) => fixed(mediansIn(samplesOf(samples, { bus, peer: "bridge" }, "simple")).tasksPerSecond, 0),
      ],
      ["ratio", (bus) => fixed(protocolRatio(samples, bus), 2)],
    ],
  });
