import { cpuMsOf } from "@crosszone/testkit/cpu";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkStart } from "./check-file.ts";

const check = (text: string | Buffer, type: string): Promise<void> => checkStart(Buffer.from(text as string), type);
const png = Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001", "hex");
const zip = Buffer.from("504b0304140000000800", "hex");

test.each([
  ["a,b\n1,2", "text/csv"],
  ["", "text/plain"],
  ['{"a":"<html>"}', "application/json"],
  ["# A page\n<html> is a tag", "text/markdown"],
  ['<?xml version="1.0"?><a/>', "text/xml"],
  ["今日は", "text/plain"],
  [png, "image/png"],
  ["%PDF-1.7\n", "application/pdf"],
])("“%s” can be %s", async (text, type) => {
  await expect(check(text, type)).resolves.toBeUndefined();
});

test.each([
  ["<!DOCTYPE html><html>", "text/plain", "slack_signed_out"],
  ["  \r\n<!-- Slack --> <HTML lang=en>", "text/csv", "slack_signed_out"],
  ["<!doctype html>", "image/png", "slack_signed_out"],
  ["\uFEFF<!doctype html>", "text/csv", "slack_signed_out"],
  [`${"<!-- a -->\n".repeat(3)}<html>`, "text/plain", "slack_signed_out"],
  [png, "text/plain", "slack_wrong_type"],
  [png, "image/jpeg", "slack_wrong_type"],
  [zip, "application/pdf", "slack_wrong_type"],
  ["not a picture", "image/png", "slack_wrong_type"],
  ["zero\0byte", "text/plain", "slack_wrong_type"],
])("“%s” is not %s: %s", async (text, type, reason) => {
  await expect(check(text, type)).rejects.toMatchObject({ reason });
});

test("many comments without a page are scanned once, so a file can't keep the zone busy", async () => {
  // With backtracking, these 210 bytes take several seconds, and each further comment doubles that.
  expect(await cpuMsOf(() => check("<!---->".repeat(30), "text/plain"))).toBeLessThan(2_000);
});

test("any bytes are judged: only a refusal is thrown", async () => {
  const types = fc.constantFrom("text/plain", "application/json", "application/pdf", "image/png");
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), types, async (bytes, type) => {
      const judged = await checkStart(bytes, type).catch((error: unknown) => error);
      expect(judged === undefined || (judged as Error).name === "FileRefusedError").toBe(true);
    }),
    { numRuns: 200 },
  );
});
