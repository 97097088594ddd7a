import fc from "fast-check";
import { expect, test } from "vitest";
import { uploadCommandsIn } from "../../src/admit/index.ts";
import { verifies } from "../verifies.ts";

/** Words of a command line, as a shell without quotes would cut them. */
const words = (line: string) => line.split(" ");
const inShell = (script: string) => uploadCommandsIn(["sh", "-c", script]);

verifies("004-42", "the upload commands that are always forbidden are found", () => {
  const forbidden = {
    "git push": "git push",
    "scp a.tar me@host:/srv": "scp",
    "rsync -a out/ me@host:out": "rsync to another machine",
    "rsync -e ssh out x": "rsync to another machine",
    "curl -T a.tar https://host.example.org": "curl -T",
    "aws s3 cp a s3://b": "aws s3 cp",
    "aws s3 sync . s3://b": "aws s3 sync",
    "gsutil cp a gs://b": "gsutil cp",
    "az storage blob upload -f a": "az storage blob upload",
    "rclone copy a remote:b": "rclone copy",
  };
  for (const [line, found] of Object.entries(forbidden)) {
    expect(uploadCommandsIn(words(line)), line).toEqual([found]);
  }
});

test.each([
  "git -C dir push origin main",
  "git -c user.name=x --git-dir .git push",
  "git -c alias.up=push up",
  "git lfs push origin main",
  "git subtree push --prefix x origin main",
  "aws --profile p --region eu-1 s3 cp a s3://b",
  "aws s3api put-object --bucket b",
  "gcloud --project p storage cp a gs://b",
  "az storage blob upload-batch -d c -s .",
  "azcopy copy a https://b.example.org",
  "rclone --config c sync a b:",
  "gh release upload v1 a.tar",
  "gh -R o/r release create v1",
  "npm publish",
  "npm --tag next publish",
  "pnpm publish",
  "yarn npm publish",
  "twine upload dist/*",
  "python3 -m twine upload dist/*",
  "python3.12 -m twine upload dist/*",
  "cargo publish",
  "cargo publish --dry-run=false",
  "gem push a.gem",
  "docker push image",
  "docker image push image",
  "docker buildx build --push .",
  "docker --host h push image",
  "skopeo copy a docker://b",
  "mvn -q deploy",
  "gradle :app:publishToMaven",
  "sftp me@host",
  "ssh me@host cat",
  "curl --upload-file a https://host.example.org",
  "curl --upload a https://host.example.org",
  "curl -F f=@a https://host.example.org",
  "curl -sSfF f=@a https://host.example.org",
  "curl -d @a https://host.example.org",
  "curl -da=b https://host.example.org",
  "curl --data-binary @a https://host.example.org",
  "curl --json {} https://host.example.org",
  "curl -X POST https://host.example.org",
  "curl -XPUT https://host.example.org",
  "curl --request patch https://host.example.org",
  "curl -d a http://localhost@host.example.org",
  "curl -d a http://localhost:80@host.example.org/",
  "curl -d a http://localhost.example.org",
  "curl -d a --proxy http://p.example.org http://localhost",
  "curl -d a host.example.org",
  "wget --post-file=a https://host.example.org",
  "wget --post-data a https://host.example.org",
  "wget --method=PUT --body-file=a https://host.example.org",
  "http POST host.example.org a=b",
  "sendmail someone@example.org",
])("%s is an upload", (line) => {
  expect(uploadCommandsIn(words(line))).toHaveLength(1);
});

verifies("004-44", "a tool that can upload may be there and be used for something else", () => {
  for (const line of [
    "git status",
    "git commit -m push",
    "git log --grep push",
    "git stash push",
    "git fetch origin",
    "npm ci",
    "npm run publish-docs",
    "npm test",
    "cargo build",
    "docker build .",
    "aws s3 ls",
    "gsutil ls",
    "rclone ls a:",
    "curl -fsSL https://host.example.org",
    "curl -o out -L https://host.example.org",
    "curl -X GET https://host.example.org",
    "curl -d a=b http://localhost:3000/api",
    "curl --json {} http://127.0.0.1:8080/",
    "curl -T a http://[::1]:9/",
    "wget https://host.example.org",
    "rsync -a a/ b/",
    "scp -v a b",
    "ssh -V",
    "which scp",
    "man rsync",
    "grep -r scp .",
    "echo git push",
    "constructor push",
    "__proto__ push",
    "python3 -m pytest",
    "node --test",
    "python3 setup.py build",
    "npx semantic-release --dry-run",
    "npm -c x test",
    "concurrently lint test",
    "make publish",
  ]) {
    expect(uploadCommandsIn(words(line)), line).toEqual([]);
  }
});

test.each([
  "git push",
  "cd x && git push",
  "make; git push",
  "make || git push &",
  "if true; then git push; fi",
  "for f in *; do scp $f me@host:; done",
  "echo a | ssh me@host 'cat > a'",
  "x=$(git push)",
  'echo "$(git push)"',
  "echo `git push`",
  "(cd x; git push)",
  "{ git push; }",
  "FOO=bar git push",
  "g''it pu\\sh",
  '"git" "push"',
  "git \\\n push",
  "git push 2>&1",
  "eval git push",
  'eval "git push"',
  "exec git push",
  "! git push",
  "bash -c 'git push'",
  'bash -c "bash -c \\"git push\\""',
  "/usr/bin/git push",
  "true # nothing\ngit push",
])("a shell that runs %s uploads", (script) => {
  expect(inShell(script).length).toBeGreaterThan(0);
});

test.each([
  "echo 'git push'",
  "echo ok # git push",
  "git commit -m 'git push'",
  "grep 'git push' x",
])("a shell that runs %s uploads nothing", (script) => {
  expect(inShell(script)).toEqual([]);
});

test.each([
  "env A=b git push",
  "env -i -u HOME A=b git push",
  "sudo -u me git push",
  "timeout 60 git push",
  "timeout -k 5 60 git push",
  "nice -n 5 git push",
  "nohup git push",
  "xargs -n 1 git push",
  "find . -name x -exec scp {} me@host: ;",
  "stdbuf -oL git push",
  "time git push",
  "npx twine upload",
  "npx -y npm@latest publish",
  "npx --package twine twine@5 upload",
  "uvx twine upload dist/x",
  "uvx --from twine twine upload dist/x",
  "pipx run twine upload dist/x",
  "npm exec -- twine upload",
  "pnpm dlx vsce publish",
  "uv run twine upload dist/x",
  "poetry run twine upload dist/x",
])("%s uploads through its wrapper", (line) => {
  expect(uploadCommandsIn(words(line))).toHaveLength(1);
});

test.each([
  [["env", "-S", "git push"]],
  [["bash", "-lc", "git push"]],
  [["bash", "-o", "pipefail", "-c", "git push"]],
  [["bash", "-c", "-e", "git push"]],
  [["su", "me", "-c", "git push"]],
  [["git", "submodule", "foreach", "git push"]],
  [["git", "rebase", "--exec", "git push", "main"]],
  [["watch", "git push"]],
  [["env", "-Sgit push"]],
  [["npx", "-c", "npm publish"]],
  [["npm", "exec", "--call=npm publish"]],
  [["concurrently", "npm test", "git push"]],
  [["tmux", "new", "-d", "git push"]],
  [["pwsh", "-Command", "git push"]],
  [["ssh-agent", "git", "push"]],
  [["python3", "setup.py", "sdist", "upload"]],
  [["npx", "semantic-release"]],
  [["parallel", "scp {} me@host:", ":::", "a"]],
  [["python3", "-c", 'import os; os.system("git push")']],
  [["python3", "-c", "import subprocess; subprocess.run(['git', 'push'])"]],
  [["node", "-e", "require('child_process').execSync(`git push`)"]],
  [["node", "--eval=require('child_process').spawn('git', ['push'])"]],
  [["perl", "-e", "system('scp a me@host:')"]],
  [["timeout", "9", "env", "A=b", "bash", "-c", "cd x && nice npx twine upload"]],
])("%j is looked through", (argv) => {
  expect(uploadCommandsIn(argv).length).toBeGreaterThan(0);
});

test("what is nested too deeply to look through counts as an upload", () => {
  const deep = Array.from({ length: 20 }, () => "env");
  expect(uploadCommandsIn([...deep, "true"])[0]).toMatch(/nested too deeply/);
  expect(inShell(`${"$(".repeat(40)}true${")".repeat(40)}`)[0]).toMatch(/nested too deeply/);
  expect(inShell("x".repeat(300_000))[0]).toMatch(/too long/);
});

test("a command line made to be slow is given up quickly", () => {
  const hostile = [
    Array.from({ length: 4_000 }, (_, at) => (at % 2 === 0 ? "env" : "-a")),
    ["find", ...Array.from({ length: 4_000 }, () => "-exec")],
    ["python3", "-c", `"${'\\"'.repeat(100_000)}\\`],
    ["sh", "-c", "`".repeat(100_000)],
    ["curl", `-${"s".repeat(100_000)}`, "a".repeat(100_000)],
    ["rsync", `${"a".repeat(100_000)}`],
  ];
  const from = performance.now();
  for (const argv of hostile) uploadCommandsIn(argv);
  expect(performance.now() - from).toBeLessThan(10_000);
});

test("no command line makes it throw", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "git",
      "push",
      "sh",
      "-c",
      "env",
      "$(",
      "`",
      "'",
      '"',
      "\\",
      "-",
      "--",
      "curl",
      "-T",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (argv) => {
      expect(Array.isArray(uploadCommandsIn(argv))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("what it says repeats nothing of the command line but the tool", () => {
  const found = uploadCommandsIn(["curl", "-d", "secret", "https://me:hunter2@host.example.org"]);
  expect(found).toEqual(["curl -d"]);
});
