import { createPrivateKey, hash } from "node:crypto";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { answerWith, type FakeAnswer, runCli, startFakeZone } from "../testing/fake-zone.ts";

const [publicKey, other] = ["O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=", Buffer.alloc(32, 9).toString("base64")];
const privateKey = createPrivateKey({
  format: "der",
  type: "pkcs8",
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 0)]),
});
