import { listMcpTools } from "@crosszone/assistant/mcp";
import { oddLists, startOddServer } from "@crosszone/assistant/testing/odd-server";
import { assert, asyncProperty } from "fast-check";
import { expect, test } from "vitest";
import { shareOf } from "../harness/random.ts";

const discovered = { supportedVersions: ["2026-07-28"] };
const limits = { connectMs: 30_000, mostBytes: 1_000_000, listedMs: 0, failedMs: 0 };

test.each([
  ["2025", undefined],
  ["2026-07-28", discovered],
])(
  "J14, J49: of up to 5,000 lists of a server of %s the odd tool is named, and the others come out as they were listed",
  async (_version, known) => {
    const server = await startOddServer({ discovered: known });
    const wiki = { name: "wiki", reach: { url: server.url, fetch }, isReadOnly: true, callMs: 30_000 };
    const property = asyncProperty(oddLists, async ({ result, tools, leftOut }) => {
      server.requests.length = 0;
      server.list = () => result;
      const list = await listMcpTools(wiki, limits, new AbortController().signal);
      expect(JSON.stringify(list.tools)).toBe(JSON.stringify(tools));
      expect(list.leftOut).toHaveLength(leftOut);
    });
    await assert(property, { numRuns: shareOf(5_000, 100) });
  },
  600_000,
);
