const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Endings that a name without a folder needs: `config.load` and `process.env` are no files. */
const EXTENSIONS = words(`
  adoc asm astro avsc awk bash bat bazel bib bicep bzl c cc cedar cedarschema cfg cjs clj cljs cmake cmd
  coffee conf cpp cr cs csproj css csv cts cue cxx d dart dhall diff ejs el elm erb erl ex exs f90 fish
  fs fsx gemspec go gql gradle graphql groovy h haml hbs hcl hpp hrl hs htm html hxx ini ipynb j2 java
  jl js json json5 jsonc jsonl jsx kt kts less lhs liquid lisp lock lua m4 mak md mdx mjs mk ml mli mm
  mod mts mustache nim nix njk nomad patch php pl plist pm po prisma proto ps1 psm1 pug purs py pyi pyx
  qml r rake rb re rego rkt robot rs rst s sass sbt scala scm scss service sh sln sol sql
  srt strings styl sum svelte svg swift tcl tex tf tfvars thrift timer tmpl toml ts tsv tsx twig txt
  v vb vbs vert vhd vhdl vim vue wat webmanifest wgsl wsdl xaml xhtml xml xsd xsl xslt yaml yml zig zsh
`);
const BARE_NAMES = words(`
  makefile gnumakefile dockerfile containerfile license licence readme changelog procfile gemfile rakefile
  vagrantfile jenkinsfile justfile codeowners notice authors copying brewfile podfile caddyfile pipfile
  gradlew build.bazel cmakelists.txt
`);
/** Products that are called like files. */
const PRODUCTS = words(`
  node.js next.js nuxt.js vue.js react.js angular.js ember.js backbone.js express.js three.js d3.js p5.js
  chart.js discord.js moment.js alpine.js socket.io asp.net vb.net nest.js deno.js bun.js
`);

const EXTENSION = /\.([A-Za-z0-9_+-]{1,16})$/;

/**
 * Whether words that somebody put where a file's name could stand are one. Words that are said to be
 * a name (`file`, `path=`) are not asked about: this is for the others, and unsure means no, which
 * leaves the block without a name and refused.
 */
export function isNameLike(name: string): boolean {
  if (name === "" || /[\s<>|"'`*?={};,]|:\/\//.test(name)) return false;
  // Routes are folders in parentheses; everything else with parentheses is a call.
  if (/[()]/.test(name.replace(/(^|\/)\([\w.-]+\)(?=\/)/g, "$1"))) return false;
  if (PRODUCTS.has(name.toLowerCase())) return false;
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  if (BARE_NAMES.has(last.toLowerCase()) || /^\.[A-Za-z][\w.-]*$/.test(last)) return true;
  const extension = EXTENSION.exec(last)?.[1];
  if (extension === undefined) return false;
  return last !== name || EXTENSIONS.has(extension.toLowerCase());
}

/** The ending of a path in small letters; empty where there is none. */
export function extensionOf(path: string): string {
  return EXTENSION.exec(path)?.[1]?.toLowerCase() ?? "";
}
