import { requestText, textBody, type HostileBody } from "../hostile-body.ts";

const depths = [10, 60, 61, 62, 63, 64, 65, 66, 100, 1_000, 5_000, 10_000, 32_767, 32_768, 65_536, 100_000];

/** A value within so many others of one kind. */
const nested: Record<string, (depth: number) => string> = {
  arrays: (depth) => "[".repeat(depth) + "]".repeat(depth),
  objects: (depth) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth),
  mixed: (depth) => '[{"a":'.repeat(depth / 2) + "1" + "}]".repeat(depth / 2),
  "arrays without end": (depth) => "[".repeat(depth),
  "objects without end": (depth) => '{"a":'.repeat(depth),
  "ends without a start": (depth) => "]".repeat(depth),
  "wide and deep": (depth) => '[0,{"b":[],"a":'.repeat(depth / 2) + "1" + "},[]]".repeat(depth / 2),
};

/** Nesting below, at and far above the limit, bare and in every member of a request. */
export const nesting: readonly HostileBody[] = Object.entries(nested).flatMap(([kind, write]) =>
  depths.flatMap((depth) => {
    const value = write(depth);
    return [
      textBody(`${depth} ${kind}`, value),
      textBody(`${depth} ${kind} in params`, requestText({ params: value })),
      ...(depth > 10_000
        ? []
        : ["id", "method", "jsonrpc", "extra"].map((member) =>
            textBody(`${depth} ${kind} in ${member}`, requestText({ [member]: value })),
          )),
    ];
  }),
);
