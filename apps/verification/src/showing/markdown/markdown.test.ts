// suite: both
import { someOf } from "@crosszone/testkit/cpu";
import { describe, expect, test } from "vitest";
import { composeAnswer, composeStreamed, composeWorking, introduced, longestMessage } from "./compose-answer.ts";
import { honestLinks, literalMarkdown, neutraliseMentions, oneLine, withoutOverrides } from "./neutralise.ts";
import { splitMarkdown } from "./split-markdown.ts";

const noPeople = new Set<string>();

const answer = { status: "success", response_text: "Rome" } as const;

describe("compose answer", () => {
  test("an answer of more than five messages becomes its first part and a file with the whole answer", () => {
    const text = "A line of an answer that goes on and on.\n".repeat(2_000);
    const { parts, file } = composeAnswer(text, noPeople);
    expect(parts).toHaveLength(1);
    expect(file?.content).toBe(text);
    expect(`${parts[0]}${file?.attached}`).toMatch(/\.\n+_This is only the beginning: .*follows as a file\._$/);
    expect(file?.notAttached).toMatch(/7\d,\d{3} of 82,000 characters are missing/);
    expect(`${parts[0]}${file?.notAttached}`.length).toBeLessThanOrEqual(longestMessage);
  });

  test("a link that was within code until the answer was cut into messages shows both hosts", () => {
    const lie = "[https://bank.example](https://evil.example)";
    const { parts } = composeAnswer(`\`${"word ".repeat(2_500)}${lie}\``, noPeople);
    expect(parts).toHaveLength(2);
    expect(parts[1]).toContain(`${lie} (evil.example)`);
  });
});

describe("introduced", () => {
  test("I6: an answer names its agent, unless that is the default agent or a workflow", () => {
    expect(introduced({ ...answer, agent: "scout", default_agent: false }, "Rome")).toEqual({
      name: "**scout**",
      text: "Rome",
    });
    expect(introduced({ ...answer, agent: "builtin", default_agent: true }, "Rome")).toEqual({
      name: "",
      text: "Rome",
    });
    expect(introduced({ ...answer, agent: "scout" }, "Rome")).toEqual({ name: "", text: "Rome" });
    const ofRun = { ...answer, agent: "publish", default_agent: false };
    expect(introduced(ofRun, "Rome", { isWorkflow: true }).name).toBe("");
    const said = { ...answer, agent: "*evil*\n# x", default_agent: false };
    expect(introduced(said, "Rome").name).toBe(String.raw`**\*evil\* # x**`);
  });

  test("I4: a question to the person says how to answer it", () => {
    expect(introduced({ ...answer, awaits: "input" }, "Which city?").text).toBe(
      "Which city?\n\n_Reply in this thread to answer._",
    );
    expect(introduced({ ...answer, awaits: "authorization" }, "Sign in.").text).toMatch(/to continue\._$/);
  });
});

test.each([
  ["[https://bank.example](https://evil.example/x)", "evil.example"],
  ["[bank.example/login](http://evil.example)", "evil.example"],
  ["[**bank.example**](<http://evil.example/a b>)", "evil.example"],
  ['[www.bank.example](https://evil.example "bank.example")', "evil.example"],
  ["[https://bank.example](https://bank.example@evil.example/)", "evil.example"],
  ["[Go to bank.example now](https://evil.example)", "evil.example"],
  ["[bank.example](https://login.bank.example)", "login.bank.example"],
  ["[bank.example](https://bänk.example)", "xn--bnk-qla.example"],
  ["[bank.example](https://bank.example:8443/)", "bank.example:8443"],
  ["[b\u200Bank.example](https://evil.example)", "evil.example"],
  [String.raw`[bank\.example](https://evil.example)`, "evil.example"],
  ["[bank.example](https://evil.example/a_(b))", "evil.example"],
  ["<http://evil.example/|https://bank.example>", "evil.example"],
])("a label that names a different host is followed by the link's host: %s", (link, host) => {
  expect(honestLinks(`See ${link}.`)).toBe(`See ${link} (${host}).`);
});

test.each([
  "[https://bank.example/a](https://bank.example/b)",
  "[Bank.example](https://www.bank.example/)",
  "[the bank](https://evil.example)",
  "<https://bank.example|bank.example>",
  "https://bank.example",
  "[mail me](mailto:a@bank.example)",
  "[bank.example](#section)",
  "a | b.example | c",
  "`[bank.example](https://evil.example)`",
  "``a ` [bank.example](https://evil.example)``",
  "```\n[bank.example](https://evil.example)\n```",
  "[bank.example](",
])("text without a misleading link is unchanged: %s", (text) => {
  expect(honestLinks(text)).toBe(text);
});

test("each of several links in a line is checked separately", () => {
  expect(honestLinks("[a.example](https://a.example) [b.example](https://c.example) `x`")).toBe(
    "[a.example](https://a.example) [b.example](https://c.example) (c.example) `x`",
  );
});

test.each([
  ["the backticks around it were escaped", "\\`[https://bank.example](http://evil.example)\\`", -2],
  ["its label had a line break", "[https://bank.example\nlogin](http://evil.example)", 0],
  ["its address was a reference", "[https://bank.example][1]\n\n[1]: http://evil.example", -26],
  ["its label had a number for a character", "[bank&#46;example](http://evil.example)", 0],
  ["its label had a name for a character", "[bank&period;example](http://evil.example)", 0],
  ["its label had brackets", "[a [bank.example] b](http://evil.example)", 0],
  ["its label had an ideographic full stop", "[bank。example](http://evil.example)", 0],
  ["Slack's form had entities in its label", "<http://evil.example|bank&#46;example>", 0],
  ["Slack's form had entities as its marks", "&lt;http://evil.example&#124;bank.example&gt;", 0],
  ["it led to a mailbox", "[bank.example](mailto:a@evil.example)", 0],
  ["its user looked like a host", "https://bank.example@evil.example/x", 0],
  ["its user looked like a host, in angle brackets", "<https://bank.example@evil.example>", 0],
  ["it was in a fence of tildes", "~~~\n[bank.example](http://evil.example)\n~~~", -4],
  ["it was an image", "![bank.example](http://evil.example)", 0],
  ["its label was an image", "[![bank.example](a.png)](http://evil.example)", 0],
  ["its address had no scheme", "[bank.example](//evil.example)", 0],
  ["a comment hid a backtick", "<!-- ` --> [bank.example](http://evil.example) `", -2],
  [
    "backticks were in different cells",
    "| a | b | c |\n|-|-|-|\n| \\| ` | [bank.example](http://evil.example) | ` |",
    -6,
  ],
  ["it was in a quoted list", "> - a\r\n> \t- b [bank.example](http://evil.example)", 0],
  ["125 brackets were before it", `${"[".repeat(125)}[bank.example](http://evil.example)`, 0],
  ["it was in 50 lists", `${"- ".repeat(50)}[bank.example](http://evil.example)`, 0],
])("a link showed a host that it did not lead to when %s", (_case, text, end) => {
  const place = end === 0 ? text.length : end;
  const honest = `${text.slice(0, place)} (evil.example)${text.slice(place)}`;
  expect(honestLinks(text)).toBe(honest);
  expect(honestLinks(honest)).toBe(honest);
});

test("a link that opens a program instead of the page that its label names says so", () => {
  expect(honestLinks("[bank.example](slack://open)")).toBe("[bank.example](slack://open) (slack:)");
});

test("characters that change the direction of text are removed, so that no address and no code reads backwards", () => {
  expect(honestLinks("\u202Eelpmaxe.knab\u202C &#8238;&#x202E;a\u2066b")).toBe("elpmaxe.knab ab");
  expect(honestLinks("שלום \u200Fمرحبا")).toBe("שלום \u200Fمرحبا");
  expect(honestLinks("`a\u202Eb &#8238;`")).toBe("`ab &#8238;`");
});

test.each([
  ["a misleading link whose paragraph goes on", "One. [bank.example](http://evil.example) and", "One. "],
  ["a label whose reference can follow", "One. [bank.example][1] and", "One. "],
  [
    "nothing else",
    "One. [bank.example](http://bank.example) [1] [x][2] and",
    "One. [bank.example](http://bank.example) [1] [x][2] and",
  ],
  [
    "nothing after the paragraph",
    "[bank.example](http://evil.example)\n\nTwo",
    "[bank.example](http://evil.example) (evil.example)\n\nTwo",
  ],
])("the beginning of an answer holds back %s", (_case, text, beginning) => {
  expect(honestLinks(text, { isUnfinished: true })).toBe(beginning);
});

test.each([
  "[",
  "[a.",
  "[a](",
  "`",
  "<https:",
  "a.",
  "[a](b ",
  "[\\[",
  "<https:a|b",
  "\\",
  "![",
  "[a][b",
  "> ",
  "&lt;a:",
])("a line of 50,000 characters of %j is processed in time", (piece) => {
  const text = `](|${piece.repeat(Math.ceil(50_000 / piece.length))}`;
  expect(honestLinks(text)).toBe(text);
});

const passes: Readonly<Record<string, (text: string) => unknown>> = {
  composeAnswer: (text) => composeAnswer(text, noPeople),
  composeStreamed: (text) => composeStreamed({ text, people: noPeople }),
  composeWorking: (text) => composeWorking({ text, people: noPeople, progress: undefined }),
  splitMarkdown: (text) => splitMarkdown(text, longestMessage),
  honestLinks: (text) => honestLinks(text.slice(0, longestMessage * 4)),
  neutraliseMentions: (text) => neutraliseMentions(text),
  literalMarkdown,
  withoutOverrides,
  oneLine: (text) => oneLine(text, 80),
};
const characters = "[]()<>`~*_#|\\!&@:. \n\t\u202e\u0301\u200d";
const pairs = ["](", "[a](", "![", "[[](", "*_", "<`", "<@", "&#0", "a.", "a@", "\r\n", "```\n", "[a]: x\n"];
const units = someOf([...characters.split(""), ...pairs], 6);

describe("an answer stopped the zone for seconds: four times as much of anything costs no more than four times as much work", () => {
  const timeOf = (pass: (text: string) => unknown, unit: string, length: number): number => {
    const text = unit.repeat(length / unit.length);
    const { user, system } = process.threadCpuUsage();
    pass(text);
    const end = process.threadCpuUsage();
    return (end.user + end.system - user - system) / 1_000;
  };
  const leastOf = (...which: Parameters<typeof timeOf>): number => Math.min(timeOf(...which), timeOf(...which));

  test.each(Object.entries(passes))("%s", (_name, pass) => {
    const slow = units.filter((unit) => {
      const long = timeOf(pass, unit, 262_144);
      if (long <= 50) return false;
      const most = 8 * leastOf(pass, unit, 65_536) + 50;
      // Slow code is slow each time; a busy machine is not.
      return long > most && timeOf(pass, unit, 262_144) > most;
    });
    expect(slow).toEqual([]);
  });

  test.each(["[", "![", "[[](", "<@", "[a]("])(
    "of a megabyte of %j, only the message that is shown is read closely",
    (unit) => {
      const length = 2 ** 20;
      const shown = leastOf((text) => honestLinks(text.slice(0, longestMessage)), unit, 2 ** 14);
      expect(leastOf(passes["composeAnswer"] as never, unit, length)).toBeLessThan(8 * shown + 50);
      const { parts, file } = composeAnswer(unit.repeat(length / unit.length), noPeople);
      expect([parts.length, file?.content.length]).toEqual([1, length]);
    },
  );
});
