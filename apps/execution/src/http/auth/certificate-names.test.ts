import * as fc from "fast-check";
import { expect, test } from "vitest";
import { certificateNames } from "./mtls-auth.ts";

const names = (subject: string, subjectAltName?: string): string[] => certificateNames({ subject, subjectAltName });

test("the common name and every alternative name, each with its type", () => {
  expect(
    names("C=DE\nO=Crosszone\nCN=verification", "DNS:a.example.com, URI:spiffe://x/y, IP Address:127.0.0.1"),
  ).toEqual(["CN=verification", "DNS:a.example.com", "URI:spiffe://x/y", "IP Address:127.0.0.1"]);
  expect(names("O=verification")).toEqual([]);
});

test("a name that looks like two names is one", () => {
  expect(names("CN=x", String.raw`URI:"spiffe://x, DNS:good, URI:y", DNS:b`)).toEqual([
    "CN=x",
    "URI:spiffe://x, DNS:good, URI:y",
    "DNS:b",
  ]);
});

test("a text that can't be parsed to its end has no alternative names", () => {
  for (const text of ["DNS:a, nonsense", 'DNS:a, URI:"x', 'DNS:a"b"', "DNS:a,URI:b"])
    expect(names("CN=x", text)).toEqual(["CN=x"]);
});

test("no quoted name, whatever it contains, adds another name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      expect(names("CN=x", `URI:${JSON.stringify(value)}`).length).toBeLessThanOrEqual(2);
      expect(names("CN=x", `URI:${JSON.stringify(value)}`)).not.toContain("DNS:good");
    }),
  );
});
