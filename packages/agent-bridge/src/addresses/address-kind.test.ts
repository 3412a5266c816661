import { expect, test } from "vitest";
import { addressKind } from "./address-kind.ts";

test.each([
  ["public", ["1.1.1.1", "8.8.8.8", "52.94.236.248", "192.0.1.1", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"]],
  ["private", ["10.0.0.1", "100.64.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"]],
  ["special", ["0.0.0.0", "169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "224.0.0.1"]],
  [
    "special",
    ["255.255.255.255", "240.0.0.1", "198.18.0.1", "203.0.113.9", "::", "fe80::1", "fe80::1%eth0", "ff02::1"],
  ],
  ["special", ["fd00:ec2::254", "fd20:ce::254", "2001::1", "2001:db8::1", "2002:7f00:1::", "fec0::1", "100::1"]],
  ["special", ["", "localhost", "1.1.1", "::ffff:1.2.3.4%1", "64:ff9b:1::1", "::127.0.0.1"]],
])("an address of a %s range is recognized by its number: %j", (kind, addresses) => {
  expect(addresses.map((address) => `${address} ${addressKind(address)}`)).toEqual(
    addresses.map((address) => `${address} ${kind}`),
  );
});

test("an IPv4 address within an IPv6 address is the IPv4 address", () => {
  expect(addressKind("::ffff:127.0.0.1")).toBe("loopback");
  expect(addressKind("::ffff:a9fe:a9fe")).toBe("special");
  expect(addressKind("0:0:0:0:0:ffff:10.1.2.3")).toBe("private");
  expect(addressKind("::FFFF:0:1")).toBe("special");
  expect(addressKind("64:ff9b::169.254.169.254")).toBe("special");
  expect(addressKind("64:ff9b::7f00:1")).toBe("loopback");
  expect(addressKind("64:ff9b::8.8.8.8")).toBe("public");
});
