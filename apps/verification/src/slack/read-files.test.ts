import { expect, test } from "vitest";
import { readFileInfo } from "./read-files.ts";

test("the conversations of a file are read from every member in which Slack lists them", () => {
  const shares = { public: { C2: [{ ts: "1" }] }, private: { G2: [] } };
  expect(readFileInfo({ mimetype: "text/csv", channels: ["C1"], groups: ["G1"], ims: ["D1"], shares })).toEqual({
    mime_type: "text/csv",
    external: false,
    shared_in: ["C1", "G1", "D1", "C2", "G2"],
  });
});

test("a file that Slack only links to is external, in each of Slack's forms", () => {
  expect(readFileInfo({ mode: "external" }).external).toBe(true);
  expect(readFileInfo({ is_external: true, mode: "hosted" }).external).toBe(true);
  expect(readFileInfo({ mode: "hosted" }).external).toBe(false);
});

test("members of a wrong type count as missing: such a file is shared nowhere", () => {
  expect(readFileInfo({ channels: "C1", shares: { public: ["C1"] }, size: -1, url_private: 7 })).toEqual({
    mime_type: "",
    external: false,
    shared_in: [],
  });
  expect(() => readFileInfo(undefined)).toThrow("files.info: no_file");
});
