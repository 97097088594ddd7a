/** What a file is for; reviewers choose by it. */
export type Form = "code" | "style" | "data" | "document" | "text" | "binary";

interface Language {
  readonly language: string;
  readonly form: Form;
  /** Without the dot, in lower case. */
  readonly extensions: readonly string[];
  /** Whole file names, in lower case. */
  readonly names?: readonly string[];
  /** Programs that a `#!` line may name, without a version. */
  readonly interpreters?: readonly string[];
}

const words = (text: string): readonly string[] => text.split(" ");

/** Every language that is told apart; the first row that fits counts. */
export const LANGUAGES: readonly Language[] = [
  {
    language: "typescript",
    form: "code",
    extensions: words("ts mts cts tsx"),
    interpreters: words("tsx ts-node deno"),
  },
  {
    language: "javascript",
    form: "code",
    extensions: words("js mjs cjs jsx"),
    interpreters: words("node nodejs bun"),
  },
  {
    language: "python",
    form: "code",
    extensions: words("py pyi pyw"),
    interpreters: words("python pypy uv"),
  },
  {
    language: "ruby",
    form: "code",
    extensions: words("rb rake gemspec"),
    names: words("rakefile gemfile"),
    interpreters: ["ruby"],
  },
  { language: "go", form: "code", extensions: ["go"] },
  { language: "rust", form: "code", extensions: ["rs"] },
  { language: "java", form: "code", extensions: ["java"] },
  { language: "kotlin", form: "code", extensions: words("kt kts") },
  { language: "scala", form: "code", extensions: words("scala sc") },
  { language: "swift", form: "code", extensions: ["swift"] },
  { language: "csharp", form: "code", extensions: ["cs"] },
  { language: "c", form: "code", extensions: words("c h") },
  { language: "cpp", form: "code", extensions: words("cc cpp cxx hh hpp hxx") },
  { language: "php", form: "code", extensions: words("php phtml"), interpreters: ["php"] },
  { language: "perl", form: "code", extensions: words("pl pm"), interpreters: ["perl"] },
  { language: "lua", form: "code", extensions: ["lua"], interpreters: ["lua"] },
  {
    language: "shell",
    form: "code",
    extensions: words("sh bash zsh ksh fish"),
    names: words(".bashrc .zshrc .profile"),
    interpreters: words("sh bash zsh dash ksh fish"),
  },
  { language: "powershell", form: "code", extensions: words("ps1 psm1"), interpreters: ["pwsh"] },
  { language: "elixir", form: "code", extensions: words("ex exs"), interpreters: ["elixir"] },
  { language: "dart", form: "code", extensions: ["dart"] },
  { language: "sql", form: "code", extensions: ["sql"] },
  { language: "vue", form: "code", extensions: ["vue"] },
  { language: "svelte", form: "code", extensions: ["svelte"] },
  { language: "terraform", form: "code", extensions: words("tf hcl") },
  { language: "makefile", form: "code", extensions: ["mk"], names: words("makefile gnumakefile") },
  {
    language: "dockerfile",
    form: "code",
    extensions: ["dockerfile"],
    names: words("dockerfile containerfile"),
  },
  { language: "css", form: "style", extensions: words("css scss sass less") },
  { language: "html", form: "document", extensions: words("html htm xhtml") },
  { language: "markdown", form: "document", extensions: words("md mdx markdown") },
  { language: "restructuredtext", form: "document", extensions: ["rst"] },
  {
    language: "json",
    form: "data",
    extensions: words("json jsonc json5 jsonl webmanifest map"),
    names: [".babelrc", ".eslintrc"],
  },
  { language: "yaml", form: "data", extensions: words("yaml yml") },
  {
    language: "toml",
    form: "data",
    extensions: ["toml"],
    names: words("cargo.lock poetry.lock uv.lock"),
  },
  { language: "xml", form: "data", extensions: words("xml svg xsd plist csproj pom") },
  {
    language: "ini",
    form: "data",
    extensions: words("ini cfg conf properties env"),
    names: words(".env .npmrc .editorconfig .gitconfig"),
  },
  { language: "csv", form: "data", extensions: words("csv tsv") },
];

/** Endings that never hold text a reviewer could read. */
export const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  words(
    "png jpg jpeg gif webp avif ico bmp tiff pdf zip gz tgz bz2 xz zst 7z rar jar war class exe dll so dylib a o obj wasm node woff woff2 ttf otf eot mp3 mp4 m4a mov avi webm ogg wav flac sqlite db pyc pyo bin iso dmg psd",
  ),
);
