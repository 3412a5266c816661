import { clientNames, type ClientName } from "./clients/clients.ts";
import type { Samples } from "./measure.ts";
import { sizeNames, type SizeName } from "./messages.ts";
import { serverNames, type ServerName } from "./servers/servers.ts";
import { median } from "./statistics.ts";

/** How many times as much one server does as another: by requests in a second, and by CPU time for one. */
export interface Ratio {
  byRequests: number;
  byCpu: number;
}

const serverFigures = ["requestsPerSecond", "cpuUs", "busy", "p50Us", "p99Us"] as const;
export type ServerRow = Record<(typeof serverFigures)[number], number> & {
  server: ServerName;
  size: SizeName;
  toBare: Ratio;
};

/** The medians over all rounds. What was not measured is not there. */
export interface Summary {
  servers: ServerRow[];
  clients: { client: ClientName; cpuUs: number }[];
  steps: { size: SizeName; buildUs: number; parseUs: number }[];
}

export function summarise(samples: Samples): Summary {
  const clients = clientNames.map((client) => samples.clients.filter((sample) => sample.client === client));
  const steps = sizeNames.map((size) => samples.steps.filter((sample) => sample.size === size));
  return {
    servers: sizeNames.flatMap((size) => serverNames.flatMap((server) => serverRow(samples, size, server) ?? [])),
    clients: clients.flatMap((own) => (own[0] ? [{ client: own[0].client, ...mediansOf(own, ["cpuUs"]) }] : [])),
    steps: steps.flatMap((own) => (own[0] ? [{ size: own[0].size, ...mediansOf(own, ["buildUs", "parseUs"]) }] : [])),
  };
}

function serverRow(samples: Samples, size: SizeName, server: ServerName): ServerRow | undefined {
  const own = samples.servers.filter((sample) => sample.server === server && sample.size === size);
  const toBare = ratioOf(samples, size, [server, "bare"]);
  return toBare && { server, size, ...mediansOf(own, serverFigures), toBare };
}

/** Compares two servers within each round, where the machine was the same for both, and gives the median of that. */
export function ratioOf(
  samples: Samples,
  size: SizeName,
  [one, other]: readonly [ServerName, ServerName],
): Ratio | undefined {
  const ofSize = samples.servers.filter((sample) => sample.size === size);
  const pairs = ofSize
    .filter(({ server }) => server === one)
    .flatMap((mine) => {
      const theirs = ofSize.find(({ server, round }) => server === other && round === mine.round);
      return theirs ? [{ mine, theirs }] : [];
    });
  if (pairs.length === 0) return undefined;
  return {
    byRequests: median(pairs.map(({ mine, theirs }) => mine.requestsPerSecond / theirs.requestsPerSecond)),
    byCpu: median(pairs.map(({ mine, theirs }) => theirs.cpuUs / mine.cpuUs)),
  };
}

function mediansOf<Figure extends string>(
  samples: readonly Record<Figure, number>[],
  figures: readonly Figure[],
): Record<Figure, number> {
  const entries = figures.map((figure) => [figure, median(samples.map((sample) => sample[figure]))]);
  return Object.fromEntries(entries) as Record<Figure, number>;
}
