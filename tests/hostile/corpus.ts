import { encodings } from "./corpus/encodings.ts";
import { envelopes } from "./corpus/envelopes.ts";
import { largeValues } from "./corpus/large-values.ts";
import { memberNames } from "./corpus/member-names.ts";
import { nesting } from "./corpus/nesting.ts";
import { numbers } from "./corpus/numbers.ts";
import { severalMessages } from "./corpus/several-messages.ts";
import { strings } from "./corpus/strings.ts";
import { syntaxErrors } from "./corpus/syntax-errors.ts";
import { truncations } from "./corpus/truncations.ts";
import type { HostileBody } from "./hostile-body.ts";

/** All bodies that were thought of. What nobody thought of is made by `createHostileBodies`. */
export const corpus: readonly HostileBody[] = [
  ...envelopes,
  ...severalMessages,
  ...memberNames,
  ...syntaxErrors,
  ...numbers,
  ...strings,
  ...encodings,
  ...truncations,
  ...nesting,
  ...largeValues,
];
