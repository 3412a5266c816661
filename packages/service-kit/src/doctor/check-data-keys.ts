import { failed, passed, warned, type Check } from "./check.ts";

const make = "Create one with: openssl rand -base64 32";

/** Checks that the data keys are random, and lists retired ones. Shows only their ids. */
export function checkDataKeys(items: readonly string[] | undefined): Check {
  return {
    name: "data keys",
    reads: ["DATA_KEYS"],
    run: () => {
      if (items === undefined)
        return warned(
          "DATA_KEYS is not set: secrets are not stored, and what people write is stored unencrypted",
          make,
        );
      const keys = items.map((item) => {
        const [id = "", text = ""] = item.split(":", 2);
        return { id, bytes: Buffer.from(text, "base64") };
      });
      const weak = keys.filter(({ bytes }) => looksChosen(bytes)).map(({ id }) => id);
      if (weak.length > 0) return failed(`${weak.join(", ")} can be guessed: it is text, or repeats itself`, make);
      const [first, ...others] = keys.map(({ id }) => id);
      if (new Set(keys.map(({ bytes }) => bytes.toString("hex"))).size < keys.length)
        return warned("two ids have the same key, so rotating between them has no effect", make);
      if (others.length === 0) return passed(`one, ${first}, looks random`);
      const todo = `Run the data command reseal, then remove ${others.join(", ")}.`;
      return warned(`${first} encrypts; ${others.join(", ")} can still decrypt`, todo);
    },
  };
}

/** 32 random bytes have about 30 distinct values, and are almost never all printable. */
function looksChosen(bytes: Buffer): boolean {
  return new Set(bytes).size < 20 || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}
