import { resolve } from "node:path";
import { text, type Option } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { ownRoot } from "../zone/zone-process.ts";
import { commitBefore } from "./code-size.ts";
import { measurePath } from "./measure.ts";
import { renderPath } from "./report.ts";
import { engines, type Engine } from "./start-system.ts";

const engineOption: Option<Engine> = {
  value: "name",
  hint: "the database of both zones: sqlite, the default, or postgres, which is started for it",
  read: (given) => {
    const engine = given.at(-1) ?? "sqlite";
    const known = engines.find((one) => one === engine);
    if (known === undefined) throw new TypeError(`Expected ${engines.join(" or ")} for --engine, got "${engine}".`);
    return known;
  },
};

export const path = defineBenchmark({
  script: "measure:path",
  about: "Shows what is on the way of one question to a registered HTTP agent, from Slack and back.",
  options: {
    engine: engineOption,
    zones: text("folder", "the repository whose zones run, by default this one", ownRoot),
  },
  notes: `Starts both zones, a local Slack and an agent as processes and servers on loopback. Sends three questions to warm up, records the idle zones
for five seconds, then sends three more, each alone.

  file        a source file below apps/ or packages/, not a generated one, of which a function ran for each of the three questions
  line        a line of these functions, without comments and empty lines. "whole" has all lines of these files
  border      a pair of folders such that a file on the way in the first imports, as a value, a file on the way in the second. A name that
              an index passes on counts as imported from the file that defines it
  write       an insert, update or delete part of a statement that changed a row
  round trip  a message that waits for an answer of PostgreSQL; begin and commit are two, a batch of statements is one. On SQLite: statements,
              without pragmas
  commit      a transaction that was committed, or a statement or batch that wrote
  apart       statements that an idle zone sends too and that did no more now: polls, renewals of leases, retention. They are not counted,
              even where the question has caused a look that found nothing

Of the three questions, each zone's statements are those of the question that took the fewest: background work can only add some.
Queue, bus and worker code stores questions, tasks, calls and messages, leases them, works on them, wakes and ends; bench/path/code-size.ts
has its globs. Its size is that of all its files without tests, at ${commitBefore} and now. Of the files on the way it is shown apart: a question
runs much else, such as checks, logs, metrics and policies, which reading along one question hardly shows.`,
  measure: ({ engine, zones }, progress) => measurePath({ engine, root: resolve(zones) }, progress),
  render: renderPath,
});
