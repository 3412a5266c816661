import { createPrivateKey } from "node:crypto";
import { assert, asyncProperty, constant, integer, nat, tuple } from "fast-check";
import { expect, test } from "vitest";
import {
  Frontier,
  type Hash,
  hashLeaf,
  hashNode,
  openCheckpoint,
  openNote,
  proveInclusion,
  publicKeyText,
  readPublicKey,
  rootFrom,
  rootOf,
  signCheckpoint,
  signNote,
  splitNotes,
} from "./tree.ts";

/** https://github.com/google/certificate-transparency/blob/master/cpp/merkletree/merkle_tree_test.cc */
const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

test.each(roots.map((root, size) => [size, root]))(
  "V2: the tree of %i leaves has the root of RFC 6962",
  (size, root) => {
    const hashes = leaves.slice(0, size).map((hex) => hashLeaf(Buffer.from(hex, "hex")));
    expect(rootOf(hashes).toString("hex")).toBe(root);
  },
);

/** The definition of RFC 9162, word by word. */
function naiveRoot(hashes: readonly Hash[]): Hash {
  const [first] = hashes;
  if (first === undefined) return rootOf([]);
  if (hashes.length === 1) return first;
  let middle = 1;
  while (middle * 2 < hashes.length) middle *= 2;
  return hashNode(naiveRoot(hashes.slice(0, middle)), naiveRoot(hashes.slice(middle)));
}

test("V2: the frontier has the root of the definition; each leaf has a proof, which proves no other leaf and no other place", async () => {
  const cases = integer({ min: 2, max: 300 }).chain((size) => tuple(constant(size), nat(size - 1), nat(size)));
  await assert(
    asyncProperty(cases, async ([size, position, cut]) => {
      const hashes = Array.from({ length: size }, (_, n) => hashLeaf(`${n}`));
      const root = naiveRoot(hashes);
      const frontier = Frontier.of(cut, frontierOf(hashes.slice(0, cut)));
      for (const hash of hashes.slice(cut)) frontier.append(hash);
      expect(frontier.root()).toEqual(root);
      const proof = await proveInclusion(position, size, async (height, number) =>
        naiveRoot(hashes.slice(number * 2 ** height, (number + 1) * 2 ** height)),
      );
      const leaf = hashes[position] as Hash;
      expect(rootFrom(leaf, { position, size }, proof)).toEqual(root);
      expect(rootFrom(hashLeaf("other"), { position, size }, proof)).not.toEqual(root);
      expect(rootFrom(leaf, { position: (position + 1) % size, size }, proof)).not.toEqual(root);
      expect(rootFrom(leaf, { position, size }, [...proof, leaf])).toBeUndefined();
    }),
    { numRuns: 150 },
  );
});

function frontierOf(hashes: readonly Hash[]): string {
  const frontier = Frontier.of(0, "");
  for (const hash of hashes) frontier.append(hash);
  return frontier.toString();
}

test("V2: a frontier of another size is rejected", () => {
  expect(() => Frontier.of(3, frontierOf([hashLeaf("a")]))).toThrow("a tree with 3 leaves, got 1 hashes");
  expect(() => Frontier.of(1, "AAAA")).toThrow(RangeError);
});

/** https://pkg.go.dev/golang.org/x/mod/sumdb/note */
const publicKey = readPublicKey(
  Buffer.from("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "base64").subarray(1).toString("base64"),
);
const privateKey = createPrivateKey({
  format: "der",
  type: "pkcs8",
  key: Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    Buffer.from("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz", "base64").subarray(1),
  ]),
});
const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const signed = `${text}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

test("V2: notes are those of the reference implementation, byte by byte", () => {
  expect(signNote("PeterNeumann", text, privateKey)).toBe(signed);
  expect(openNote(signed, "PeterNeumann", [publicKey])).toBe(text);
  expect(publicKeyText(privateKey)).toBe(publicKeyText(publicKey));
});

const head = { origin: "example.com/log", size: 15368405, root: "31JQUq8EyQx5lpqtKRqryJzA+77WD2xmTyuB4uIlXeE=" };
const note = signCheckpoint(head, privateKey);

test.each([
  ["another name", note.replaceAll("example.com", "example.org"), "did not sign"],
  ["no signature", note.split("\n\n")[0] ?? "", "not a signed note"],
  ["text after the signature", `${note}more`, "not a signed note"],
  ["a changed size", note.replace("15368405", "15368406"), "its signature is wrong"],
  ["base64 with other last bits", note.replace(/.=\n$/, "B=\n"), "a signature is malformed"],
  ["a leading zero", signNote("a", `a\n01\n${head.root}\n`, privateKey), "not a checkpoint"],
  ["a line too many", signNote("a", `a\n1\n${head.root}\nmore\n`, privateKey), "not a checkpoint"],
])("V2: a checkpoint with %s does not count", (_, changed, why) => {
  expect(() => openCheckpoint(changed, [publicKey])).toThrow(why);
});

test("V2: a signature of a witness does not matter; notes one after the other are found", () => {
  const witnessed = `${note}— witness.example AAAAAAAA\n`;
  expect(splitNotes(note + witnessed + note)).toEqual([note, witnessed, note]);
  expect(openCheckpoint(witnessed, [publicKey])).toEqual(head);
});
