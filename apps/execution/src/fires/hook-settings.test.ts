import { mistakesIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";
import { createSecretSource } from "@crosszone/agent-bridge";
import { hooksRow } from "./hook-settings.ts";

const environment = { AGENT_SECRET_CI: "a secret of 16 bytes or more", AGENT_SECRET_SHORT: "short" };
const secrets = createSecretSource({ environment });

/** Returns what is wrong with a file, each problem after its line. */
const problemsOf = (text: string) => mistakesIn("hooks", hooksRow(secrets.read), text);

/** A hook of these members on its fourth line. */
const hookOf = (members: string): string => `hooks:
  - name: ci
    owner: {team_id: T1, user_id: U1}
    ${members}
`;
const signed = "sign: {kind: github}\n    secrets: [env:AGENT_SECRET_CI]";
const asked = `agent: echo\n    text: hi\n    cap: {fires: 1}\n    ${signed}`;

test("the smallest hooks have no problem", async () => {
  expect(await problemsOf("hooks: []")).toEqual([]);
  expect(await problemsOf(hookOf(asked))).toEqual([]);
  expect(await problemsOf(hookOf(`event: {name: paid, key: "\${body.id}"}\n    ${signed}`))).toEqual([]);
});

test.each([
  ["an unknown member", `secret: x\n    ${asked}`, "4:5: /hooks/0/secret is not a known member"],
  ["a secret itself", asked.replace("env:AGENT_SECRET_CI", "planted"), "/hooks/0/secrets/0 must name a secret"],
  [
    "a secret that is not there",
    asked.replace("_CI", "_GONE"),
    "8:15: /hooks/0/secrets/0 can't be used: The secret env:AGENT_SECRET_GONE",
  ],
  ["a short secret", asked.replace("_CI", "_SHORT"), "/hooks/0/secrets/0 names a secret that is shorter than 16 bytes"],
  ["neither agent nor event", signed, "/hooks/0/agent is needed, or event, but not both"],
  ["both", `event: {name: paid, key: a}\n    ${asked}`, "/hooks/0/agent is needed, or event, but not both"],
  ["no cap", asked.replace("cap: {fires: 1}\n    ", ""), "/hooks/0/cap is needed"],
  ["text and input", `input: {}\n    ${asked}`, "/hooks/0/text is needed, or input, but not both"],
  [
    "an event with a text",
    `event: {name: a, key: b}\n    text: hi\n    ${signed}`,
    "/hooks/0/event has the body as its payload",
  ],
  ["hmac without a header", asked.replace("github", "hmac"), "/hooks/0/sign/header is needed"],
  [
    "a header of GitHub",
    asked.replace("github", "github, header: x-a"),
    "/hooks/0/sign has members that github does not have",
  ],
  ["a thread without its channel", `thread_ts: "1.2"\n    ${asked}`, "/hooks/0/thread_ts needs the channel"],
  [
    "another root",
    asked.replace("hi", '"${event.title}"'),
    "5:5: /hooks/0/text has ${event.title}: begin with body or headers",
  ],
  ["another language", asked.replace("hi", '"{{body.title}}"'), "/hooks/0/text contains {{body.title}}"],
  [
    "a reference without an end",
    asked.replace("hi", '"${body.title"'),
    "/hooks/0/text a reference must end with a brace",
  ],
  [
    "a condition of another language",
    `if: body.a and body.b\n    ${asked}`,
    "4:5: /hooks/0/if is not a valid CEL expression",
  ],
  ["a schema that is none", `schema: {type: text}\n    ${asked}`, "/hooks/0/schema/type"],
  [
    "the name of another hook",
    `${asked}\n  - name: ci\n    owner: {team_id: T1, user_id: U1}\n    ${asked}`,
    "/hooks/1/name is also the name of another hook",
  ],
])("a mistake is named by line, without values: %s", async (_what, members, problem) => {
  const problems = await problemsOf(hookOf(members));
  expect(problems.join("\n")).toContain(problem);
  expect(problems.join("\n")).not.toMatch(/planted|a secret of 16/);
});
