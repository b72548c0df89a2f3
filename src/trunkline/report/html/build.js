/** Bundles src/ into built/: one script, one style, the coastline, the licences, and a digest of what went in. */

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = (/** @type {string} */ path) => new URL(path, import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(here(path), "utf8");

const result = await build({
  absWorkingDir: here(".").pathname,
  entryPoints: ["src/main.js"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  outfile: "built/page.js",
  metafile: true,
  logLevel: "warning",
});
for (const name of ["built/page.js", "built/page.css"])
  if (/<\/(script|style)|https?:\/\/(?!www\.w3\.org)/i.test(read(name)))
    throw new Error(`${name} holds what ends its element, or an address`);

// Natural Earth's countries at 1:110,000,000 without their names: land and borders
const world = JSON.parse(read("node_modules/world-atlas/countries-110m.json"));
for (const country of world.objects.countries.geometries) {
  delete country.properties;
  delete country.id;
}
writeFileSync(here("built/coast.json"), JSON.stringify(world) + "\n");

const inlined = Object.keys(result.metafile.inputs)
  .filter((path) => path.startsWith("node_modules/"))
  .map((path) => path.split("/")[1]);
const licences = [...new Set([...inlined, "world-atlas"])].sort().map((name) => {
  const { version, license } = JSON.parse(read(`node_modules/${name}/package.json`));
  const file = readdirSync(here(`node_modules/${name}`)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${read(`node_modules/${name}/${file}`).trim()}\n`;
});
writeFileSync(here("built/LICENSES.txt"), licences.join("\n----\n\n"));

// the same sum that the test takes of the same files
const sources = [
  "build.js",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  ...readdirSync(here("src"))
    .sort()
    .map((name) => `src/${name}`),
];
const digest = createHash("sha256");
for (const name of sources) digest.update(`${name}\n${read(name)}`);
writeFileSync(here("built/sources.sha256"), digest.digest("hex") + "\n");
