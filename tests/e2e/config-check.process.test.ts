// suite: rest
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { runProgram } from "../harness/run-program.ts";

/** Files by name; with each what the command says of it, as line, column, pointer and words. */
type Files = Readonly<Record<string, readonly [text: string, ...says: string[]]>>;

const executionFiles: Files = {
  "good.yaml": ["assistant: {}\n"],
  "mark.yaml": ["\uFEFFapprovals: {}\n"],
  "unknown.yaml": [
    "agnets: []\nzzz: 1\n",
    "1:1: /agnets is not a section. Did you mean agents?",
    "2:1: /zzz is not a section. The sections are agents, ",
  ],
  "elsewhere.yaml": [
    "policy: {}\n",
    "1:1: /policy belongs to verification.yaml, the file of VERIFICATION_FILE: move it there",
  ],
  "members.yaml": [
    "approvals:\n  rule: []\n  zzz: 1\nassistant:\n  instructions: 5\n",
    "2:3: /approvals/rule is not a known member. Did you mean rules?",
    "3:3: /approvals/zzz is not a known member. The members are default, rules",
    "5:3: /assistant/instructions must be a text: put quotes around it",
  ],
  "kinds.yaml": [
    "agents: { a: 1 }\nschedules: [1]\nprograms: nowhere.yaml\n",
    '1:1: /agents must be a list: begin each item with "- "',
    "2:13: /schedules/0 must be a map: write its members as key: value",
    "3:1: /programs is not the path of a file: create the file, write another path, or write the section here",
  ],
  "tab.yaml": ["agents:\n\t- name: a\n", "2:1: a tab indents the line: use spaces"],
  "twice.yaml": ["hooks: []\nhooks: []\n", "2:1: the key is already in this map: remove one of the two"],
  "open.yaml": ["agents: [\n", "2:1: a { or [ is not closed"],
  "anchor.yaml": [
    "agents: [*a]\n",
    "1:10: an alias has no anchor before it: put quotes around a text that begins with *",
  ],
  "large.yaml": [
    "hooks: 99999999999999999999999\n",
    "1:8: 99999999999999999999999 would become 1e+23: put quotes around it",
  ],
  "list.yaml": ["- agents\n", "1:1: must be a map of sections: agents, "],
  "empty.yaml": ["", "1:1: is empty: write {} if every section has its default"],
  "documents.yaml": ["agents: []\n---\nhooks: []\n", "2:1: the file of settings has a second document: remove it"],
  "huge.yaml": ["#".repeat(4_000_001), "1:1: the file of settings is too large: the limit is 4,000,000 bytes"],
};

const verificationFiles: Files = {
  "policy.yaml": [
    "policy:\n  allow_guests: 1\n  follow: never\n  allowed_users: [bob]\n  allowed_team: []\n",
    "2:3: /policy/allow_guests must be true or false",
    "3:3: /policy/follow must be one of requester, everybody, mentions",
    "4:19: /policy/allowed_users/0 is not a user id, which starts with U or W",
    "5:3: /policy/allowed_team is not a known member. Did you mean allowed_teams?",
  ],
  "agents.yaml": ["agents: []\n", "1:1: /agents belongs to execution.yaml, the file of EXECUTION_FILE: move it there"],
};

/** A zone, its files, and one that is not there. */
type Row = readonly [zone: "execution" | "verification", files: Files];
const missing = "missing.yaml";
const rows: readonly Row[] = [
  ["execution", executionFiles],
  ["verification", verificationFiles],
];

/** Runs the command for a zone with these files. */
async function check([zone, files]: Row, ...words: string[]) {
  const written = Object.entries(files).flatMap(([name, [text]]) => (name === missing ? [] : [[name, text]]));
  const folder = tempFolder(Object.fromEntries(written) as Record<string, string>);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const env = { [`${zone.toUpperCase()}_FILE`]: paths.join(",") };
  return { folder, ...(await runProgram(`apps/${zone}/src/config.ts`, env, ...words)) };
}

test.each(rows)("config check of %s says every mistake of every file at once", async (zone, files) => {
  const gone = "1:1: the file of settings cannot be read (ENOENT): create it, or set another path";
  const given: Files = { ...files, [missing]: ["", gone] };
  const { folder, code, out, err } = await check([zone, given], "check");
  expect([code, err]).toEqual([1, ""]);
  const said = out.split("\n").filter((line) => /:\d+:\d+: /.test(line));
  const meant = Object.entries(given).flatMap(([name, [, ...says]]) =>
    says.map((words) => `${folder}/${name}:${words}`),
  );
  for (const words of meant) expect(said).toContainEqual(expect.stringContaining(words));
  expect(said).toHaveLength(meant.length);
  expect(out).toMatch(new RegExp(`, ${folder}/${missing}: ${meant.length} problems\n$`));
});

test("config check exits with 0 for files without a mistake, with 2 when it is called wrongly, and has a form for programs", async () => {
  const good: Row = ["execution", { "good.yaml": ["assistant: {}\n"] }];
  const bad: Row = ["verification", { "bad.yaml": ["agents: []\n"] }];
  const { out, ...ended } = await check(good, "check");
  expect([ended.code, out]).toEqual([0, `${ended.folder}/good.yaml: no problems\n`]);
  const json = await check(bad, "check", "--json");
  expect([json.code, JSON.parse(json.out)]).toEqual([
    1,
    {
      zone: "verification",
      files: [`${json.folder}/bad.yaml`],
      problems: [expect.objectContaining({ path: `${json.folder}/bad.yaml`, line: 1, column: 1, pointer: "/agents" })],
    },
  ]);
  const help = await check(good, "--help");
  expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^Usage: .* check \[--json\]\n[^]*Exit code: 0/)]);
  const wrong = await check(good, "chekc");
  expect([wrong.code, wrong.out, wrong.err]).toEqual([2, "", expect.stringContaining("Invalid arguments: chekc")]);
});
