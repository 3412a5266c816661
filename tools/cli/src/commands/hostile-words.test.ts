import { stripVTControlCharacters } from "node:util";
import { hostileAnswers, rawHostile } from "@crosszone/contracts/hostile";
import type { McpServerList } from "@crosszone/contracts";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { commandGroups } from "../command-groups.ts";
import { runCli, runOnTerminal } from "../testing/run-cli.ts";

const answers = [...hostileAnswers()].map(([template, body]) => {
  const path = new RegExp(`^/api/v1${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { path, body: JSON.stringify(body) };
});

/** The operands of commands: a name, and that of its tool. */
const [server] = (hostileAnswers().get("/mcp-servers") as McpServerList).servers;
const named = [server?.name, server?.tools[0]?.name];

/** Every command that only shows what a zone has. */
const showing = commandGroups
  .flatMap(({ commands }) => commands)
  .filter(({ name }) => /(^| )(list|show|fires|receipt|usage|find)$/.test(name));

test("X34: what a stranger wrote into any member of any list moves no cursor and turns no text around in a terminal", async () => {
  const read = new Set<string>();
  const url = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://zone");
    const found = answers.find(({ path }) => path.test(pathname));
    if (found) read.add(pathname);
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" }).end(found?.body ?? "{}");
  });
  const raw: string[] = [];
  const failed: string[] = [];
  for (const { name, operands } of showing)
    for (const json of [[], ["--json"]]) {
      const argv = [...name.split(" "), ...operands.map((_, at) => named[at] ?? ""), ...json];
      const { code, out, err } = await runCli(url, argv);
      if (code !== 0) failed.push(`${argv.join(" ")}: ${err}`);
      // Colors are the command line's own.
      const { shown } = json.length > 0 ? { shown: "" } : await runOnTerminal(url, argv, { columns: 400 });
      const line = `${out}${err}${stripVTControlCharacters(shown)}`.split("\n").find((one) => rawHostile.test(one));
      if (line !== undefined) raw.push(`${argv.join(" ")}: ${JSON.stringify(line)}`);
    }
  expect([raw, failed]).toEqual([[], []]);
  // One of each list, and of most other things.
  expect(read.size).toBeGreaterThan(20);
});
