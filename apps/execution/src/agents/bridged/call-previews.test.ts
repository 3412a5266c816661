import { cpuMsOf } from "@crosszone/testkit/cpu";
import { array, assert, boolean, constantFrom, nat, property, record, type Arbitrary } from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerWith, fetchLinkedFiles } from "../answer-with.ts";
import { ArtifactPreview } from "./call-previews.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const text = (value: string) => ({ kind: "text", text: value });
const link = { kind: "file", file: { name: "a.txt", uri: "https://agents.example.com/a.txt" } };
const bytes = { kind: "file", file: { name: "b.txt", bytes: "aGk=" } };
const parts: Arbitrary<object> = constantFrom(
  ...["One", " two ", "\n\n", " ", "\u00a0", "🙂", "\ud83d", "\ude00", "three.\n"].map(text),
  ...["<think>Hm.</think>", "\n<think>Hm.\n</think>\n", "<thi", "`<think>`", "<tool_call>{}"].map(text),
  { kind: "data", data: { apples: 3 } },
  { kind: "data", data: [{ fruit: "pear", count: 4 }] },
  bytes,
  link,
);

interface Artifact {
  readonly artifactId: string;
  readonly parts: object[];
}

/** Previews artifacts; `shown` is the text so far. */
function watched() {
  const artifacts: Artifact[] = [];
  const pieces: string[] = [];
  const preview = new ArtifactPreview((delta) => pieces.push(delta));
  return { artifacts, pieces, preview, shown: () => pieces.join("") };
}

/** Returns the answer's text, with or without the files of the agent's origin. */
async function answerOf(artifacts: readonly Artifact[], isFetched: boolean): Promise<string> {
  const agent = { url: "https://agents.example.com/" } as never;
  const fetchFile = async (): Promise<Uint8Array> =>
    isFetched ? Buffer.from("hi") : Promise.reject(new Error("gone"));
  const deps = { agent, fetchFile, maxBytes: 1_000, signal: new AbortController().signal };
  return answerWith(await fetchLinkedFiles({ artifacts }, deps)).response_text;
}

const events = array(record({ part: parts, isNext: boolean(), waitMs: nat(70) }), { maxLength: 25 });

test("I2: while artifacts only grow, the preview only grows, and is a prefix of the answer", async () => {
  const runs: { shown: string; artifacts: readonly Artifact[] }[] = [];
  assert(
    property(events, (all) => {
      const { artifacts, preview, shown } = watched();
      for (const { part, isNext, waitMs } of all) {
        if (isNext || artifacts.length === 0) artifacts.push({ artifactId: `${artifacts.length}`, parts: [] });
        artifacts.at(-1)?.parts.push(part);
        preview.show(artifacts);
        vi.advanceTimersByTime(waitMs);
      }
      vi.advanceTimersByTime(10_000);
      runs.push({ shown: shown(), artifacts });
    }),
    { numRuns: 500 },
  );
  for (const { shown, artifacts } of runs)
    for (const isFetched of [true, false])
      expect((await answerOf(artifacts, isFetched)).slice(0, shown.length)).toBe(shown);
  expect(runs.filter(({ shown }) => shown.length > 20).length).toBeGreaterThan(50);
});

test("I2: whatever an agent does with its artifacts, the preview is a prefix of their text at that time", () => {
  const changes = array(record({ part: parts, at: nat(3), isAppended: boolean(), waitMs: nat(70) }), { maxLength: 25 });
  assert(
    property(changes, (all) => {
      const { artifacts, preview, pieces, shown } = watched();
      let told = 0;
      for (const { part, at, isAppended, waitMs } of all) {
        const known = artifacts[at];
        if (known === undefined) artifacts.push({ artifactId: `${artifacts.length}`, parts: [part] });
        else if (isAppended) known.parts.push(part);
        else artifacts[at] = { ...known, parts: [part] };
        const { response_text } = answerWith({ artifacts });
        preview.show(artifacts);
        vi.advanceTimersByTime(waitMs);
        const isNewer = pieces.length > told;
        expect(isNewer ? response_text.slice(0, shown().length) : shown()).toBe(shown());
        told = pieces.length;
      }
    }),
    { numRuns: 500 },
  );
});

test("artifacts are read at most every 60 ms, however many events arrive, and not after the end", () => {
  const { artifacts, preview, pieces, shown } = watched();
  const growing: Artifact = { artifactId: "a", parts: [] };
  artifacts.push(growing);
  for (let event = 0; event < 6_000; event += 1) {
    growing.parts.push(text("x"));
    preview.show(artifacts);
    if (event % 100 === 0) vi.advanceTimersByTime(1);
  }
  expect(pieces.length).toBeLessThanOrEqual(2);
  vi.advanceTimersByTime(60);
  expect(shown()).toBe("x".repeat(6_000));
  growing.parts.push(text("y"));
  preview.show(artifacts);
  preview.close();
  vi.advanceTimersByTime(1_000);
  expect(shown()).not.toContain("y");
});

test("a long artifact is read in linear time", async () => {
  const { preview, shown } = watched();
  const words = Array.from({ length: 40_000 }, () => text("word and "));
  expect(await cpuMsOf(() => preview.show([{ parts: words }]))).toBeLessThan(5_000);
  expect(shown()).toHaveLength(40_000 * 9 - 1);
});

test("data that can't be serialized ends only the preview", () => {
  const { preview, shown } = watched();
  const data: Record<string, unknown> = {};
  data["itself"] = data;
  preview.show([{ parts: [text("One")] }]);
  preview.show([{ parts: [text("One"), { kind: "data", data }] }]);
  expect(() => vi.advanceTimersByTime(60)).not.toThrow();
  expect(shown()).toBe("One");
});
