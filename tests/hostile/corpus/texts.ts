import { type HostileBody, inPlaces, requestText, textBodies } from "../hostile-body.ts";

/** Returns all texts of one to `most` of these parts. */
function sequencesOf(parts: readonly string[], most: number): string[] {
  const longer = most > 1 ? sequencesOf(parts, most - 1) : [];
  return [...parts, ...longer.flatMap((text) => parts.map((part) => text + part))];
}

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code));
const escapes = Array.from({ length: 0x60 }, (_, index) => `\\${String.fromCharCode(0x20 + index)}`);
/** Halves of surrogate pairs, and escapes that are cut or of other languages. */
const units = sequencesOf(["\\ud83d", "\\uDE00", "\\u0000", "\\u12", "\\u", "\\", "\\u{41}", "x"], 2);
const special = ["\\ufeff", "\\u202e", "\\u2028", "\u007f", "\u0080", "\u2028", "\ufffe", "\u202egnp.exe", "\\\n"];
const longTexts = ["a", "\\n", "\\u0041", "😀", "e\u0301"].map((unit) => unit.repeat(20_000));
/** Text with a meaning in other languages. */
const foreign = [
  "%s%n%x",
  "${7*7}{{7*7}}<%= 7*7 %>$(id)",
  "'; DROP TABLE tasks; --",
  "<script>alert(1)</script><!channel>",
  "\\r\\nX-Injected: 1",
  "../../etc/passwd",
  "http://169.254.169.254/",
];
const quoted = [...controls.map((one) => `a${one}b`), ...escapes, ...units, ...special, ...longTexts, ...foreign].map(
  (text) => `"${text}"`,
);
const allStrings = [...quoted, "'a'", '"a', 'a"', '"a""b"', '"a" "b"'];

/** Every control character, every escape, lone surrogates, and text with a meaning in other languages. */
export const strings: readonly HostileBody[] = [
  ...inPlaces("string", allStrings, "alone", "in params", "as id", "as method"),
  ...inPlaces("string", allStrings, "as a member's name", "as a task's text"),
  ...textBodies("control outside of a string", [
    ...controls.map((control) => `${control}${requestText({})}`),
    ...controls.map((control) => requestText({ id: `${control}1` })),
  ]),
];

/** Numbers that JavaScript makes infinite or zero, or rounds, or writes in another form. */
const extreme = ["1E400", "-1e400", "1e-400", "5e-324", "1.7976931348623157e308", "1e309"];
const large = ["9007199254740991", "9007199254740992", "-9007199254740993", "123456789012345678901234567890"];
const forms = ["0", "-0", "-0.0", "0e-0", "1.0", "0.1", "1.10", "1e+2", `1${"0".repeat(1_000)}e-1000`];
const long = ["9".repeat(400), `0.${"0".repeat(400)}1`, "9".repeat(100_000), `1e${"9".repeat(1_000)}`];
const goodNumbers = [...extreme, ...large, ...forms, ...long];
const otherNumbers = ["0x1F", "0b1", "0o7", "1_000", "1,000", "1 000", "NaN", "-Infinity", "1n", "1.e1", "1e1.5"];
const otherDigits = ["٣", "１", "½", "∞", "$1", "1%", "1/2", "1f"];
const allNumbers = [...sequencesOf(["0", "1", "-", "+", ".", "e"], 3), ...goodNumbers, ...otherNumbers, ...otherDigits];

/** Every text of up to three characters of numbers, numbers that JavaScript rounds, and long ones. */
export const numbers: readonly HostileBody[] = [
  ...inPlaces("number", allNumbers, "alone", "in params", "as id"),
  ...inPlaces("number", goodNumbers, "as a wait", "as a task's id"),
];

const tokens = ["{", "}", "[", "]", ",", ":", '"', "'", "1", "a", '"a"', "tru", "Null", "undefined", "..."];

/** Returns a document with each token missing, and with another token instead of it or before it. */
function editsOf(document: readonly string[]): string[] {
  return document.flatMap((_, at) => {
    const [before, behind] = [document.slice(0, at).join(""), document.slice(at + 1).join("")];
    const instead = tokens.flatMap((token) => [token, `${token}${document[at]}`]);
    return ["", ...instead].map((middle) => before + middle + behind);
  });
}

const edits = editsOf(["{", '"a"', ":", "[", "1", ",", "{", "}", ",", "null", "]", ",", '"b"', ":", '"c"', "}"]);
const otherLanguages = [
  "True",
  "nil",
  "None",
  "function(){}",
  "new Date()",
  "hello world",
  "<?xml version='1.0'?><a/>",
  "jsonrpc=2.0&method=list_agents",
  "%7B%7D",
  "---\njsonrpc: '2.0'",
  "(1)",
  "1+1",
  "/a/",
  "\\u007b\\u007d",
];
const beginnings = Array.from("\v\f\u00a0\u2028\u3000\u200b@#$&*~^|!?=;\\`", (character) => `${character}{}`);

/** Every error of one token, and text of other languages. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
export const syntaxErrors: readonly HostileBody[] = inPlaces(
  "syntax",
  [...edits, ...tokens, ...otherLanguages, ...beginnings],
  "alone",
  "in params",
);

const encoded = requestText({});
const bytes = Buffer.from(encoded);
const mark = Buffer.of(0xef, 0xbb, 0xbf);
const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

function utf32(text: string, bigEndian: boolean): Buffer {
  const points = Array.from(text, (point) => point.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(4 * points.length));
  points.forEach((point, index) => view.setUint32(4 * index, point, !bigEndian));
  return Buffer.from(view.buffer);
}

const gzipped = "1f8b0800000000000003ab56ca2acecf2bca4956b25232d2335052d2514a2e4a55b252ca2c4e51d251ca4d2dc9c8076a00";
const whole: Record<string, Buffer> = {
  "UTF-8 with a byte order mark": Buffer.concat([mark, bytes]),
  "two byte order marks": Buffer.concat([mark, mark, bytes]),
  "a byte order mark at the end": Buffer.concat([bytes, mark]),
  "half a byte order mark": Buffer.concat([mark.subarray(0, 2), bytes]),
  "only a byte order mark": mark,
  "UTF-16LE": Buffer.from(encoded, "utf16le"),
  "UTF-16LE with a mark": Buffer.from(`\ufeff${encoded}`, "utf16le"),
  "UTF-16BE": swapped(encoded),
  "UTF-16BE with a mark": swapped(`\ufeff${encoded}`),
  "UTF-32LE": utf32(encoded, false),
  "UTF-32LE with a mark": utf32(`\ufeff${encoded}`, false),
  "UTF-32BE with a mark": utf32(`\ufeff${encoded}`, true),
  "UTF-7": Buffer.from("+AHsAfQ-"),
  latin1: Buffer.from(requestText({ id: '"é"' }), "latin1"),
  "gzip that nobody announced": Buffer.from(gzipped, "hex"),
  "every byte": Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  NULs: Buffer.alloc(1_000),
};

/** First bytes of each kind, and second bytes at each bound of what is valid behind them. https://www.rfc-editor.org/rfc/rfc3629#section-4 */
const firstBytes = [0x80, 0xbf, 0xc0, 0xc1, 0xc3, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xf8, 0xfc, 0xfe, 0xff];
const secondBytes = [0x22, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf];
const byteSequences = firstBytes.flatMap((first) => [
  [first],
  ...secondBytes.flatMap((second) =>
    ["", "\xbf", "\xbf\xbf"].map((rest) => [first, second, ...Buffer.from(rest, "latin1")]),
  ),
]);

/** What is around a sequence of bytes, by the name of the place. */
const surroundings: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  "in a string": ['{"jsonrpc":"2.0","method":"list_agents","id":1,"x":"', '"}'],
  "in a name": ['{"jsonrpc":"2.0","method":"list_agents","id":1,"', '":1}'],
  "in the id": ['{"jsonrpc":"2.0","method":"list_agents","id":"', '"}'],
  "before a request": ["", encoded],
  "behind a request": [encoded, ""],
};

/** Byte order marks, other encodings, and every kind of invalid UTF-8. */
export const encodings: readonly HostileBody[] = [
  ...Object.entries(whole).map(([name, buffer]) => ({ name, bytes: buffer })),
  ...Object.entries(surroundings).flatMap(([place, [before, behind]]) =>
    byteSequences.map((sequence) => ({
      name: `${Buffer.from(sequence).toString("hex")} ${place}`,
      bytes: Buffer.concat([Buffer.from(before), Buffer.from(sequence), Buffer.from(behind)]),
    })),
  ),
];
