#!/usr/bin/env node
// Old syntax on purpose: an older Node must get as far as the sentence.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major >= 24 || (major === 22 && minor >= 19)) {
  void import("../bundle/main.js");
} else {
  process.stderr.write(
    `crosszone needs Node.js 22.19 or later (not 23), and this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
