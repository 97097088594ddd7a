import { expect, test } from "vitest";
import { findUpload, findUploadInScript } from "../../../src/scan/classify/index.ts";
import { expectLinear } from "../../cost-growth.ts";

const isUpload = (line: string): boolean => findUpload(line.split(" ")) !== undefined;

test("the tools that send files away are known, however they are started", () => {
  const uploads = [
    "git push",
    "git -C /tmp push origin main",
    "git -c a=b push",
    "scp a b:c",
    "rsync -e ssh a b",
    "rsync -a ./x user@host:/y",
    "curl -T file https://host.example.org",
    "curl -sT file https://host.example.org",
    "curl --upload-file=a https://host.example.org",
    "aws s3 cp a s3://b",
    "aws --region x s3 sync . s3://b",
    "gsutil -m cp a gs://b",
    "az storage blob upload -f a",
    "rclone copy a b:c",
    "/usr/bin/scp a b:c",
    "sudo -E git push",
    "env A=1 timeout 5 git push",
  ];
  expect(uploads.filter((line) => !isUpload(line))).toEqual([]);
  const scripts = [
    "cd x && git push",
    "A=1 scp a b:",
    "x=$(curl -d @f h)",
    "if true; then\n git \\\n push; fi",
  ];
  expect(scripts.filter((one) => findUpload(["sh", "-c", one]) === undefined)).toEqual([]);
  expect(findUpload(["bash", "-lc", "git push"])).toEqual({ command: "git push" });
});

test.each([
  "git pull",
  "git commit -m push",
  "git log --grep push",
  "git stash",
  "rsync -a ./a ./b",
  "curl -fsSL https://registry.example.org/a.tgz",
  "curl -o file https://registry.example.org/a",
  "aws s3 ls",
  "gsutil ls",
  "rclone ls a:",
  "npm ci",
  "npm run publish-docs",
  "cargo build",
  "echo git push",
  "grep -c push file",
])("%s is no upload", (line) => {
  expect(isUpload(line)).toBe(false);
  expect(findUploadInScript(line)).toBeUndefined();
});

test("a long command costs its length and no more", () => {
  const words = "-a x ".repeat(2_000);
  expectLinear((times) => findUploadInScript(`git ${words.repeat(times)}\n`.repeat(3)));
  const options = "-C --git-dir ".repeat(2_000);
  expectLinear((times) => findUploadInScript(`git ${options.repeat(times)}`));
  expectLinear((times) => findUploadInScript("git a;".repeat(3_000 * times)));
});
