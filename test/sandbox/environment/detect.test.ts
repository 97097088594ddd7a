import fc from "fast-check";
import { expect, test } from "vitest";
import {
  detectEnvironment,
  type EnvironmentHints,
} from "../../../src/sandbox/environment/index.ts";
import { verifies } from "../../verifies.ts";

const chosen = (hints: EnvironmentHints): string => {
  const { environment, because } = detectEnvironment(hints);
  return `${environment} by ${because}`;
};

verifies("004-21", "each hint beats all that come after it", () => {
  const hints: EnvironmentHints = {
    language: "rust",
    model: "go-coder",
    repositoryUrl: "https://git.example.org/team/tool-py",
    description: "run npm install and npm test",
    files: ["pom.xml"],
  };
  expect(chosen(hints)).toBe("rust by language");
  expect(chosen({ ...hints, language: undefined })).toBe("go by model");
  expect(chosen({ ...hints, language: " ", model: "" })).toBe("python by repository_url");
  const late = { description: hints.description, files: hints.files };
  expect(chosen(late)).toBe("node by description");
  expect(chosen({ files: hints.files })).toBe("java by files");
  expect(chosen({})).toBe("base by none");
});

verifies("004-20", "the endings -rs, -go and -py of an address name the language", () => {
  const by = (repositoryUrl: string) => chosen({ repositoryUrl });
  expect(by("https://git.example.org/team/parser-rs")).toBe("rust by repository_url");
  expect(by("git@git.example.org:team/parser-go.git")).toBe("go by repository_url");
  expect(by("https://git.example.org/team/parser-py/?tab=x#readme")).toBe(
    "python by repository_url",
  );
  expect(by("https://git.example.org/team/three.js")).toBe("node by repository_url");
  expect(by("https://git.example.org/team-rs/parser")).toBe("base by none");
  expect(by("https://git.example.org/team/go")).toBe("base by none");
  expect(by("https://git.example.org/team/cargo")).toBe("base by none");
});

verifies(
  "004-20",
  "words of a toolchain in the description name it, and other words do not",
  () => {
    const by = (description: string) => chosen({ description });
    expect(by("Make `cargo build` pass again.")).toBe("rust by description");
    expect(by("After npm install the start fails.")).toBe("node by description");
    expect(by("Two tests fail in PYTEST.")).toBe("python by description");
    expect(by("go test ./... is red")).toBe("go by description");
    expect(by("mvn verify")).toBe("java by description");
    expect(by("Port it from C++.")).toBe("cpp by description");
    expect(by("Let it go and mod the build.")).toBe("base by none");
    expect(by("The javascripts are trusted.")).toBe("base by none");
  },
);

verifies("004-20", "a hint for two languages is no hint", () => {
  expect(chosen({ description: "pytest fails after npm install" })).toBe("base by none");
  expect(chosen({ model: "rust-python-coder", files: ["go.mod"] })).toBe("go by files");
  expect(chosen({ files: ["package.json", "Cargo.toml"] })).toBe("base by none");
});

test("a stated language that there is no toolchain for is not guessed over", () => {
  expect(chosen({ language: "Haskell", model: "rust-coder" })).toBe("base by language");
});

test.each([
  ["TypeScript", "node"],
  ["js", "node"],
  ["Python3", "python"],
  ["golang", "go"],
  ["Kotlin", "java"],
  ["C++", "cpp"],
  ["c", "cpp"],
])("%s is run in %s", (language, environment) => {
  expect(detectEnvironment({ language }).environment).toBe(environment);
});

test("a letter in a model's name is no language", () => {
  expect(chosen({ model: "model-c-7b" })).toBe("base by none");
  expect(chosen({ model: "rust-coder" })).toBe("rust by model");
});

test("whatever the hints say, an answer comes at once", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constant("-".repeat(100_000)),
    fc.constant("go ".repeat(50_000)),
  );
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.array(fc.string()),
      (model, repositoryUrl, description, files) => {
        const found = detectEnvironment({ model, repositoryUrl, description, files });
        expect(["base", "node", "python", "rust", "go", "java", "cpp"]).toContain(
          found.environment,
        );
      },
    ),
  );
});
