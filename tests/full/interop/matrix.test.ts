// suite: load
import { expect, test } from "vitest";
import { shareOf } from "../../harness/random.ts";
import { noteWorksWith } from "../../external/works-with.ts";
import { caseCount, failuresOf } from "./start-sdk-zones.ts";
import { sdks, startSdkAgent } from "./start-sdk-agent.ts";

const only = process.env["INTEROP_ONLY"]?.split(",");

/** All SDKs at night. In a run that tries a share, one of each language. */
const tried = sdks.filter((_sdk, at) => at % (sdks.length / shareOf(sdks.length, 2)) < 1);

test(
  "I1, I2, I4, I5, J11: people read the answers of agents on the official SDKs, in every case",
  { timeout: 240_000 },
  async () => {
    const agents = await Promise.all(
      tried.filter(({ name }) => only?.includes(name) ?? true).map((sdk) => startSdkAgent(sdk)),
    );
    const failures = await failuresOf(agents);
    for (const { name, title } of agents) {
      const [version = ""] = /\d+\.\d+\.\d+/.exec(title) ?? [];
      const passed = caseCount - (failures.get(name)?.length ?? 0);
      const sdk = `A2A SDK for ${title.replace(/(\d+\.\d+)\.\d+/, "$1")}`;
      noteWorksWith({ name: sdk, version, as: "agent", passed, of: caseCount });
    }
    expect(Object.fromEntries(failures)).toEqual(Object.fromEntries(agents.map(({ name }) => [name, []])));
  },
);
