/** One test case of a report. */
export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Milliseconds. */
  readonly durationMs: number;
  /** Why it failed or was skipped. */
  readonly message?: string | undefined;
  /** The text of a failure, or the output of a passed case. */
  readonly details?: string | undefined;
}

/** The test cases that were run together. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

export interface JunitReport {
  readonly name: string;
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly suites: readonly JunitSuite[];
}

/** Returns a report in the JUnit format that CI services read. https://github.com/testmoapp/junitxml */
export function junitXml({ name, startedAt, durationMs, suites }: JunitReport): string {
  const time = `time="${seconds(durationMs)}"`;
  const timestamp = `timestamp="${startedAt.toISOString().slice(0, 19)}"`;
  const inside = suites.map(
    (suite) =>
      `  <testsuite name="${attribute(suite.name)}" ${counts(suite.cases)} ${time} ${timestamp}>\n` +
      `${suite.cases.map(testCase).join("")}  </testsuite>\n`,
  );
  const all = counts(suites.flatMap(({ cases }) => cases));
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="${attribute(name)}" ${all} ${time}>\n${inside.join("")}</testsuites>\n`
  );
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

function counts(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase["outcome"]): number => cases.filter(({ outcome }) => outcome === wanted).length;
  return `tests="${cases.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
}

function testCase({ name, classname, outcome, durationMs, message = "", details }: JunitCase): string {
  const start = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}" time="${seconds(durationMs)}"`;
  if (outcome === "skipped") return `${start}><skipped message="${attribute(message)}"/></testcase>\n`;
  if (outcome === "failed")
    return `${start}><failure message="${attribute(message)}">${xml(details ?? "")}</failure></testcase>\n`;
  return details === undefined ? `${start}/>\n` : `${start}><system-out>${xml(details)}</system-out></testcase>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 can't have at all, and lone surrogates. */
const impossible =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes text for an XML element or a quoted attribute. Characters that XML can't have become U+FFFD. */
export function xml(text: string): string {
  return text.replaceAll(impossible, "\ufffd").replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
}

/** Escapes text for an attribute: line feeds and tabs stay. */
export function attribute(text: string): string {
  return xml(text).replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
