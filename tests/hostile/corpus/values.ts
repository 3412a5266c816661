import { paramsBodies, requestText, textBodies, type HostileBody } from "../hostile-body.ts";

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code));
const escapes = Array.from({ length: 0x60 }, (_, index) => `"\\${String.fromCharCode(0x20 + index)}"`);
const units = [
  "\\ud800",
  "\\udfff",
  "\\ud800\\ud800",
  "\\udc00\\ud800",
  "\\uD83D\\uDE00",
  "\\ud83d",
  "\\ud83dx",
  "\\u0000",
  "\\uffff",
  "\\ufeff",
  "\\u202e",
  "\\u2028",
  "\\u00",
  "\\u",
  "\\u12",
  "\\u123",
  "\\u123g",
  "\\u+123",
  "\\u 123",
  "\\u{41}",
  "\\U0041",
  "\\x41",
  "\\0",
  "\\101",
  "\\N{DASH}",
  "\\\n",
  "\\",
].map((text) => `"${text}"`);
const odd = [
  '"a\tb"',
  '"a\nb"',
  '"a\rb"',
  "'a'",
  '"a',
  'a"',
  '"a""b"',
  '"a" "b"',
  '"\u007f"',
  '"\u0080"',
  '"\u2028"',
  '"\ufffe"',
  '"\u202egnp.exe"',
  `"${"a".repeat(100_000)}"`,
  `"${"\\n".repeat(50_000)}"`,
  `"${"\\u0041".repeat(20_000)}"`,
  `"${"😀".repeat(20_000)}"`,
  `"${"e\u0301".repeat(20_000)}"`,
  '"%s%n%x"',
  '"${7*7}{{7*7}}<%= 7*7 %>"',
  '"\'; DROP TABLE tasks; --"',
  '"<script>alert(1)</script>"',
  '"\\r\\nX-Injected: 1"',
  '"../../etc/passwd"',
  '"<!channel>"',
  '"http://169.254.169.254/"',
  '"$(id)"',
];
const allStrings = [...controls.map((control) => `"a${control}b"`), ...escapes, ...units, ...odd];

/** Every control character, every escape, lone surrogates, and text with a meaning in other languages. */
export const strings: readonly HostileBody[] = [
  ...textBodies("string", allStrings),
  ...paramsBodies("string", allStrings),
  ...textBodies(
    "string as id",
    allStrings.map((id) => requestText({ id })),
  ),
  ...textBodies(
    "string as method",
    allStrings.map((method) => requestText({ method })),
  ),
  ...textBodies(
    "string as a member",
    allStrings.map((name) => requestText({ params: `{${name}:1}` })),
  ),
  ...textBodies(
    "string as text",
    allStrings.map((text, index) =>
      requestText({
        method: '"execute_task"',
        id: `"text-${index}"`,
        params: `{"channel":"C","text":${text},"bot_token":"h"}`,
      }),
    ),
  ),
  ...textBodies(
    "control outside of a string",
    controls.map((control) => `${control}${requestText({})}`),
  ),
  ...textBodies(
    "control inside of an object",
    controls.map((control) => requestText({ id: `${control}1` })),
  ),
];

const goodNumbers = [
  "0",
  "-0",
  "-0.0",
  "0e0",
  "0e-0",
  "1E400",
  "-1e400",
  "1e-400",
  "5e-324",
  "1.7976931348623157e308",
  "1e309",
  "9007199254740991",
  "9007199254740993",
  "-9007199254740993",
  "18446744073709551616",
  "0.1",
  "1.0",
  "1.10",
  "1e+2",
  "123456789012345678901234567890",
  "9".repeat(400),
  `0.${"0".repeat(400)}1`,
  "9".repeat(100_000),
  `1e${"9".repeat(1_000)}`,
  `1${"0".repeat(1_000)}e-1000`,
];

const badNumbers = [
  "01",
  "-01",
  "00",
  "-",
  "--1",
  "+1",
  "++1",
  ".5",
  "-.5",
  "5.",
  "1.e1",
  "1e",
  "1e+",
  "1e-",
  "1E",
  "1e1.5",
  "0x1F",
  "0X1F",
  "0b1",
  "0o7",
  "1_000",
  "1,000",
  "1 000",
  "NaN",
  "-NaN",
  "Infinity",
  "-Infinity",
  "inf",
  "1n",
  "1f",
  "1d",
  "٣",
  "１",
  "½",
  "1..2",
  "1.2.3",
  "1ee2",
  "0.e",
  "$1",
  "1%",
  "1/2",
  "∞",
];

/** Numbers that JavaScript rounds, that are invalid in JSON, or that are long. */
export const numbers: readonly HostileBody[] = [
  ...textBodies("number", [...goodNumbers, ...badNumbers]),
  ...paramsBodies("number", [...goodNumbers, ...badNumbers]),
  ...textBodies(
    "number as id",
    [...goodNumbers, ...badNumbers].map((id) => requestText({ id })),
  ),
  ...textBodies(
    "number as wait_ms",
    goodNumbers.map((wait) =>
      requestText({ method: '"get_async_task_result"', params: `{"task_id":"t","wait_ms":${wait}}` }),
    ),
  ),
  ...textBodies(
    "number as the id of a task",
    goodNumbers.map((id) =>
      requestText({ id, method: '"execute_task"', params: '{"channel":"C","text":"2+2","bot_token":"h"}' }),
    ),
  ),
];

const encoded = requestText({});
const bytes = Buffer.from(encoded);
const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();

function utf32(text: string, bigEndian: boolean): Buffer {
  const points = Array.from(text);
  const out = Buffer.alloc(points.length * 4);
  points.forEach((point, index) => {
    const code = point.codePointAt(0) ?? 0;
    if (bigEndian) out.writeUInt32BE(code, index * 4);
    else out.writeUInt32LE(code, index * 4);
  });
  return out;
}

const whole: Record<string, Buffer> = {
  "UTF-8 with a byte order mark": Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes]),
  "two byte order marks": Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), bytes]),
  "a byte order mark at the end": Buffer.concat([bytes, Buffer.of(0xef, 0xbb, 0xbf)]),
  "half a byte order mark": Buffer.concat([Buffer.of(0xef, 0xbb), bytes]),
  "only a byte order mark": Buffer.of(0xef, 0xbb, 0xbf),
  "UTF-16LE": Buffer.from(encoded, "utf16le"),
  "UTF-16LE with a mark": Buffer.from(`\ufeff${encoded}`, "utf16le"),
  "UTF-16BE": swapped(encoded),
  "UTF-16BE with a mark": swapped(`\ufeff${encoded}`),
  "UTF-32LE": utf32(encoded, false),
  "UTF-32LE with a mark": utf32(`\ufeff${encoded}`, false),
  "UTF-32BE with a mark": utf32(`\ufeff${encoded}`, true),
  "UTF-7": Buffer.from("+AHsAfQ-"),
  latin1: Buffer.from(requestText({ id: '"é"' }), "latin1"),
  "gzip that nobody announced": Buffer.from(
    "1f8b0800000000000003ab56ca2acecf2bca4956b25232d2335052d2514a2e4a55b252ca2c4e51d251ca4d2dc9c8076a00",
    "hex",
  ),
  "every byte": Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  NULs: Buffer.alloc(1_000),
};

/** Bytes that are invalid in UTF-8. https://www.rfc-editor.org/rfc/rfc3629#section-3 */
const sequences: Record<string, number[]> = {
  "a lone continuation": [0x80],
  "the last continuation": [0xbf],
  "two continuations": [0x80, 0xbf],
  "0xfe": [0xfe],
  "0xff": [0xff],
  "0xc0": [0xc0],
  "0xc1": [0xc1],
  "0xf5": [0xf5],
  "0xf8 and four": [0xf8, 0x88, 0x80, 0x80, 0x80],
  "0xfc and five": [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
  "an overlong slash": [0xc0, 0xaf],
  "an overlong slash of three": [0xe0, 0x80, 0xaf],
  "an overlong slash of four": [0xf0, 0x80, 0x80, 0xaf],
  "an overlong NUL": [0xc0, 0x80],
  "an overlong quote": [0xc0, 0xa2],
  "the greatest overlong of three": [0xe0, 0x9f, 0xbf],
  "the greatest overlong of four": [0xf0, 0x8f, 0xbf, 0xbf],
  "a high surrogate": [0xed, 0xa0, 0x80],
  "a low surrogate": [0xed, 0xbf, 0xbf],
  "a pair of surrogates": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  "above U+10FFFF": [0xf4, 0x90, 0x80, 0x80],
  "two of two cut": [0xc3],
  "three cut after one": [0xe2],
  "three cut after two": [0xe2, 0x82],
  "four cut after one": [0xf0],
  "four cut after two": [0xf0, 0x9f],
  "four cut after three": [0xf0, 0x9f, 0x98],
  "a cut one and a good one": [0xc3, 0xc3, 0xa9],
  "a good one": [0xc3, 0xa9],
  "the last code point": [0xf4, 0x8f, 0xbf, 0xbf],
  "a noncharacter": [0xef, 0xbf, 0xbf],
};

function around(name: string, sequence: readonly number[]): HostileBody[] {
  const places: Record<string, [before: string, after: string]> = {
    "in a string": ['{"jsonrpc":"2.0","method":"list_agents","id":1,"x":"', '"}'],
    "in a name": ['{"jsonrpc":"2.0","method":"list_agents","id":1,"', '":1}'],
    "in the id": ['{"jsonrpc":"2.0","method":"list_agents","id":"', '"}'],
    "before a request": ["", encoded],
    "behind a request": [encoded, ""],
    "before a quote": ['{"jsonrpc":"2.0","id":1,"method":"list_agents', '"}'],
    alone: ["", ""],
  };
  return Object.entries(places).map(([place, [before, after]]) => ({
    name: `${name} ${place}`,
    bytes: Buffer.concat([Buffer.from(before), Buffer.from(sequence), Buffer.from(after)]),
  }));
}

/** Byte order marks, other encodings, and every kind of invalid UTF-8. */
export const encodings: readonly HostileBody[] = [
  ...Object.entries(whole).map(([name, buffer]) => ({ name, bytes: buffer })),
  ...Object.entries(sequences).flatMap(([name, sequence]) => around(name, sequence)),
];
