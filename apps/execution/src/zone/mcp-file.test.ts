import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";
import { mcpRow } from "../agents/assistant/mcp-settings.ts";
import { loadExecutionConfig } from "./config/config.ts";
import { openMcpAccess } from "./open-mcp.ts";

const problemsOf = (text: string) => mistakesIn("mcp", mcpRow, text);
const read = (text: string) => sectionIn("mcp", mcpRow, text);

test("a file names servers at a URL and programs", async () => {
  const text = `mcp:
  - name: search
    url: https://search.example.com/mcp
    oauth: { issuer: https://id.example.com, client_id: crosszone, client_secret: env:AGENT_SECRET_SEARCH, scopes: [read] }
    timeout: 2m
    channels: [C0123]
  - name: files
    command: files-mcp
    args: [--root, /srv]
    env: [LANG]
    read_only: true
`;
  expect(await read(text)).toMatchObject([
    { name: "search", timeout: 120_000, read_only: false, channels: ["C0123"], oauth: { scopes: ["read"] } },
    { name: "files", command: "files-mcp", args: ["--root", "/srv"], timeout: 60_000, read_only: true },
  ]);
  expect(await read("{}")).toEqual([]);
});

test("J47, J51: a program has a working directory and a time to start of its own", async () => {
  const declared = await read("mcp:\n  - { name: files, command: files-mcp, cwd: /srv/files, start_timeout: 2m }\n");
  expect(declared).toMatchObject([{ cwd: "/srv/files", start_timeout: 120_000 }]);
  const { values: config } = loadExecutionConfig({});
  const { servers } = openMcpAccess(declared, config, {});
  expect(servers).toMatchObject([{ reach: { command: "files-mcp", cwd: "/srv/files", startMs: 120_000 } }]);
});

test.each([
  ["a URL and a command", "url: https://a.example, command: a", /needs one of url and command/],
  ["neither", "read_only: true", /needs one of url and command/],
  [
    "token and oauth",
    "url: https://a.example, token: file:a, oauth: {issuer: https://i.example, client_id: c, client_secret: file:a}",
    /both token and oauth/,
  ],
  ["a token for a command", "command: a, token: file:a", /token and oauth are for a url/],
  ["args for a URL", "url: https://a.example, args: [a]", /args, env, cwd and start_timeout are for a command/],
  ["a time to start for a URL", "url: https://a.example, start_timeout: 10s", /start_timeout are for a command/],
  [
    "no credentials",
    "url: https://a.example, oauth: {issuer: https://i.example, client_id: c}",
    /one of client_secret and private_key/,
  ],
])("it is refused: %s", async (_what, members, words) => {
  expect((await problemsOf(`mcp: [{name: a, ${members}}]`)).join()).toMatch(words);
});

test("two servers can't have one name", async () => {
  const text = "mcp:\n  - {name: wiki, url: http://a}\n  - {name: Wiki, url: http://b}\n";
  expect(await problemsOf(text)).toEqual(["3:6: /mcp/1/name is also the name of another server"]);
});

test("G5: a mistake is reported without its value, which may be the secret", async () => {
  const texts = [
    "token: planted",
    "oauth: {client_secret: planted, client_id: [planted]}",
    "url: https://u:planted@a.example",
  ];
  for (const members of texts)
    expect((await problemsOf(`mcp: [{name: a, ${members}}]`)).join()).not.toContain("planted");
  expect(await problemsOf("mcp: [{name: a, url: http://a, token: planted}]")).toEqual([
    "1:32: /mcp/0/token must name a secret, not contain it: write env:AGENT_SECRET_… or file:…",
  ]);
});
