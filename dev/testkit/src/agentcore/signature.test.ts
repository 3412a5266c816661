import { expect, test } from "vitest";
import { signatureProblem } from "./signature.ts";

/** The example of AWS's own documentation of Signature Version 4. */
const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const scope = { credentials, region: "us-east-1", service: "iam", now: Date.parse("2015-08-30T12:36:00Z") };
const headers = {
  host: "iam.amazonaws.com",
  "content-type": "application/x-www-form-urlencoded; charset=utf-8",
  "x-amz-date": "20150830T123600Z",
  authorization:
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
};
const request = { method: "GET", url: "/?Action=ListUsers&Version=2010-05-08", headers };
const empty = new Uint8Array();

test("the specification's example is valid, up to five minutes late or early", () => {
  expect(signatureProblem(request, empty, scope)).toBeUndefined();
  for (const late of [-299_000, 299_000])
    expect(signatureProblem(request, empty, { ...scope, now: scope.now + late })).toBeUndefined();
});

test.each<[string, object, object, Uint8Array]>([
  ["without a signature", { headers: { host: "iam.amazonaws.com" } }, {}, empty],
  ["in another scheme", { headers: { ...headers, authorization: "Bearer x" } }, {}, empty],
  ["another method", { method: "POST" }, {}, empty],
  ["another path", { url: "/x?Action=ListUsers&Version=2010-05-08" }, {}, empty],
  ["another query", { url: "/?Action=ListRoles&Version=2010-05-08" }, {}, empty],
  ["another header", { headers: { ...headers, "content-type": "text/plain" } }, {}, empty],
  ["a header of AWS's that is not signed", { headers: { ...headers, "x-amz-target": "x" } }, {}, empty],
  ["another body", {}, {}, Buffer.from("x")],
  ["five minutes late", {}, { now: scope.now + 301_000 }, empty],
  ["from the future", {}, { now: scope.now - 301_000 }, empty],
  ["another region", {}, { region: "us-west-2" }, empty],
  ["another service", {}, { service: "bedrock-agentcore" }, empty],
  ["another secret", {}, { credentials: { ...credentials, secretAccessKey: "x" } }, empty],
  ["another key", {}, { credentials: { ...credentials, accessKeyId: "AKIDOTHER" } }, empty],
  ["without its session token", {}, { credentials: { ...credentials, sessionToken: "token" } }, empty],
])("%s is refused", (...[, changed, otherScope, body]) => {
  expect(signatureProblem({ ...request, ...changed }, body, { ...scope, ...otherScope })).toHaveProperty("name");
});
