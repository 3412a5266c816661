import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { cells, matrixTable, type CellResult } from "./cells.ts";
import { sdks, startSdkAgent } from "./start-sdk-agent.ts";
import { startSdkZones } from "./start-sdk-zones.ts";
import { openThread } from "./thread.ts";

const only = process.env["INTEROP_ONLY"]?.split(",");

/** Returns the first lines of an error, without colors. */
const wordsOf = (error: unknown): string =>
  stripVTControlCharacters(String(error instanceof Error ? error.message : error))
    .replaceAll(/\s+/g, " ")
    .slice(0, 400);

test(
  "I1, I2, I4, I5: people read the answers of agents on the official SDKs, in every case",
  { timeout: 240_000 },
  async () => {
    const agents = await Promise.all(
      sdks.filter(({ name }) => only?.includes(name) ?? true).map((sdk) => startSdkAgent(sdk)),
    );
    const { slack } = await startSdkZones(agents);
    const results = await Promise.all(
      agents.flatMap((agent) =>
        cells.map(async (cell): Promise<CellResult> => {
          const result = { sdk: agent.title, cell: cell.title };
          return cell.check(openThread(slack.control, 120_000), agent).then(
            () => result,
            (error: unknown) => ({ ...result, wrong: wordsOf(error) }),
          );
        }),
      ),
    );
    console.log(matrixTable(results));
    expect(results.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
    expect(results).toHaveLength(agents.length * cells.length);
  },
);
