import { expect, test } from "vitest";
import { brokerProperties } from "./broker-properties.ts";

test("a certificate of several lines is one line of the broker's configuration", () => {
  const certificate = { cert: "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n", key: "k\n" };
  const text = brokerProperties({
    dataFolder: "/data",
    ports: { plain: 1, controller: 2, secure: 3 },
    security: { certificate, username: "bus", password: "secret" },
  });
  expect(text).toContain("ssl.keystore.certificate.chain=-----BEGIN CERTIFICATE-----\\nMII=\\n-----END");
  expect(text).toContain("advertised.listeners=PLAINTEXT://127.0.0.1:1,SASL_SSL://127.0.0.1:3\n");
  expect(text.split("\n").every((line) => line === "" || /^[a-z][\w.-]*=/.test(line))).toBe(true);
});
